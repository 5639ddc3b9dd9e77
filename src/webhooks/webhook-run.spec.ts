import type { ClaimedDelivery } from './claim.js';
import { Slots } from './slots.js';
import { type RunTasks, WebhookRun } from './webhook-run.js';

const delivery = (id: number) => ({ id: String(id), startBy: Date.now() + 10_000 }) as ClaimedDelivery;

/** Creates a run with `count` due deliveries. `attempt` decides the result of each. */
function start(count: number, attempt: (delivery: ClaimedDelivery) => Promise<boolean> = () => Promise.resolve(true)) {
  const due = Array.from({ length: count }, (_, id) => delivery(id));
  const claims: number[] = [];
  const attempted: string[] = [];
  const released: string[] = [];
  const tasks: RunTasks = {
    claim: (number) => {
      claims.push(number);
      return Promise.resolve(due.splice(0, number));
    },
    attempt: (one) => {
      attempted.push(one.id);
      return attempt(one);
    },
    release: (some) => {
      released.push(...some.map(({ id }) => id));
      return Promise.resolve();
    },
    settled: () => Promise.resolve(),
  };
  let ends = 0;
  const run = new WebhookRun('ten_a', new Slots(), tasks, () => ends++);
  return { run, due, tasks, claims, attempted, released, ends: () => ends };
}

describe('a run', () => {
  it('attempts every due delivery once, and ends', async () => {
    const { run, attempted, released, ends } = start(345);
    await run.wake();
    expect(attempted.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 345 }, (_, id) => id));
    expect(released).toEqual([]);
    expect(ends()).toBe(1);
  });

  it('claims larger batches while attempts are fast', async () => {
    const { run, claims } = start(500);
    await run.wake();
    expect(claims[0]).toBeLessThanOrEqual(20);
    expect(Math.max(...claims)).toBe(100);
  });

  it('runs at most ten attempts at once', async () => {
    let inProgress = 0;
    let peak = 0;
    const { run } = start(100, async () => {
      peak = Math.max(peak, ++inProgress);
      await new Promise((resolve) => setImmediate(resolve));
      inProgress--;
      return true;
    });
    await run.wake();
    expect(peak).toBe(10);
  });

  it('continues while an attempt hangs, and claims again when it is woken', async () => {
    let finish: (() => void) | undefined;
    const { run, due, attempted, ends } = start(5, ({ id }) =>
      id === '0' ? new Promise((resolve) => (finish = () => resolve(true))) : Promise.resolve(true),
    );
    const ended = run.wake();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(attempted).toHaveLength(5);
    due.push(delivery(5));
    void run.wake();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(attempted).toHaveLength(6);
    expect(ends()).toBe(0);
    finish?.();
    await ended;
    expect(ends()).toBe(1);
  });

  it('releases its claims when the webhook must not receive more', async () => {
    const { run, attempted, released } = start(10, () => Promise.resolve(false));
    await run.wake();
    expect(attempted.length + released.length).toBe(10);
    expect(released.length).toBeGreaterThan(0);
  });

  it('releases its claims when it is stopped', async () => {
    const started = start(10, () => {
      started.run.stop();
      return Promise.resolve(true);
    });
    await started.run.wake();
    expect(started.attempted.length).toBeLessThan(10);
    expect(started.attempted.length + started.released.length).toBe(10);
  });

  it('releases a delivery that would begin too late', async () => {
    const { run, due, attempted, released } = start(0);
    due.push({ ...delivery(1), startBy: Date.now() - 1 });
    await run.wake();
    expect(attempted).toEqual([]);
    expect(released).toEqual(['1']);
  });

  it('rejects when claiming fails', async () => {
    const { run, tasks, ends } = start(0);
    tasks.claim = () => Promise.reject(new Error('away'));
    await expect(run.wake()).rejects.toThrow('away');
    expect(ends()).toBe(1);
  });
});
