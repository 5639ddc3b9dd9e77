import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient } from 'pg';
import pg from 'pg';
import { DataSource, EntityManager } from 'typeorm';
import { PreparedNames } from './prepared-names.js';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** A statement that is prepared once for each connection. By convention `$1` is the tenant's id. */
export interface Statement {
  name: string;
  text: string;
}

export type Value = string | number | boolean | null | Date | readonly (string | number | null)[];

/** Runs statements for one tenant at a time: the tenant's id is bound as `$1`, so forgetting it does not compile. */
export interface Executor {
  query<Row>(tenantId: string, statement: Statement | string, values?: readonly Value[]): Promise<Row[]>;
}

/**
 * How rows of plain statements read: timestamps as ISO 8601 text, JSON as the text it is (mostly it is only passed through),
 * 64-bit counts as numbers.
 */
const ROW_PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.TIMESTAMPTZ, isoTimestamp],
  [pg.types.builtins.JSON, (text) => text],
  [pg.types.builtins.INT8, Number],
]);

const rowTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    ROW_PARSERS.get(oid) ?? (pg.types.getTypeParser(oid, format ?? 'text') as (text: string) => unknown),
};

/** The door to PostgreSQL for hand-written statements; entities go through their repositories. */
@Injectable()
export class Database implements Executor {
  private readonly pool: Pool;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    this.pool = (dataSource.driver as PostgresDriver).master as Pool;
  }

  async query<Row>(tenantId: string, statement: Statement | string, values: readonly Value[] = []): Promise<Row[]> {
    return run<Row>(this.pool, statement, [tenantId, ...values]);
  }

  /** A plain read over all tenants, for finding who has something to do. It must lock nothing. */
  async acrossTenants<Row>(statement: Statement | string, values: readonly Value[] = []): Promise<Row[]> {
    return run<Row>(this.pool, statement, values);
  }

  /** Commits when `work` resolves and rolls back when it throws. Holds one connection: await nothing else inside. */
  async transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.dataSource.transaction(async (manager) => {
      const client = (await manager.queryRunner?.connect()) as PoolClient;
      return work(new Transaction(manager, client));
    });
  }
}

/** One transaction: plain statements through `query`, entities through `manager`. */
export class Transaction implements Executor {
  constructor(
    readonly manager: EntityManager,
    private readonly client: PoolClient,
  ) {}

  async query<Row>(tenantId: string, statement: Statement | string, values: readonly Value[] = []): Promise<Row[]> {
    return run<Row>(this.client, statement, [tenantId, ...values]);
  }

  /** Lets the transaction's statements take as long as they need: a change of a million entries is more than a request's query. */
  async takeYourTime(): Promise<void> {
    await this.client.query('SET LOCAL statement_timeout = 0');
  }
}

/** A name stands for one text in the whole process, whatever connection prepares it. */
const writtenNames = new PreparedNames();

async function run<Row>(
  connection: Pool | PoolClient,
  statement: Statement | string,
  values: readonly Value[],
): Promise<Row[]> {
  const query = typeof statement === 'string' ? { name: writtenNames.nameOf(statement), text: statement } : statement;
  const result = await connection.query({ ...query, values: values as unknown[], types: rowTypes });
  return result.rows as Row[];
}

/** `2026-01-31 09:30:00.12+00`, as PostgreSQL writes it in UTC, to `2026-01-31T09:30:00.120Z`. */
function isoTimestamp(text: string): string {
  const fraction = text.length > 22 ? text.slice(20, -3) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}
