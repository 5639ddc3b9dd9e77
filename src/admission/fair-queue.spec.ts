import fc from 'fast-check';
import { FairQueue } from './fair-queue.js';
import { publicKey } from './public-key.js';
import { Quotas } from './quotas.js';

const queueOf = (concurrency: number, { maxWaiting = 1_000, waitMs = 10_000 } = {}) =>
  new FairQueue({ concurrency, maxWaiting, waitMs, refusal: () => new Error('refused') });

/** A task that ends when `end` is called. */
function task() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { run: () => ended, end };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('shares', () => {
  it('give the first key half of the capacity, and each later key about half of the rest', () => {
    const quotas = new Quotas(12);
    const fill = (key: string) => {
      while (quotas.fits(key)) quotas.take(key);
      return quotas.usedBy(key);
    };
    expect(fill('a')).toBe(6);
    expect(fill('b')).toBe(3);
    expect(fill('c')).toBe(2);
    expect(fill('d')).toBe(1);
  });

  it('never exceed the capacity, unless a single amount is larger than it', () => {
    const amounts = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 150 })));
    fc.assert(
      fc.property(amounts, (wanted) => {
        const quotas = new Quotas(100);
        for (const [key, amount] of wanted) {
          const wasEmpty = quotas.used === 0;
          if (!quotas.fits(key, amount)) continue;
          quotas.take(key, amount);
          if (!wasEmpty) expect(quotas.used).toBeLessThanOrEqual(100);
        }
      }),
    );
  });

  it('give all public keys together at most three quarters, but always something', () => {
    const quotas = new Quotas(12);
    quotas.take('tenant');
    for (let started = true; started;) {
      started = false;
      for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((tenantId) => publicKey(tenantId))) {
        if (!quotas.fits(key)) continue;
        quotas.take(key);
        started = true;
      }
    }
    expect(quotas.used).toBe(10);
    expect(quotas.fits('another')).toBe(true);
    quotas.give(publicKey('a'));
    expect(quotas.fits(publicKey('i'))).toBe(true);
    const narrow = new Quotas(3);
    narrow.take('tenant');
    expect(narrow.fits(publicKey('a'))).toBe(true);
  });

  it('of public keys leave something for a new address, in whatever order others take it', () => {
    const quotas = new Quotas(64);
    const keys = Array.from({ length: 7 }, (_, index) => publicKey('a', `10.0.0.${index}`));
    for (const key of keys) for (let times = 0; times < 5; times++) if (quotas.fits(key)) quotas.take(key);
    expect(keys.map((key) => quotas.usedBy(key))).toEqual([5, 5, 5, 5, 2, 1, 1]);
    for (let address = 0; address < 8; address++) {
      expect(quotas.fits(publicKey('a', `10.0.1.${address}`))).toBe(true);
      quotas.take(publicKey('a', `10.0.1.${address}`));
    }
    expect(quotas.fits(publicKey('a', '10.0.2.0'))).toBe(false);
    expect(quotas.fits(publicKey('b', '10.0.0.1'))).toBe(true);
    for (const key of keys) quotas.give(key, quotas.usedBy(key));
    expect(quotas.used).toBe(8);
  });

  it('of public keys have no more for many addresses than for one without', () => {
    const quotas = new Quotas(64);
    const started = Array.from({ length: 100 }, (_, index) => publicKey('a', `10.0.0.${index}`)).filter((key) => {
      const fits = quotas.fits(key);
      if (fits) quotas.take(key);
      return fits;
    });
    expect(started).toHaveLength(32);
    expect(quotas.fits('a')).toBe(true);
    expect(quotas.fits(publicKey('b'))).toBe(true);
  });

  it('throw when a key gives back more than it took', () => {
    expect(() => new Quotas(1).give('a')).toThrow('released more than');
  });
});

describe('a fair queue', () => {
  it('starts another key’s task at once while one key’s tasks wait', async () => {
    const queue = queueOf(4);
    const tasks = Array.from({ length: 10 }, task);
    const runs = tasks.map(({ run }) => queue.run('a', run));
    expect([queue.running, queue.waiting]).toEqual([2, 8]);
    await queue.run('b', () => Promise.resolve());
    for (const { end } of tasks) end();
    await Promise.all(runs);
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });

  it('lets keys take turns when the capacity is used up', async () => {
    const queue = queueOf(1);
    const first = task();
    const order: string[] = [];
    const runs = [queue.run('a', first.run)];
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) {
      runs.push(
        queue.run(name.slice(0, 1), () => {
          order.push(name);
          return settled().then(() => undefined);
        }),
      );
    }
    first.end();
    await Promise.all(runs);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('divides the capacity by the amounts of tasks, and lets no small task overtake a large one of its key', async () => {
    const queue = queueOf(100);
    const tasks = Array.from({ length: 5 }, task);
    const order: number[] = [];
    const runs = [30, 20, 40, 1, 20].map((amount, index) =>
      queue.run(
        index === 4 ? 'b' : 'a',
        () => {
          order.push(index);
          return tasks[index]?.run() ?? Promise.resolve();
        },
        amount,
      ),
    );
    expect(order).toEqual([0, 1, 4]);
    for (const { end } of tasks) end();
    await Promise.all(runs);
    expect(order).toEqual([0, 1, 4, 2, 3]);
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });

  it('refuses a task when the queue of its key is full or its wait expires', async () => {
    const queue = queueOf(1, { maxWaiting: 1, waitMs: 20 });
    const first = task();
    const running = queue.run('a', first.run);
    const late = queue.run('a', () => Promise.resolve());
    await expect(queue.run('a', () => Promise.resolve())).rejects.toThrow('refused');
    await expect(late).rejects.toThrow('refused');
    first.end();
    await running;
    await queue.run('a', () => Promise.resolve());
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });

  it('frees the capacity of a task that fails', async () => {
    const queue = queueOf(1);
    await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(queue.running).toBe(0);
  });

  it('runs every task once, and never more tasks at once than allowed', async () => {
    const load = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat({ max: 3 })), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(load, fc.integer({ min: 1, max: 8 }), async (tasks, concurrency) => {
        const queue = queueOf(concurrency);
        let running = 0;
        let done = 0;
        await Promise.all(
          tasks.map(([key, turns]) =>
            queue.run(key, async () => {
              expect(++running).toBeLessThanOrEqual(concurrency);
              for (let turn = 0; turn < turns; turn++) await settled();
              running--;
              done++;
            }),
          ),
        );
        expect(done).toBe(tasks.length);
        expect([queue.running, queue.waiting]).toEqual([0, 0]);
      }),
    );
  });
});
