import { setTimeout as sleep } from 'node:timers/promises';

/** Calls `ask` until it returns a true value, and returns that. Throws with `what` after the time-out. */
export async function until(ask, what, seconds = 60) {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`Not within ${seconds} s: ${what}.`);
    await sleep(20);
  }
}
