/**
 * Work in steps: each `yield` is a place where it may be interrupted. A step should take less than a millisecond, and it must not rely
 * on anything that others may change between two steps.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Does all steps at once: for small work, where turns would cost more than they give. */
export function runNow<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
