import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until the answer is true, with a pause between, and returns the milliseconds that took; undefined when it was not within the limit. */
export async function eventually(ask, limitMs, pauseMs = 50) {
  const began = performance.now();
  while (performance.now() - began < limitMs) {
    if (await ask()) return performance.now() - began;
    await sleep(pauseMs);
  }
  return undefined;
}
