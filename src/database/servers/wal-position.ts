import pg from 'pg';

/** A place in the WAL of a database. */
export interface WalPosition {
  /** Identifies the database. A standby has the same one as its primary. */
  readonly database: string;
  /** A failover begins the next timeline. */
  readonly timeline: number;
  readonly bytes: number;
}

/** What a server says about itself. */
interface State {
  database: string;
  timeline: number;
  /** Undefined if the server is not a standby. */
  bytes: number | undefined;
}

/** A server that takes longer does not respond. */
export const POSITION_TIMEOUT_MS = 1_000;

const DATABASE = `system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** A standby gets what is on the primary's disk. Every acknowledged commit is, unless the operator has turned that off. */
const WRITTEN = {
  name: 'wal.written',
  text: `SELECT ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int AS timeline, (lsn - '0/0')::float8 AS bytes
    FROM (SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
      ELSE pg_current_wal_flush_lsn() END AS lsn) AS written`,
};

const REPLAYED = {
  name: 'wal.replayed',
  text: `SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::float8 END AS bytes`,
};

/** The timeline may be an earlier one for a while after a failover, until the standby has written a checkpoint. It is never a later one. */
const STATE = {
  name: 'wal.state',
  text: `SELECT ${DATABASE} AS database, greatest(c.timeline_id, r.min_recovery_end_timeline) AS timeline
    FROM pg_control_system(), pg_control_checkpoint() AS c, pg_control_recovery() AS r`,
};

/** Returns the state of a server, and how far it has replayed the WAL if it is a standby. */
export async function stateOf(client: pg.ClientBase): Promise<State> {
  const { rows } = await client.query<{ database: string; timeline: number }>(STATE);
  const [{ database, timeline } = { database: '', timeline: 0 }] = rows;
  return { database, timeline, bytes: await replayedBytes(client) };
}

/** Returns how far a standby has replayed the WAL; undefined if the server is not a standby. */
export async function replayedBytes(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ bytes: number | null }>(REPLAYED);
  return rows[0]?.bytes ?? undefined;
}

/** Creates a pool whose connections do not end the process when they break. */
export function quietPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ connectionTimeoutMillis: POSITION_TIMEOUT_MS, keepAlive: true, ...options });
  pool.on('error', () => undefined);
  // A connection that is taken from the pool and not in use yet has no other listener.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

/** Runs work on a connection of the pool. A connection whose work fails may still be busy with it, and is not used again. */
export async function onConnection<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}

/** Asks the primary how far it has written, on a connection of its own. */
export class PrimaryPosition {
  private readonly pool: pg.Pool;
  private readonly databases = new WeakMap<pg.ClientBase, string>();
  private last: Promise<unknown> = Promise.resolve();
  private next?: Promise<WalPosition>;

  constructor(url: string) {
    this.pool = quietPool({
      connectionString: url,
      max: 1,
      application_name: 'trivet position',
      query_timeout: POSITION_TIMEOUT_MS,
      idleTimeoutMillis: 0,
    });
  }

  /**
   * Returns a position that includes every commit that was acknowledged before the call. Calls that come while the primary is asked share
   * the next question. Rejects if the primary does not respond in time.
   */
  read(): Promise<WalPosition> {
    return (this.next ??= this.askAfterLast());
  }

  async end(): Promise<void> {
    await this.pool.end();
  }

  private async askAfterLast(): Promise<WalPosition> {
    await this.last;
    // A later call must not share this question, because the primary may have answered it before the call.
    this.next = undefined;
    const asked = onConnection(this.pool, (client) => this.ask(client));
    this.last = asked.catch(() => undefined);
    return asked;
  }

  private async ask(client: pg.ClientBase): Promise<WalPosition> {
    const database = this.databases.get(client) ?? (await stateOf(client)).database;
    this.databases.set(client, database);
    const { rows } = await client.query<{ timeline: number; bytes: number }>(WRITTEN);
    const [row] = rows;
    if (!row) throw new Error('The primary returned no position.');
    return { database, ...row };
  }
}
