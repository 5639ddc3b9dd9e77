import type { ClaimedDelivery } from './claim.js';
import { Slots } from './slots.js';
import { type RunTasks, WebhookRun } from './webhook-run.js';

const delivery = (id: number) => ({ id: String(id), startBy: Date.now() + 10_000 }) as ClaimedDelivery;

/** A run over so many deliveries; `attempt` decides how each goes. */
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
  it('attempts everything that is due once, and ends', async () => {
    const { run, attempted, released, ends } = start(345);
    await run.wake();
    expect(attempted.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 345 }, (_, id) => id));
    expect(released).toEqual([]);
    expect(ends()).toBe(1);
  });

  it('claims more at once while attempts are quick', async () => {
    const { run, claims } = start(500);
    await run.wake();
    expect(claims[0]).toBeLessThanOrEqual(20);
    expect(Math.max(...claims)).toBe(100);
  });

  it('has ten attempts under way at most', async () => {
    let underWay = 0;
    let peak = 0;
    const { run } = start(100, async () => {
      peak = Math.max(peak, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      return true;
    });
    await run.wake();
    expect(peak).toBe(10);
  });

  it('goes on beside an attempt that hangs, and looks again when it is woken', async () => {
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

  it('gives back what it claimed when the webhook wants no more', async () => {
    const { run, attempted, released } = start(10, () => Promise.resolve(false));
    await run.wake();
    expect(attempted.length + released.length).toBe(10);
    expect(released.length).toBeGreaterThan(0);
  });

  it('gives back what it claimed when it is stopped', async () => {
    const started = start(10, () => {
      started.run.stop();
      return Promise.resolve(true);
    });
    await started.run.wake();
    expect(started.attempted.length).toBeLessThan(10);
    expect(started.attempted.length + started.released.length).toBe(10);
  });

  it('gives back what it would begin too late', async () => {
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
