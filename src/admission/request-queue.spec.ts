import type { Socket } from 'node:net';
import { RequestQueue } from './request-queue.js';

const OPEN = { destroyed: false } as Socket;

describe('turns of requests', () => {
  let busy: Set<string>;
  let queue: RequestQueue;
  beforeEach(() => {
    jest.useFakeTimers();
    busy = new Set();
    queue = new RequestQueue({ isBusy: (key) => busy.has(key), refusal: () => new Error('refused') });
  });
  afterEach(() => jest.useRealTimers());

  /** Enters requests of a key. Returns the list of what happens to them, by number. */
  const enter = (key: string, count: number, socket = OPEN): string[] => {
    const log: string[] = [];
    for (let number = 1; number <= count; number++) {
      const turn = queue.enter(key, socket);
      if (!turn) log.push(`${number} at once`);
      void turn?.then(
        () => log.push(`${number} started`),
        (error: Error) => log.push(`${number} ${error.message}`),
      );
    }
    return log;
  };

  it('start at once while the key is not busy', () => {
    busy.add('other');
    expect(enter('a', 2)).toEqual(['1 at once', '2 at once']);
    expect(queue.waiting).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('come in order when the key is no longer busy, one in each iteration of the event loop', async () => {
    busy.add('a');
    const log = enter('a', 20);
    await jest.advanceTimersByTimeAsync(100);
    expect(log).toEqual([]);
    busy.delete('a');
    await jest.advanceTimersToNextTimerAsync();
    expect(log).toEqual(['1 started']);
    await jest.advanceTimersToNextTimerAsync(2);
    expect(log).toHaveLength(3);
    // A request that comes now waits for the earlier ones.
    expect(queue.enter('a', OPEN)).toBeInstanceOf(Promise);
    await jest.advanceTimersByTimeAsync(100);
    expect(log).toEqual(Array.from({ length: 20 }, (_, index) => `${index + 1} started`));
    expect([queue.waiting, jest.getTimerCount()]).toEqual([0, 0]);
    expect(enter('a', 1)).toEqual(['1 at once']);
  });

  it('do not wait for those of another key', async () => {
    busy.add('a');
    const log = enter('a', 500);
    expect(enter('b', 1)).toEqual(['1 at once']);
    busy.add('b');
    const other = enter('b', 1);
    busy.delete('b');
    await jest.advanceTimersByTimeAsync(2);
    expect([log, other]).toEqual([[], ['1 started']]);
  });

  it('are refused after two seconds', async () => {
    busy.add('a');
    const log = enter('a', 2);
    await jest.advanceTimersByTimeAsync(1_500);
    const late = enter('a', 1);
    await jest.advanceTimersByTimeAsync(600);
    expect([log, late]).toEqual([['1 refused', '2 refused'], []]);
    await jest.advanceTimersByTimeAsync(1_500);
    expect(late).toEqual(['1 refused']);
    expect([queue.waiting, jest.getTimerCount()]).toEqual([0, 0]);
  });

  it('are refused at once beyond a thousand of a key', async () => {
    busy.add('a').add('b');
    const log = enter('a', 1_001);
    const other = enter('b', 1);
    await jest.advanceTimersByTimeAsync(0);
    expect([log, other, queue.waiting]).toEqual([['1001 refused'], [], 1_001]);
  });

  it('end when the client has left', async () => {
    busy.add('a');
    const log = enter('a', 1, { destroyed: true } as Socket);
    await jest.advanceTimersByTimeAsync(2);
    expect([log, queue.waiting]).toEqual([['1 refused'], 0]);
  });
});
