import { setTimeout as sleep } from 'node:timers/promises';

/** Calls `ask` repeatedly until it returns neither undefined nor false, and returns the result. Throws after the time-out. */
export async function until<Result>(
  ask: () => Promise<Result | undefined | false>,
  timeoutMs = 60_000,
): Promise<Result> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`It did not happen within ${timeoutMs / 1000} s.`);
    await sleep(20);
  }
}
