import { FairSemaphore } from './fair-semaphore.js';
import type { Settled, WorkSource } from './work-item.js';
import { WorkRun } from './work-run.js';

interface Row {
  id: string;
  startBy: number;
}

const LIMITS = { concurrency: 10, minBatch: 10, maxBatch: 100 };

const row = (id: number): Row => ({ id: String(id), startBy: Date.now() + 10_000 });

/** Creates a run with `count` due rows. `attempt` decides the result of each: false if the other rows must not be attempted any more. */
function start(count: number, attempt: (row: Row) => Promise<boolean> = () => Promise.resolve(true), limits = LIMITS) {
  const due = Array.from({ length: count }, (_, id) => row(id));
  const claims: number[] = [];
  const attempted: string[] = [];
  const released: string[] = [];
  const stored: string[] = [];
  const source: WorkSource<Row, boolean> = {
    groups: () => Promise.resolve([]),
    claim: (_tenantId, _group, number) => {
      claims.push(number);
      return Promise.resolve(due.splice(0, number));
    },
    attempt: (_tenantId, _group, one) => {
      attempted.push(one.id);
      return attempt(one);
    },
    endsGroup: (goesOn) => !goesOn,
    release: (_tenantId, some) => {
      released.push(...some.map(({ id }) => id));
      return Promise.resolve();
    },
    store: () => Promise.resolve(),
  };
  const restrictedTenants = { isRestricted: () => false, onRestriction: () => undefined };
  const options = { ...limits, name: 'tests', semaphore: new FairSemaphore(100, restrictedTenants), restrictedTenants };
  const results = {
    add: (_tenantId: string, { item }: Settled<Row, boolean>) => {
      stored.push(item.id);
      return Promise.resolve();
    },
  };
  const context = { source, options, claims: { run: <Result>(task: () => Promise<Result>) => task() }, results };
  let ends = 0;
  const run = new WorkRun({ ...context, signal: new AbortController().signal }, 'ten_a', 'group', () => ends++);
  return { run, due, source, claims, attempted, released, stored, ends: () => ends };
}

describe('a run', () => {
  it('attempts every due row once, and ends', async () => {
    const { run, attempted, released, stored, ends } = start(345);
    await run.wake();
    expect(attempted.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 345 }, (_, id) => id));
    expect(stored).toEqual(attempted);
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

  it('uses its whole concurrency when rows are claimed one by one', async () => {
    let inProgress = 0;
    let peak = 0;
    const attempt = async () => {
      peak = Math.max(peak, ++inProgress);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inProgress--;
      return true;
    };
    const { run, attempted } = start(20, attempt, { concurrency: 3, minBatch: 1, maxBatch: 1 });
    await run.wake();
    expect([peak, attempted.length]).toEqual([3, 20]);
  });

  it('continues while an attempt hangs, and claims again when it is woken', async () => {
    let finish: (() => void) | undefined;
    const { run, due, attempted, ends } = start(5, ({ id }) =>
      id === '0' ? new Promise((resolve) => (finish = () => resolve(true))) : Promise.resolve(true),
    );
    const ended = run.wake();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(attempted).toHaveLength(5);
    due.push(row(5));
    void run.wake();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(attempted).toHaveLength(6);
    expect(ends()).toBe(0);
    finish?.();
    await ended;
    expect(ends()).toBe(1);
  });

  it('releases its claims when no more of the group must be attempted', async () => {
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

  it('gives back what it has claimed and not begun, also what a claim in progress brings', async () => {
    const finish: (() => void)[] = [];
    const hanging = () => new Promise<boolean>((resolve) => finish.push(() => resolve(true)));
    const { run, source, due, attempted, released } = start(30, hanging, { ...LIMITS, concurrency: 5 });
    const ended = run.wake();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(attempted).toHaveLength(5);
    await run.giveBack();
    expect(released).toHaveLength(5);
    let claimed: (() => void) | undefined;
    const late = [row(100), row(101)];
    source.claim = () => new Promise((resolve) => (claimed = () => resolve(late.splice(0))));
    due.length = 0;
    finish.pop()!();
    await new Promise((resolve) => setTimeout(resolve, 20));
    void run.giveBack();
    source.claim = () => Promise.resolve([]);
    claimed!();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(released).toEqual(expect.arrayContaining(['100', '101']));
    expect(attempted).toHaveLength(5);
    for (const end of finish) end();
    await ended;
  });

  it('releases a row that would begin too late', async () => {
    const { run, due, attempted, released } = start(0);
    due.push({ ...row(1), startBy: Date.now() - 1 });
    await run.wake();
    expect(attempted).toEqual([]);
    expect(released).toEqual(['1']);
  });

  it('rejects when claiming fails', async () => {
    const { run, source, ends } = start(0);
    source.claim = () => Promise.reject(new Error('away'));
    await expect(run.wake()).rejects.toThrow('away');
    expect(ends()).toBe(1);
  });
});
