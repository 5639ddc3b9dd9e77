import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import pg from 'pg';
import { DataSource, type EntityManager, type EntityTarget } from 'typeorm';
import { isPublicKey } from '../admission/public-key.js';
import { FairQueue } from '../admission/fair-queue.js';
import { isFailureToWrite } from '../errors/database-problem.js';
import { Problem } from '../errors/problem.js';
import type { Composed } from './bindings.js';
import { PreparedNames } from './prepared-names.js';
import type { ServiceStatement, Statement } from './statement.js';
import { type OfTenant, TenantRepository } from './tenant-repository.js';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** Runs statements for one tenant at a time. The tenant's ID is a required argument, so forgetting it does not compile. */
export interface Executor {
  query<Parameters, Row>(
    tenantId: string,
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]>;
}

/**
 * How rows of plain statements are parsed: timestamps become ISO 8601 text, JSON stays text (it is usually only passed through), and
 * 64-bit counts become numbers.
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

/** Statements of one tenant that may wait for a connection. Later ones would probably wait until they time out. */
const MAX_WAITING = 500;
const WAIT_MS = 5_000;
/** Called after the commit of rows of the tenant. */
type Listener = (tenantId: string) => void;

/** The share of statements that concern no single tenant. */
const SERVICE = '';

/**
 * Access to PostgreSQL. Each tenant has a share of the connections (see `FairQueue`), so its statements wait for each other and not for
 * those of other tenants. Rejects with 503 if too many statements of a tenant wait, or one waits for too long.
 */
@Injectable()
export class Database implements Executor {
  private readonly pool: Pool;
  private readonly turns: FairQueue;
  /** Set when a write fails because the disk is full or the server is read-only. `Health` resets it when writes succeed again. */
  writesFail = false;
  private readonly listeners = new Map<string, Listener[]>();

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    this.pool = (dataSource.driver as PostgresDriver).master as Pool;
    this.turns = new FairQueue({
      concurrency: dataSource.options.poolSize ?? 1,
      maxWaiting: MAX_WAITING,
      waitMs: WAIT_MS,
      refusal: () => Problem.unavailable('This tenant has too many requests in progress.'),
    });
  }

  /** Connections in use, and statements that wait for one. */
  get load(): { running: number; waiting: number } {
    return { running: this.turns.running, waiting: this.turns.waiting };
  }

  /** Whether to refuse further requests, because too many statements wait. `share` is the tenant's ID, or its `publicKey`. */
  isOverloaded(share: string): boolean {
    return this.turns.isOverloaded(share);
  }

  /**
   * Calls `listener` after the commit of every statement that inserts rows into the table, to wake the worker of these rows. The call is
   * lost if the process ends before it. The statement may have inserted no row.
   */
  onInserted(table: string, listener: Listener): void {
    this.listeners.set(table, [...(this.listeners.get(table) ?? []), listener]);
  }

  /** `share` replaces the tenant's share of the connections: its `publicKey` for requests without an API key. */
  async query<Parameters, Row>(
    tenantId: string,
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
    share = tenantId,
  ): Promise<Row[]> {
    const rows = await this.execute<Row>(share, prepared(statement, statement.bind(tenantId, parameters)));
    this.announce(tenantId, statement.inserts);
    return rows;
  }

  /** Runs a statement whose text depends on the request. It is prepared after its text was used a few times. */
  async queryComposed<Row>(tenantId: string, { text, values }: Composed, share = tenantId): Promise<Row[]> {
    const name = composedNames.nameOf(text, isPublicKey(share));
    return this.execute(share, prepared({ name, text }, [tenantId, ...values]));
  }

  /** Runs a plain read over all tenants, to find those that have work, or a write of rows that belong to no tenant. */
  async acrossTenants<Parameters, Row>(
    statement: ServiceStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]> {
    return this.execute(SERVICE, prepared(statement, statement.bind(parameters)));
  }

  /**
   * Commits when `work` resolves and rolls back when it throws. It holds a connection, so await nothing but its statements inside.
   * `share` is the same as for `query`.
   */
  async transaction<Result>(
    tenantId: string,
    work: (transaction: Transaction) => Promise<Result>,
    share = tenantId,
  ): Promise<Result> {
    const inserted: Inserted = new Map();
    const result = await this.inTurn(share, () =>
      this.dataSource.transaction(async (manager) => {
        const client = (await manager.queryRunner?.connect()) as PoolClient;
        return work(new Transaction(manager, client, inserted));
      }),
    );
    for (const [id, tables] of inserted) this.announce(id, tables);
    return result;
  }

  repository<E extends OfTenant>(entity: EntityTarget<E>): TenantRepository<E> {
    return new TenantRepository(entity, (tenantId, work) => this.inTurn(tenantId, () => work(this.dataSource.manager)));
  }

  private announce(tenantId: string, tables: Iterable<string>): void {
    for (const table of tables) for (const listener of this.listeners.get(table) ?? []) listener(tenantId);
  }

  private async execute<Row>(share: string, query: QueryConfig): Promise<Row[]> {
    try {
      return await new Promise<Row[]>((resolve, reject) => {
        const start = () =>
          this.pool.query(query, (error: Error | undefined, result: QueryResult) => {
            // Leave before resolving, so that PostgreSQL has its next statement while this result is processed.
            this.turns.leave(share);
            if (error) reject(error);
            else resolve(result.rows as Row[]);
          });
        this.turns.enter(share, start, reject);
      });
    } catch (error) {
      // The driver's stack ends at its socket. This stack leads to the caller.
      if (error instanceof Error && !(error instanceof Problem)) Error.captureStackTrace(error);
      throw this.noted(error);
    }
  }

  private async inTurn<Result>(share: string, task: () => Promise<Result>): Promise<Result> {
    try {
      return await this.turns.run(share, task);
    } catch (error) {
      throw this.noted(error);
    }
  }

  private noted(error: unknown): unknown {
    if (isFailureToWrite(error)) this.writesFail = true;
    return error;
  }
}

/** The tables into which a transaction inserted rows, by tenant. */
type Inserted = Map<string, Set<string>>;

/** One transaction: plain statements through `query`, entities through `repository`. */
export class Transaction implements Executor {
  constructor(
    private readonly manager: EntityManager,
    private readonly client: PoolClient,
    private readonly inserted: Inserted,
  ) {}

  async query<Parameters, Row>(
    tenantId: string,
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]> {
    const { rows } = await this.client.query(prepared(statement, statement.bind(tenantId, parameters)));
    if (statement.inserts.length > 0) {
      this.inserted.set(tenantId, new Set([...(this.inserted.get(tenantId) ?? []), ...statement.inserts]));
    }
    return rows as Row[];
  }

  repository<E extends OfTenant>(entity: EntityTarget<E>): TenantRepository<E> {
    return new TenantRepository(entity, (_tenantId, work) => work(this.manager));
  }

  /** From now on, a statement that waits longer for a lock fails (`isLockTimeout`). 0 removes the limit. */
  async limitLockWaits(milliseconds: number): Promise<void> {
    await this.client.query(`SET LOCAL lock_timeout = ${Math.ceil(milliseconds)}`);
  }

  /** Removes the statement time-out of the transaction: a change of a million entries takes longer than the query of a request. */
  async disableStatementTimeout(): Promise<void> {
    await this.client.query('SET LOCAL statement_timeout = 0');
  }
}

/** One instance per process, so that a name has the same text on every connection. */
const composedNames = new PreparedNames();

function prepared({ name, text }: { name: string | undefined; text: string }, values: unknown[]): QueryConfig {
  return { name, text, values, types: rowTypes };
}

/** Converts `2026-01-31 09:30:00.12+00`, PostgreSQL's format in UTC, to `2026-01-31T09:30:00.120Z`. */
function isoTimestamp(text: string): string {
  const fraction = text.length > 22 ? text.slice(20, -3) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}
