/** Pseudo-random integers below `max` (Park and Miller). */
export function integersFrom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => (state = (state * 48_271) % 2_147_483_647) % max;
}
