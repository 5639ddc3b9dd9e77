import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until the answer is true, and returns it. Throws with `what` was waited for when time is up. */
export async function until(ask, what, seconds = 60) {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`Waited ${seconds} s in vain: ${what}.`);
    await sleep(20);
  }
}
