import { FailedVariants } from './failed-variants.js';

describe('failed variants', () => {
  it('are not tried again for 10 s, then for twice as long each time, up to 5 minutes', () => {
    const failures = new FailedVariants();
    let now = 1_000_000;
    const delays: number[] = [];
    for (let count = 0; count < 8; count++) {
      failures.failed('a', now);
      const failedAt = now;
      while (failures.isTooSoon('a', now)) now += 1_000;
      delays.push((now - failedAt) / 1_000);
    }
    expect(delays).toEqual([10, 20, 40, 80, 160, 300, 300, 300]);
    expect(failures.isTooSoon('b', now)).toBe(false);
  });

  it('are forgotten once one succeeds', () => {
    const failures = new FailedVariants();
    failures.failed('a', 0);
    failures.failed('a', 10_000);
    failures.succeeded('a');
    expect(failures.isTooSoon('a', 10_001)).toBe(false);
    failures.failed('a', 20_000);
    expect([failures.isTooSoon('a', 29_999), failures.isTooSoon('a', 30_000)]).toEqual([true, false]);
  });

  it('are forgotten, the oldest first, if there are more than 10,000', () => {
    const failures = new FailedVariants();
    for (let number = 0; number <= 10_000; number++) failures.failed(String(number), 0);
    expect(['0', '1', '10000'].map((key) => failures.isTooSoon(key, 1))).toEqual([false, true, true]);
  });
});
