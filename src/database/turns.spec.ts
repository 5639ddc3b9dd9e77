import type { AbandonedSessions } from './abandoned-sessions.js';
import type { LimitedClient } from './limited-client.js';
import { type Share, type Turn, Turns } from './turns.js';

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

function build(options: { refusalOf?: (share: Share) => Error | undefined; onOverdue?: () => void } = {}) {
  const sessions = new Sessions();
  const turns = new Turns({ connections: CONNECTIONS, sessions: sessions as unknown as AbandonedSessions, ...options });
  /** Enters `count` times and returns the turns that began at once. */
  const enter = (tenantId: string, count = 1): Turn[] => {
    const begun: Turn[] = [];
    for (let entered = 0; entered < count; entered++) {
      turns.enter(
        { key: tenantId, tenantId },
        (turn) => begun.push(turn),
        () => undefined,
      );
    }
    return begun;
  };
  return { turns, sessions, enter };
}

/** A connection that is given up as a real one is. */
function connect(turn: Turn): LimitedClient {
  const client = {
    use: undefined,
    abandon(this: LimitedClient) {
      this.use?.abandoned(this);
      this.use = undefined;
    },
  } as unknown as LimitedClient;
  turn.use(client);
  return client;
}

describe('turns on the connections', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('give a tenant half of the connections, and let the rest of its statements wait', () => {
    const { turns, enter } = build();
    expect(enter('ten_a', 8)).toHaveLength(5);
    expect([turns.running, turns.waiting, turns.waitingOf('ten_a')]).toEqual([5, 3, 3]);
    expect(enter('ten_b')).toHaveLength(1);
  });

  it('start the next statement when a turn ends, however often its end is called', () => {
    const { turns, enter } = build();
    const begun = enter('ten_a', 7);
    begun[0]!.end();
    begun[0]!.end();
    expect([begun.length, turns.running, turns.waiting]).toEqual([6, 5, 1]);
  });

  it('refuse a statement that waits for more than 5 s, with 503', async () => {
    const { turns, enter } = build();
    enter('ten_a', 5);
    const refused = jest.fn();
    turns.enter({ key: 'ten_a', tenantId: 'ten_a' }, () => undefined, refused);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(refused).toHaveBeenCalledWith(expect.objectContaining({ status: 503 }));
    expect(turns.waiting).toBe(0);
  });

  it('give the place of an overdue statement away, and leave its tenant a fifth of the connections', () => {
    const onOverdue = jest.fn();
    const { turns, enter } = build({ onOverdue });
    const hung = enter('ten_a', 7);
    for (const turn of [...hung]) turn.overdue();
    expect(onOverdue).toHaveBeenCalledTimes(5);
    expect([...turns.setBack]).toEqual(['ten_a']);
    expect(turns.isSetBack('ten_a')).toBe(true);
    // Two of its statements that waited have begun beside the five that are overdue.
    expect([hung.length, turns.running]).toEqual([7, 7]);
    expect(enter('ten_a', 2)).toHaveLength(0);
    expect(enter('ten_b', 8).length).toBeGreaterThanOrEqual(4);
  });

  it('give a fifth to all tenants together that are set back', () => {
    const { enter } = build();
    for (const id of ['ten_a', 'ten_b', 'ten_c']) for (const turn of enter(id)) turn.overdue();
    const again = ['ten_a', 'ten_b', 'ten_c'].flatMap((id) => enter(id));
    expect(again).toHaveLength(2);
  });

  it('do not use more than twice the connections, however many statements are overdue', () => {
    const { turns, enter } = build();
    for (let tenant = 0; tenant < 60; tenant++) for (const turn of enter(`ten_${tenant}`, 3)) turn.overdue();
    expect(turns.running).toBeLessThanOrEqual(2 * CONNECTIONS);
  });

  it('restore a tenant when all of its overdue statements are answered', () => {
    const { turns, enter } = build();
    const [first, second] = enter('ten_a', 2);
    first!.overdue();
    second!.overdue();
    first!.answered();
    expect(turns.isSetBack('ten_a')).toBe(true);
    second!.end();
    expect([turns.isSetBack('ten_a'), turns.running]).toEqual([false, 1]);
    expect(enter('ten_a', 5)).toHaveLength(4);
  });

  it('restore a tenant whose statements were given up only when their sessions have ended', () => {
    const { turns, sessions, enter } = build();
    const [turn] = enter('ten_a');
    const client = connect(turn!);
    turn!.overdue();
    client.abandon();
    turn!.end();
    expect([turns.isSetBack('ten_a'), sessions.size]).toEqual([true, 1]);
    sessions.endAll();
    expect(turns.isSetBack('ten_a')).toBe(false);
  });

  it('begin no statement of a tenant that is set back while as many sessions exist as there are connections', () => {
    const { turns, sessions, enter } = build();
    const refused = jest.fn();
    enter('ten_a')[0]!.overdue();
    for (let count = 0; count < CONNECTIONS; count++) {
      sessions.add({} as LimitedClient, { tenantId: 'ten_a', gone: () => undefined });
    }
    turns.enter({ key: 'ten_a', tenantId: 'ten_a' }, () => undefined, refused);
    turns.enter({ key: 'all' }, () => undefined, refused);
    expect(refused).toHaveBeenCalledTimes(2);
    expect(enter('ten_b')).toHaveLength(1);
  });

  it('let a tenant that is set back take no part in a share that tenants have in common', () => {
    const { turns, enter } = build();
    enter('ten_a')[0]!.overdue();
    const keys: string[] = [];
    for (const tenantId of ['ten_a', 'ten_b']) {
      turns.enter(
        { key: 'relay', tenantId },
        ({ share }) => keys.push(share.key),
        () => undefined,
      );
    }
    expect(keys).toEqual(['ten_a', 'relay']);
  });

  it('refuse what the server is away for, also what has waited for its turn meanwhile', () => {
    const away = new Set<string>();
    const { turns, enter } = build({
      refusalOf: ({ tenantId = '' }) => (away.has(tenantId) ? new Error('away') : undefined),
    });
    const begun = enter('ten_a', 5);
    const started = jest.fn();
    const refused = jest.fn();
    turns.enter({ key: 'ten_a', tenantId: 'ten_a' }, started, refused);
    away.add('ten_a');
    begun[0]!.end();
    turns.enter({ key: 'ten_a', tenantId: 'ten_a' }, started, refused);
    expect([started.mock.calls.length, refused.mock.calls.length, turns.running]).toEqual([0, 2, 4]);
  });

  it('give up the connections of those that match, and of no others', () => {
    const { turns, sessions, enter } = build();
    for (const id of ['ten_a', 'ten_b']) connect(enter(id)[0]!);
    turns.abandon(({ tenantId }) => tenantId === 'ten_a');
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
    const { turns } = build();
    const failing = turns.run({ key: 'ten_a', tenantId: 'ten_a' }, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(turns.running).toBe(0);
  });
});
