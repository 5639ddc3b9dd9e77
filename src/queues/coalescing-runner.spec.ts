import { CoalescingRunner } from './coalescing-runner.js';

/** A task that counts its runs. Each run ends with a call of `letGo`. */
function task() {
  const waiting: (() => void)[] = [];
  let runs = 0;
  return {
    run: () => {
      runs++;
      return new Promise<void>((resolve) => waiting.push(resolve));
    },
    letGo: async () => {
      waiting.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
    runs: () => runs,
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a keyed runner', () => {
  it('runs once more for all calls during a run', async () => {
    const { run, letGo, runs } = task();
    const runner = new CoalescingRunner(2);
    const first = runner.run('a', run);
    await settle();
    const others = [runner.run('a', run), runner.run('a', run)];
    expect(runs()).toBe(1);
    await letGo();
    expect(runs()).toBe(2);
    await letGo();
    await Promise.all([first, ...others]);
    expect(runs()).toBe(2);
  });

  it('runs a limited number of keys at once, and the next when one is done', async () => {
    const { run, letGo, runs } = task();
    const runner = new CoalescingRunner(2);
    const all = ['a', 'b', 'c'].map((key) => runner.run(key, run));
    await settle();
    expect(runs()).toBe(2);
    for (let count = 0; count < 3; count++) await letGo();
    await Promise.all(all);
    expect(runs()).toBe(3);
  });

  it('rejects when the task fails, and runs again at the next call', async () => {
    const runner = new CoalescingRunner(1);
    await expect(runner.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(runner.run('a', () => Promise.resolve())).resolves.toBeUndefined();
  });
});
