/**
 * Work in steps. It may be interrupted at each `yield`. A step should take less than a millisecond, and must not rely on state that
 * other code may change between two steps.
 */
export type SlicedWork<Result> = Generator<undefined, Result, undefined>;

/** Runs all steps at once, for small work that need not take turns. */
export function runAtOnce<Result>(steps: SlicedWork<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
