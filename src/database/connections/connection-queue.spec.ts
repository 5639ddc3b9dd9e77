import type { AbandonedSessions } from './abandoned-sessions.js';
import type { LimitedClient } from './limited-client.js';
import { type ConnectionUser, type ConnectionPermit, ConnectionQueue } from './connection-queue.js';

const CONNECTIONS = 10;

/** Sessions that were given up, which end when `endAll` is called. */
class Sessions {
  private readonly held: { tenantId: string | undefined; gone: () => void }[] = [];

  get size(): number {
    return this.held.length;
  }

  has(tenantId: string): boolean {
    return this.held.some((session) => session.tenantId === tenantId);
  }

  add(_client: LimitedClient, session: { tenantId: string | undefined; gone: () => void }): void {
    this.held.push(session);
  }

  endAll(): void {
    for (const { gone } of this.held.splice(0)) gone();
  }
}

function build(options: { refusalOf?: (share: ConnectionUser) => Error | undefined; onOverdue?: () => void } = {}) {
  const sessions = new Sessions();
  const connectionQueue = new ConnectionQueue({
    connections: CONNECTIONS,
    sessions: sessions as unknown as AbandonedSessions,
    ...options,
  });
  /** Enters `count` times and returns the turns that began at once. */
  const enter = (tenantId: string, count = 1): ConnectionPermit[] => {
    const begun: ConnectionPermit[] = [];
    for (let entered = 0; entered < count; entered++) {
      connectionQueue.enter(
        { key: tenantId, tenantId },
        (permit) => begun.push(permit),
        () => undefined,
      );
    }
    return begun;
  };
  return { connectionQueue, sessions, enter };
}

/** A connection that is given up as a real one is. */
function connect(permit: ConnectionPermit): LimitedClient {
  const client = {
    use: undefined,
    abandon(this: LimitedClient) {
      this.use?.abandoned(this);
      this.use = undefined;
    },
  } as unknown as LimitedClient;
  permit.use(client);
  return client;
}

describe('turns on the connections', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('give a tenant half of the connections, and let the rest of its statements wait', () => {
    const { connectionQueue, enter } = build();
    expect(enter('ten_a', 8)).toHaveLength(5);
    expect([connectionQueue.running, connectionQueue.waiting, connectionQueue.waitingOf('ten_a')]).toEqual([5, 3, 3]);
    expect(enter('ten_b')).toHaveLength(1);
  });

  it('start the next statement when a turn ends, however often its end is called', () => {
    const { connectionQueue, enter } = build();
    const begun = enter('ten_a', 7);
    begun[0]!.end();
    begun[0]!.end();
    expect([begun.length, connectionQueue.running, connectionQueue.waiting]).toEqual([6, 5, 1]);
  });

  it('refuse a statement that waits for more than 5 s, with 503', async () => {
    const { connectionQueue, enter } = build();
    enter('ten_a', 5);
    const refused = jest.fn();
    connectionQueue.enter({ key: 'ten_a', tenantId: 'ten_a' }, () => undefined, refused);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(refused).toHaveBeenCalledWith(expect.objectContaining({ status: 503 }));
    expect(connectionQueue.waiting).toBe(0);
  });

  it('give the place of an overdue statement away, and leave its tenant a fifth of the connections', () => {
    const onOverdue = jest.fn();
    const { connectionQueue, enter } = build({ onOverdue });
    const hung = enter('ten_a', 7);
    for (const permit of [...hung]) permit.overdue();
    expect(onOverdue).toHaveBeenCalledTimes(5);
    expect([...connectionQueue.restricted]).toEqual(['ten_a']);
    expect(connectionQueue.isRestricted('ten_a')).toBe(true);
    // Two of its statements that waited have begun beside the five that are overdue.
    expect([hung.length, connectionQueue.running]).toEqual([7, 7]);
    expect(enter('ten_a', 2)).toHaveLength(0);
    expect(enter('ten_b', 8).length).toBeGreaterThanOrEqual(4);
  });

  it('give a fifth to all tenants together that are restricted', () => {
    const { enter } = build();
    for (const id of ['ten_a', 'ten_b', 'ten_c']) for (const permit of enter(id)) permit.overdue();
    const again = ['ten_a', 'ten_b', 'ten_c'].flatMap((id) => enter(id));
    expect(again).toHaveLength(2);
  });

  it('do not use more than twice the connections, however many statements are overdue', () => {
    const { connectionQueue, enter } = build();
    for (let tenant = 0; tenant < 60; tenant++) for (const permit of enter(`ten_${tenant}`, 3)) permit.overdue();
    expect(connectionQueue.running).toBeLessThanOrEqual(2 * CONNECTIONS);
  });

  it('restore a tenant when all of its overdue statements are answered', () => {
    const { connectionQueue, enter } = build();
    const [first, second] = enter('ten_a', 2);
    first!.overdue();
    second!.overdue();
    first!.answered();
    expect(connectionQueue.isRestricted('ten_a')).toBe(true);
    second!.end();
    expect([connectionQueue.isRestricted('ten_a'), connectionQueue.running]).toEqual([false, 1]);
    expect(enter('ten_a', 5)).toHaveLength(4);
  });

  it('restore a tenant whose statements were given up only when their sessions have ended', () => {
    const { connectionQueue, sessions, enter } = build();
    const [permit] = enter('ten_a');
    const client = connect(permit!);
    permit!.overdue();
    client.abandon();
    permit!.end();
    expect([connectionQueue.isRestricted('ten_a'), sessions.size]).toEqual([true, 1]);
    sessions.endAll();
    expect(connectionQueue.isRestricted('ten_a')).toBe(false);
  });

  it('begin no statement of a tenant that is restricted while as many sessions exist as there are connections', () => {
    const { connectionQueue, sessions, enter } = build();
    const refused = jest.fn();
    enter('ten_a')[0]!.overdue();
    for (let count = 0; count < CONNECTIONS; count++) {
      sessions.add({} as LimitedClient, { tenantId: 'ten_a', gone: () => undefined });
    }
    connectionQueue.enter({ key: 'ten_a', tenantId: 'ten_a' }, () => undefined, refused);
    connectionQueue.enter({ key: 'all' }, () => undefined, refused);
    expect(refused).toHaveBeenCalledTimes(2);
    expect(enter('ten_b')).toHaveLength(1);
  });

  it('let a tenant that is restricted take no part in a share that tenants have in common', () => {
    const { connectionQueue, enter } = build();
    enter('ten_a')[0]!.overdue();
    const keys: string[] = [];
    for (const tenantId of ['ten_a', 'ten_b']) {
      connectionQueue.enter(
        { key: 'relay', tenantId },
        ({ share }) => keys.push(share.key),
        () => undefined,
      );
    }
    expect(keys).toEqual(['ten_a', 'relay']);
  });

  it('refuse what the server is away for, also what has waited for its turn meanwhile', () => {
    const away = new Set<string>();
    const { connectionQueue, enter } = build({
      refusalOf: ({ tenantId = '' }) => (away.has(tenantId) ? new Error('away') : undefined),
    });
    const begun = enter('ten_a', 5);
    const started = jest.fn();
    const refused = jest.fn();
    connectionQueue.enter({ key: 'ten_a', tenantId: 'ten_a' }, started, refused);
    away.add('ten_a');
    begun[0]!.end();
    connectionQueue.enter({ key: 'ten_a', tenantId: 'ten_a' }, started, refused);
    expect([started.mock.calls.length, refused.mock.calls.length, connectionQueue.running]).toEqual([0, 2, 4]);
  });

  it('give up the connections of those that match, and of no others', () => {
    const { connectionQueue, sessions, enter } = build();
    for (const id of ['ten_a', 'ten_b']) connect(enter(id)[0]!);
    connectionQueue.abandon(({ tenantId }) => tenantId === 'ten_a');
    expect([sessions.size, sessions.has('ten_a')]).toEqual([1, true]);
  });

  it('do not touch a connection that the pool has passed on', () => {
    const { enter } = build();
    const [first, second] = enter('ten_a', 2);
    const client = connect(first!);
    second!.use(client);
    first!.end();
    expect(client.use).toBe(second);
  });

  it('end a turn whose task fails', async () => {
    const { connectionQueue } = build();
    const failing = connectionQueue.run({ key: 'ten_a', tenantId: 'ten_a' }, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(connectionQueue.running).toBe(0);
  });
});
