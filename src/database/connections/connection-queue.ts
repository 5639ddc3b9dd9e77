import { FairQueue } from '../../admission/fair-queue.js';
import { publicKey } from '../../admission/public-key.js';
import { Problem } from '../../errors/problem.js';
import type { AbandonedSessions } from './abandoned-sessions.js';
import { STATEMENT_TIMEOUT_S } from '../data-source.js';
import type { ConnectionUse, LimitedClient } from './limited-client.js';

/** Statements of one tenant that may wait for a connection. Later ones would probably wait until they time out. */
const MAX_WAITING = 500;
const WAIT_MS = 5_000;

/** Whose statements use a connection. Those of no single tenant may have `tenantIds`; without, they concern all tenants. */
export interface ConnectionUser {
  key: string;
  tenantId?: string;
  tenantIds?: readonly string[];
}

interface ConnectionQueueOptions {
  connections: number;
  /** Tracks the sessions that are given up, if the server can be asked for them. */
  sessions?: AbandonedSessions;
  /** Why no statement of the share should begin now. */
  refusalOf?: (share: ConnectionUser) => Error | undefined;
  /** Called when a statement is overdue. */
  onOverdue?: () => void;
  /** Called when a tenant is restricted, and when it is no longer. */
  onRestriction?: (tenantId: string, isRestricted: boolean) => void;
}

/** The permission to use a connection, for a statement or a transaction. */
export class ConnectionPermit implements ConnectionUse {
  statementTimeoutS = STATEMENT_TIMEOUT_S;
  isOverdue = false;
  /** Whether it does not count in its share, because others must not wait for its statement. */
  isAside = false;
  private client?: LimitedClient;

  constructor(
    private readonly connectionQueue: ConnectionQueue,
    readonly share: ConnectionUser,
  ) {}

  /** From now on, the statements on the connection must be answered in their time. */
  use(client: LimitedClient): void {
    this.client = client;
    client.use = this;
  }

  end(): void {
    // The pool may have passed it on already.
    if (this.client?.use === this) this.client.use = undefined;
    this.connectionQueue.end(this);
  }

  abandon(): void {
    this.client?.abandon();
  }

  overdue(): void {
    this.connectionQueue.noteOverdue(this);
  }

  answered(): void {
    if (this.isOverdue) this.connectionQueue.noteAnswered(this);
  }

  abandoned(client: LimitedClient): void {
    this.connectionQueue.noteAbandoned(this, client);
  }
}

/**
 * The turns of the tenants on some connections. A statement is refused with 503 if too many wait, or if it waits for too long.
 *
 * Statements that are not answered must not take the connections of others. One that is overdue gives its place to another statement, which
 * gets a further connection: at most as many as there are connections. Its tenant is restricted: until all of its statements are answered, or the
 * sessions that were given up for it have ended, all tenants that are restricted have only a fifth of the connections together.
 */
export class ConnectionQueue {
  private readonly queue: FairQueue;
  private readonly permits = new Set<ConnectionPermit>();
  private readonly restrictedTenants = new Set<string>();
  private aside = 0;

  constructor(private readonly options: ConnectionQueueOptions) {
    this.queue = new FairQueue({
      concurrency: options.connections,
      maxWaiting: MAX_WAITING,
      waitMs: WAIT_MS,
      refusal: () => Problem.unavailable('This tenant has too many requests in progress.'),
    });
  }

  /** Turns that have begun, also those whose statement is overdue. */
  get running(): number {
    return this.permits.size;
  }

  get waiting(): number {
    return this.queue.waiting;
  }

  /** Tenants of which statements are not answered. */
  get restricted(): ReadonlySet<string> {
    return this.restrictedTenants;
  }

  waitingOf(key: string): number {
    return this.queue.waitingOf(key);
  }

  isRestricted(tenantId: string): boolean {
    return this.restrictedTenants.has(tenantId);
  }

  /** Calls `start` when it is the share's turn, at once if possible, and `refused` if it cannot start in time. */
  enter(share: ConnectionUser, start: (permit: ConnectionPermit) => void, refused: (error: Error) => void): void {
    const refusal = this.refusalOf(share);
    if (refusal) {
      refused(refusal);
      return;
    }
    const permit = new ConnectionPermit(this, { ...share, key: this.keyOf(share) });
    const begin = () => {
      this.permits.add(permit);
      // It may have waited for long.
      const lateRefusal = this.refusalOf(share);
      if (!lateRefusal) start(permit);
      else {
        permit.end();
        refused(lateRefusal);
      }
    };
    this.queue.enter(permit.share.key, begin, refused);
  }

  async run<Result>(share: ConnectionUser, task: (permit: ConnectionPermit) => Promise<Result>): Promise<Result> {
    const permit = await new Promise<ConnectionPermit>((resolve, reject) => this.enter(share, resolve, reject));
    try {
      return await task(permit);
    } finally {
      permit.end();
    }
  }

  /** Gives up the connections of the turns that match. Their statements fail. */
  abandon(matches: (share: ConnectionUser) => boolean): void {
    for (const permit of this.permits) if (matches(permit.share)) permit.abandon();
  }

  end(permit: ConnectionPermit): void {
    if (!this.permits.delete(permit)) return;
    if (permit.isOverdue) this.noteAnswered(permit);
    this.queue.leave(permit.share.key);
  }

  noteOverdue(permit: ConnectionPermit): void {
    permit.isOverdue = true;
    this.options.onOverdue?.();
    if (permit.share.tenantId !== undefined) this.restrictTenant(permit.share.tenantId);
    if (this.aside + this.abandoned >= this.options.connections) return;
    permit.isAside = true;
    this.aside++;
    this.queue.leave(permit.share.key);
  }

  noteAnswered(permit: ConnectionPermit): void {
    permit.isOverdue = false;
    if (permit.isAside) {
      permit.isAside = false;
      this.aside--;
      this.queue.returnTo(permit.share.key);
    }
    this.forgive(permit.share.tenantId);
  }

  noteAbandoned({ share: { tenantId } }: ConnectionPermit, client: LimitedClient): void {
    this.options.sessions?.add(client, { tenantId, gone: () => this.forgive(tenantId) });
  }

  private get abandoned(): number {
    return this.options.sessions?.size ?? 0;
  }

  private refusalOf(share: ConnectionUser): Error | undefined {
    const refusal = this.options.refusalOf?.(share);
    if (refusal) return refusal;
    const { tenantId, tenantIds } = share;
    const isUncertain = tenantId === undefined ? tenantIds === undefined : this.isRestricted(tenantId);
    // Every further statement might leave another session behind that does not end.
    if (!isUncertain || this.abandoned < this.options.connections) return undefined;
    return Problem.unavailable('The database does not answer.', 5);
  }

  /** A tenant that is restricted does not take part in the shares that tenants have in common, such as that of the relay. */
  private keyOf({ key, tenantId }: ConnectionUser): string {
    if (tenantId === undefined || !this.isRestricted(tenantId)) return key;
    return key === publicKey(tenantId) ? key : tenantId;
  }

  private restrictTenant(tenantId: string): void {
    if (this.isRestricted(tenantId)) return;
    this.restrictedTenants.add(tenantId);
    for (const key of [tenantId, publicKey(tenantId)]) this.queue.restrict(key);
    this.options.onRestriction?.(tenantId, true);
  }

  private forgive(tenantId: string | undefined): void {
    if (tenantId === undefined || !this.isRestricted(tenantId) || this.options.sessions?.has(tenantId)) return;
    for (const { share, isOverdue } of this.permits) if (isOverdue && share.tenantId === tenantId) return;
    this.restrictedTenants.delete(tenantId);
    for (const key of [tenantId, publicKey(tenantId)]) this.queue.restore(key);
    this.options.onRestriction?.(tenantId, false);
  }
}
