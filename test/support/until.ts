import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until the answer is there (neither undefined nor false), and returns it; throws after ten seconds. */
export async function until<Result>(ask: () => Promise<Result | undefined | false>): Promise<Result> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error('It did not happen within ten seconds.');
    await sleep(20);
  }
}
