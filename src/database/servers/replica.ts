import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import pg, { type QueryConfig } from 'pg';
import { Problem } from '../../errors/problem.js';
import { SESSION_OPTIONS } from '../data-source.js';
import { isNotYet } from '../connections/database-refusal.js';
import { LimitedClient } from '../connections/limited-client.js';
import { type ConnectionUser, ConnectionQueue } from '../connections/connection-queue.js';
import {
  onConnection,
  POSITION_TIMEOUT_MS,
  quietPool,
  replayedBytes,
  stateOf,
  type WalPosition,
} from './wal-position.js';

/** A read waits for a replica at most this long. A replica that is further behind is left aside. */
const MAX_LAG_MS = 100;
/** The pause between two questions for the position while a read waits. */
const PAUSE_MS = 1;
/** Positions of the primary that the replica has not reached, one for each second. */
const MAX_MARKS = 3_600;

const QUERY_CANCELED = '57014';

/** Why a replica is not used. */
type Reason =
  | 'it has not answered yet'
  | 'it does not respond'
  | 'it is too far behind'
  | 'it is not a standby'
  | 'it is a standby of another database'
  | 'it does not follow the timeline of the primary';

/** A standby that answers reads. */
export class Replica {
  /** The host and the port. */
  readonly name: string;
  /** Undefined while the replica is used. */
  reason: Reason | undefined = 'it has not answered yet';
  /** Statements that it answered. */
  answered = 0;
  /** How far it was behind the primary when it was last checked. */
  lag = { ms: 0, bytes: 0 };
  private readonly pool: pg.Pool;
  private readonly checks: pg.Pool;
  private readonly connectionQueue: ConnectionQueue;
  /** What is known of the server of a connection. It ends with the connection: a server that was restarted may be at an earlier position. */
  private readonly known = new WeakMap<pg.ClientBase, WalPosition>();
  private readonly inUse = new Set<pg.PoolClient>();
  private marks: { bytes: number; at: number }[] = [];
  private isStopped = false;

  constructor(
    url: string,
    poolSize: number,
    private readonly logger: Logger,
  ) {
    const { host, port } = new pg.Client({ connectionString: url });
    this.name = `${host}:${port}`;
    const options = { connectionString: url, application_name: 'trivet replica' };
    this.pool = quietPool({ ...options, Client: LimitedClient, max: 2 * poolSize, options: SESSION_OPTIONS });
    this.checks = quietPool({ ...options, max: 1, query_timeout: POSITION_TIMEOUT_MS, idleTimeoutMillis: 0 });
    this.connectionQueue = new ConnectionQueue({ connections: poolSize });
  }

  /** Statements that run or wait. */
  get load(): number {
    return this.connectionQueue.running + this.connectionQueue.waiting;
  }

  waitingOf(share: string): number {
    return this.connectionQueue.waitingOf(share);
  }

  /**
   * Runs a read in a state that includes the position. Returns undefined if the replica cannot do so, and the primary must be asked. Throws if
   * the statement takes too long, or must wait for its turn for too long.
   */
  async run<Row>(share: ConnectionUser, query: QueryConfig, position: WalPosition): Promise<Row[] | undefined> {
    try {
      const rows = await this.connectionQueue.run(share, async (permit) =>
        // It may have been left aside while the read waited for its turn.
        this.reason
          ? undefined
          : onConnection(this.pool, (client) => {
              permit.use(client as pg.PoolClient & LimitedClient);
              return this.read(client, query, position);
            }),
      );
      if (rows) this.answered++;
      return rows as Row[] | undefined;
    } catch (error) {
      if (error instanceof Problem || (error as { code?: string }).code === QUERY_CANCELED) throw error;
      // Whatever else it is, the primary may not have it, such as a conflict with what is replayed.
      if (!(error instanceof pg.DatabaseError) || isNotYet(error)) this.leaveAside('it does not respond');
      return undefined;
    }
  }

  /** Measures how far the replica is behind the position, which was just read, and decides whether the replica is used. */
  async check(position: WalPosition): Promise<void> {
    const at = performance.now();
    if (this.marks.length < MAX_MARKS) this.marks.push({ bytes: position.bytes, at });
    let replayed = -1;
    try {
      const reason = await onConnection(this.checks, async (client) => {
        // Ask again even if nothing was written since: the server may hang or be a primary now.
        this.known.delete(client);
        const found = await this.reasonAgainst(client, position);
        replayed = this.known.get(client)?.bytes ?? -1;
        return found;
      });
      if (reason) this.leaveAside(reason);
      else this.use();
    } catch {
      this.leaveAside('it does not respond');
      // What is sent to a server that hangs would wait for long.
      for (const client of this.inUse) void client.end().catch(() => undefined);
    }
    this.marks = this.marks.filter(({ bytes }) => bytes > replayed);
    this.lag = {
      ms: performance.now() - (this.marks[0]?.at ?? at),
      bytes: replayed < 0 ? this.lag.bytes : Math.max(0, position.bytes - replayed),
    };
  }

  async end(): Promise<void> {
    this.isStopped = true;
    await Promise.all([this.pool.end(), this.checks.end()]);
  }

  private async read(client: pg.PoolClient, query: QueryConfig, position: WalPosition): Promise<object[] | undefined> {
    this.inUse.add(client);
    try {
      const reason = await this.reasonAgainst(client, position);
      if (reason) {
        this.leaveAside(reason);
        return undefined;
      }
      return (await client.query<object>(query)).rows;
    } finally {
      this.inUse.delete(client);
    }
  }

  /** Waits until the server has replayed the position. Returns why it cannot be used; undefined if it has the position. */
  private async reasonAgainst(client: pg.ClientBase, position: WalPosition): Promise<Reason | undefined> {
    const deadline = performance.now() + MAX_LAG_MS;
    let known = this.known.get(client);
    if (known?.timeline !== position.timeline) {
      const { bytes, ...state } = await stateOf(client);
      if (bytes === undefined) return 'it is not a standby';
      if (state.database !== position.database) return 'it is a standby of another database';
      this.known.set(client, (known = { ...state, bytes }));
      if (state.timeline !== position.timeline) return 'it does not follow the timeline of the primary';
    }
    while (known.bytes < position.bytes) {
      const bytes = await replayedBytes(client);
      if (bytes === undefined) return 'it is not a standby';
      this.known.set(client, (known = { ...known, bytes }));
      if (bytes >= position.bytes) break;
      if (performance.now() > deadline) return 'it is too far behind';
      await sleep(PAUSE_MS);
    }
    return undefined;
  }

  private use(): void {
    if (this.reason) this.logger.log(`The replica ${this.name} is used`);
    this.reason = undefined;
  }

  private leaveAside(reason: Reason): void {
    if (reason !== this.reason && !this.isStopped) {
      this.logger.warn(`The replica ${this.name} is left aside: ${reason}. The primary answers its reads`);
    }
    this.reason = reason;
  }
}
