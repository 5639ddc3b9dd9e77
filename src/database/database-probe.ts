import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';

const TIMEOUT_MS = 2_000;

/** Takes room on the server's disk, unlike an update, which finds room that is free within its table. */
const WRITE = `CREATE TEMPORARY TABLE trivet_write_probe ON COMMIT DROP AS
  SELECT number, md5(number::text) AS filler FROM generate_series(1, 4000) AS number`;

const INSUFFICIENT_PRIVILEGE = '42501';

/** Asks whether the database answers, on a connection of its own: however busy the others are, this one is free. */
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
      // A server that is silent answers no time-out of its own.
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
    });
    // A broken idle connection is replaced by the next question.
    this.pool.on('error', () => undefined);
  }

  /** Rejects when the database does not answer within two seconds. */
  async read(): Promise<void> {
    await this.ask('SELECT 1');
  }

  /** Rejects when the database can not write. */
  async write(): Promise<void> {
    try {
      await this.ask(WRITE);
    } catch (error) {
      // Who may not make temporary tables can not tell this way; the next write that fails does.
      if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /** A connection on which something failed may still be busy with it, and is not used again. */
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
