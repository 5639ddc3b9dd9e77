import { FairQueue } from '../admission/fair-queue.js';
import { publicKey } from '../admission/public-key.js';
import { Problem } from '../errors/problem.js';
import type { AbandonedSessions } from './abandoned-sessions.js';
import { STATEMENT_TIMEOUT_S } from './data-source.js';
import type { ConnectionUse, LimitedClient } from './limited-client.js';

/** Statements of one tenant that may wait for a connection. Later ones would probably wait until they time out. */
const MAX_WAITING = 500;
const WAIT_MS = 5_000;

/** Whose statements use a connection. Those of no single tenant may have `tenantIds`; without, they concern all tenants. */
export interface Share {
  key: string;
  tenantId?: string;
  tenantIds?: readonly string[];
}

export interface TurnsOptions {
  connections: number;
  /** Tracks the sessions that are given up, if the server can be asked for them. */
  sessions?: AbandonedSessions;
  /** Why no statement of the share should begin now. */
  refusalOf?: (share: Share) => Error | undefined;
  /** Called when a statement is overdue. */
  onOverdue?: () => void;
  /** Called when a tenant is set back, and when it is no longer. */
  onSetBack?: (tenantId: string, isSetBack: boolean) => void;
}

/** The permission to use a connection, for a statement or a transaction. */
export class Turn implements ConnectionUse {
  statementTimeoutS = STATEMENT_TIMEOUT_S;
  isOverdue = false;
  /** Whether it does not count in its share, because others must not wait for its statement. */
  isAside = false;
  private client?: LimitedClient;

  constructor(
    private readonly turns: Turns,
    readonly share: Share,
  ) {}

  /** From now on, the statements on the connection must be answered in their time. */
  use(client: LimitedClient): void {
    this.client = client;
    client.use = this;
  }

  end(): void {
    // The pool may have passed it on already.
    if (this.client?.use === this) this.client.use = undefined;
    this.turns.end(this);
  }

  abandon(): void {
    this.client?.abandon();
  }

  overdue(): void {
    this.turns.noteOverdue(this);
  }

  answered(): void {
    if (this.isOverdue) this.turns.noteAnswered(this);
  }

  abandoned(client: LimitedClient): void {
    this.turns.noteAbandoned(this, client);
  }
}

/**
 * The turns of the tenants on some connections. A statement is refused with 503 if too many wait, or if it waits for too long.
 *
 * Statements that are not answered must not take the connections of others. One that is overdue gives its place to another statement, which
 * gets a further connection: at most as many as there are connections. Its tenant is set back: until all of its statements are answered, or the
 * sessions that were given up for it have ended, all tenants that are set back have only a fifth of the connections together.
 */
export class Turns {
  private readonly queue: FairQueue;
  private readonly turns = new Set<Turn>();
  private readonly setBackTenants = new Set<string>();
  private aside = 0;

  constructor(private readonly options: TurnsOptions) {
    this.queue = new FairQueue({
      concurrency: options.connections,
      maxWaiting: MAX_WAITING,
      waitMs: WAIT_MS,
      refusal: () => Problem.unavailable('This tenant has too many requests in progress.'),
    });
  }

  /** Turns that have begun, also those whose statement is overdue. */
  get running(): number {
    return this.turns.size;
  }

  get waiting(): number {
    return this.queue.waiting;
  }

  /** Tenants of which statements are not answered. */
  get setBack(): ReadonlySet<string> {
    return this.setBackTenants;
  }

  waitingOf(key: string): number {
    return this.queue.waitingOf(key);
  }

  isSetBack(tenantId: string): boolean {
    return this.setBackTenants.has(tenantId);
  }

  /** Calls `start` when it is the share's turn, at once if possible, and `refused` if it cannot start in time. */
  enter(share: Share, start: (turn: Turn) => void, refused: (error: Error) => void): void {
    const refusal = this.refusalOf(share);
    if (refusal) {
      refused(refusal);
      return;
    }
    const turn = new Turn(this, { ...share, key: this.keyOf(share) });
    const begin = () => {
      this.turns.add(turn);
      // It may have waited for long.
      const lateRefusal = this.refusalOf(share);
      if (!lateRefusal) start(turn);
      else {
        turn.end();
        refused(lateRefusal);
      }
    };
    this.queue.enter(turn.share.key, begin, refused);
  }

  async run<Result>(share: Share, task: (turn: Turn) => Promise<Result>): Promise<Result> {
    const turn = await new Promise<Turn>((resolve, reject) => this.enter(share, resolve, reject));
    try {
      return await task(turn);
    } finally {
      turn.end();
    }
  }

  /** Gives up the connections of the turns that match. Their statements fail. */
  abandon(matches: (share: Share) => boolean): void {
    for (const turn of this.turns) if (matches(turn.share)) turn.abandon();
  }

  end(turn: Turn): void {
    if (!this.turns.delete(turn)) return;
    if (turn.isOverdue) this.noteAnswered(turn);
    this.queue.leave(turn.share.key);
  }

  noteOverdue(turn: Turn): void {
    turn.isOverdue = true;
    this.options.onOverdue?.();
    if (turn.share.tenantId !== undefined) this.setTenantBack(turn.share.tenantId);
    if (this.aside + this.abandoned >= this.options.connections) return;
    turn.isAside = true;
    this.aside++;
    this.queue.leave(turn.share.key);
  }

  noteAnswered(turn: Turn): void {
    turn.isOverdue = false;
    if (turn.isAside) {
      turn.isAside = false;
      this.aside--;
      this.queue.returnTo(turn.share.key);
    }
    this.forgive(turn.share.tenantId);
  }

  noteAbandoned({ share: { tenantId } }: Turn, client: LimitedClient): void {
    this.options.sessions?.add(client, { tenantId, gone: () => this.forgive(tenantId) });
  }

  private get abandoned(): number {
    return this.options.sessions?.size ?? 0;
  }

  private refusalOf(share: Share): Error | undefined {
    const refusal = this.options.refusalOf?.(share);
    if (refusal) return refusal;
    const { tenantId, tenantIds } = share;
    const isUncertain = tenantId === undefined ? tenantIds === undefined : this.isSetBack(tenantId);
    // Every further statement might leave another session behind that does not end.
    if (!isUncertain || this.abandoned < this.options.connections) return undefined;
    return Problem.unavailable('The database does not answer.', 5);
  }

  /** A tenant that is set back does not take part in the shares that tenants have in common, such as that of the relay. */
  private keyOf({ key, tenantId }: Share): string {
    if (tenantId === undefined || !this.isSetBack(tenantId)) return key;
    return key === publicKey(tenantId) ? key : tenantId;
  }

  private setTenantBack(tenantId: string): void {
    if (this.isSetBack(tenantId)) return;
    this.setBackTenants.add(tenantId);
    for (const key of [tenantId, publicKey(tenantId)]) this.queue.setBack(key);
    this.options.onSetBack?.(tenantId, true);
  }

  private forgive(tenantId: string | undefined): void {
    if (tenantId === undefined || !this.isSetBack(tenantId) || this.options.sessions?.has(tenantId)) return;
    for (const { share, isOverdue } of this.turns) if (isOverdue && share.tenantId === tenantId) return;
    this.setBackTenants.delete(tenantId);
    for (const key of [tenantId, publicKey(tenantId)]) this.queue.restore(key);
    this.options.onSetBack?.(tenantId, false);
  }
}
