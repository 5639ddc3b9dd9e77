import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `ask` repeatedly, with pauses, until it returns a true value. Returns the milliseconds that this took; undefined if the limit was
 * exceeded.
 */
export async function eventually(ask, limitMs, pauseMs = 50) {
  const began = performance.now();
  while (performance.now() - began < limitMs) {
    if (await ask()) return performance.now() - began;
    await sleep(pauseMs);
  }
  return undefined;
}
