import type { Session } from './database-probe.js';
import { AbandonedSessions } from './abandoned-sessions.js';
import type { LimitedClient } from './limited-client.js';

const client = (processID: number | null, localPort: number) => ({ processID, localPort }) as LimitedClient;

/** A server that has the sessions `existing`. */
class Probe {
  existing: Session[] = [];
  isAway = false;
  asked: (readonly Session[])[] = [];

  endSessions(sessions: readonly Session[]): Promise<Session[]> {
    this.asked.push(sessions.map(({ pid, port }) => ({ pid, port })));
    if (this.isAway) return Promise.reject(new Error('The server is away.'));
    return Promise.resolve(this.existing);
  }
}

describe('sessions that were given up', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are told to end, and count until they no longer exist', async () => {
    const probe = new Probe();
    const sessions = new AbandonedSessions(probe);
    const gone = [jest.fn(), jest.fn()] as const;
    sessions.add(client(11, 501), { tenantId: 'ten_a', gone: gone[0] });
    sessions.add(client(12, 502), { tenantId: 'ten_b', gone: gone[1] });
    probe.existing = [{ pid: 12, port: 502 }];
    await jest.advanceTimersByTimeAsync(1_000);
    expect(probe.asked[0]).toEqual([
      { pid: 11, port: 501 },
      { pid: 12, port: 502 },
    ]);
    expect([sessions.size, sessions.has('ten_a'), sessions.has('ten_b')]).toEqual([1, false, true]);
    expect([gone[0].mock.calls.length, gone[1].mock.calls.length]).toEqual([1, 0]);
    probe.existing = [];
    await jest.advanceTimersByTimeAsync(1_000);
    expect([sessions.size, sessions.total, gone[1].mock.calls.length]).toEqual([0, 2, 1]);
  });

  it('count as existing while the server cannot be asked', async () => {
    const probe = new Probe();
    probe.isAway = true;
    const sessions = new AbandonedSessions(probe);
    const gone = jest.fn();
    sessions.add(client(11, 501), { tenantId: 'ten_a', gone });
    await jest.advanceTimersByTimeAsync(5_000);
    expect([sessions.size, gone.mock.calls.length, probe.asked.length]).toEqual([1, 0, 5]);
    probe.isAway = false;
    await jest.advanceTimersByTimeAsync(1_000);
    expect([sessions.size, gone.mock.calls.length]).toEqual([0, 1]);
  });

  it('are asked for only while there are some', async () => {
    const probe = new Probe();
    const sessions = new AbandonedSessions(probe);
    await jest.advanceTimersByTimeAsync(5_000);
    sessions.add(client(11, 501), { tenantId: undefined, gone: () => undefined });
    await jest.advanceTimersByTimeAsync(5_000);
    expect(probe.asked).toHaveLength(1);
    sessions.add(client(12, 502), { tenantId: undefined, gone: () => undefined });
    sessions.stop();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(probe.asked).toHaveLength(1);
  });

  it('whose connection was never made are counted and not asked for', async () => {
    const probe = new Probe();
    const sessions = new AbandonedSessions(probe);
    sessions.add(client(null, -1), { tenantId: 'ten_a', gone: () => undefined });
    await jest.advanceTimersByTimeAsync(2_000);
    expect([sessions.total, sessions.size, probe.asked.length]).toEqual([1, 0, 0]);
  });

  it('are known by process and port, because another session may have got the number of the process', async () => {
    const probe = new Probe();
    const sessions = new AbandonedSessions(probe);
    sessions.add(client(11, 501), { tenantId: 'ten_a', gone: () => undefined });
    probe.existing = [{ pid: 11, port: 777 }];
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sessions.size).toBe(0);
  });
});
