import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import { onConnection, quietPool } from '../servers/wal-position.js';

const TIMEOUT_MS = 2_000;

/** Needs free space on the server's disk, unlike an update, which can use free space in its table. */
const WRITE = `CREATE TEMPORARY TABLE trivet_write_probe ON COMMIT DROP AS
  SELECT number, md5(number::text) AS filler FROM generate_series(1, 4000) AS number`;

/**
 * A session is known by the number of its process and the port of its client, so that behind a pooler, which invents the numbers, no other
 * session is ended. Returns those that exist.
 */
const END_SESSIONS = `SELECT a.pid, a.client_port AS port, pg_terminate_backend(a.pid)
  FROM unnest($1::int[], $2::int[]) AS s (pid, port)
  JOIN pg_stat_activity a ON a.pid = s.pid AND a.client_port = s.port AND a.usename = current_user`;

const INSUFFICIENT_PRIVILEGE = '42501';

/** A session of the service: the number of its process on the server, and the port of its client. */
export interface Session {
  pid: number;
  port: number;
}

/** Checks whether the database responds, on a separate connection that is free however busy the others are. */
@Injectable()
export class DatabaseProbe implements OnApplicationShutdown {
  private readonly pool: pg.Pool;

  constructor(url: string) {
    this.pool = quietPool({
      connectionString: url,
      max: 1,
      application_name: 'trivet probe',
      connectionTimeoutMillis: TIMEOUT_MS,
      statement_timeout: TIMEOUT_MS,
      // A server that does not respond does not report its own time-out.
      query_timeout: TIMEOUT_MS,
    });
  }

  /** Rejects if the database does not respond in time. */
  async read(): Promise<void> {
    await this.run((client) => client.query('SELECT 1'));
  }

  /** Rejects if the database cannot write. */
  async write(): Promise<void> {
    try {
      await this.run((client) => client.query(WRITE));
    } catch (error) {
      // Without the privilege to create temporary tables, only the next write of the service can tell.
      if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    }
  }

  /** Tells sessions of the service to end. Returns those that still exist. */
  async endSessions(sessions: readonly Session[]): Promise<Session[]> {
    const values = [sessions.map(({ pid }) => pid), sessions.map(({ port }) => port)];
    return (await this.run((client) => client.query<Session>(END_SESSIONS, values))).rows;
  }

  /** Runs reads that take two seconds at most. */
  async run<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    return onConnection(this.pool, work);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
