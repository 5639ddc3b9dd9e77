import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';

const TIMEOUT_MS = 2_000;

/** Needs free space on the server's disk, unlike an update, which can use free space in its table. */
const WRITE = `CREATE TEMPORARY TABLE trivet_write_probe ON COMMIT DROP AS
  SELECT number, md5(number::text) AS filler FROM generate_series(1, 4000) AS number`;

const INSUFFICIENT_PRIVILEGE = '42501';

/** Checks whether the database responds, on a separate connection that is free however busy the others are. */
@Injectable()
export class DatabaseProbe implements OnApplicationShutdown {
  private readonly pool: pg.Pool;

  constructor(url: string) {
    this.pool = new pg.Pool({
      connectionString: url,
      max: 1,
      application_name: 'trivet probe',
      connectionTimeoutMillis: TIMEOUT_MS,
      statement_timeout: TIMEOUT_MS,
      // A server that does not respond does not report its own time-out.
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
    });
    // The next query replaces a broken idle connection.
    this.pool.on('error', () => undefined);
  }

  /** Rejects if the database does not respond in time. */
  async read(): Promise<void> {
    await this.ask('SELECT 1');
  }

  /** Rejects if the database cannot write. */
  async write(): Promise<void> {
    try {
      await this.ask(WRITE);
    } catch (error) {
      // Without the privilege to create temporary tables, only the next write of the service can tell.
      if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /** A connection whose query failed may still be busy with it, and is not used again. */
  private async ask(statement: string): Promise<void> {
    const client = await this.pool.connect();
    let failure: Error | undefined;
    try {
      await client.query(statement);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }
}
