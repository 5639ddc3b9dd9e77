import { HeavyWork } from './heavy-work.js';
import { runAtOnce, type SlicedWork } from './sliced-work.js';

const spin = (milliseconds: number) => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};

/** Takes `count` steps of one millisecond, and logs its name in each. */
function* work(name: string, count: number, log: string[]): SlicedWork<string> {
  for (let step = 0; step < count; step++) {
    spin(1);
    log.push(name);
    yield;
  }
  return name;
}

/** Returns the log without consecutive repetitions of a name. */
const runs = (log: readonly string[]) => log.filter((name, index) => name !== log[index - 1]);

describe('heavy work', () => {
  it('returns the result of its steps, at once or in turns', async () => {
    expect(runAtOnce(work('a', 3, []))).toBe('a');
    expect(await new HeavyWork().run('key', work('a', 3, []))).toBe('a');
  });

  it('lets other callbacks run between slices', async () => {
    const log: string[] = [];
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await new HeavyWork().run('key', work('a', 60, log));
    clearInterval(timer);
    expect(ticks).toBeGreaterThanOrEqual(3);
  });

  it('that is short does not wait for the next iteration, until short works have taken the time of a slice together', async () => {
    const heavy = new HeavyWork();
    const untilIteration = async (steps: number) => {
      let isNext = false;
      setImmediate(() => (isNext = true));
      for (let count = 0; ; count++) {
        if (isNext || count === 100) return count;
        await heavy.run('a', work('a', steps, []));
      }
    };
    expect(await untilIteration(0)).toBeGreaterThan(3);
    expect(await untilIteration(1)).toBeLessThanOrEqual(6);
  });

  it('of one key runs in order, and keys take turns', async () => {
    const heavy = new HeavyWork();
    const log: string[] = [];
    await Promise.all([
      heavy.run('a', work('a1', 20, log)),
      heavy.run('a', work('a2', 20, log)),
      heavy.run('b', work('b1', 20, log)),
    ]);
    const order = runs(log);
    expect(order.lastIndexOf('a1')).toBeLessThan(order.indexOf('a2'));
    expect(order.indexOf('b1')).toBeLessThan(order.lastIndexOf('a1'));
  });

  it('that throws does not affect other work', async () => {
    const heavy = new HeavyWork();
    function* broken(): SlicedWork<void> {
      yield;
      throw new Error('broken');
    }
    const good = heavy.run('b', work('b', 3, []));
    await expect(heavy.run('a', broken())).rejects.toThrow('broken');
    expect(await good).toBe('b');
    expect(await heavy.run('a', work('a', 1, []))).toBe('a');
  });

  it('is refused with 503 when too much work of its key waits, and work of another key is not', async () => {
    const heavy = new HeavyWork();
    const outcomes = Array.from({ length: 600 }, () =>
      heavy.run('a', work('a', 1, [])).then(
        () => 200,
        (error: { status: number }) => error.status,
      ),
    );
    await expect(heavy.run('b', work('b', 1, []))).resolves.toBe('b');
    const statuses = await Promise.all(outcomes);
    expect(statuses.filter((status) => status === 200)).toHaveLength(501);
    expect(statuses.filter((status) => status === 503)).toHaveLength(99);
  });
});
