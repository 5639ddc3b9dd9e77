import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { DataSource, type EntityTarget } from 'typeorm';
import type { FairQueue } from '../admission/fair-queue.js';
import { StartError } from '../config/start-error.js';
import { isFailureToWrite, isShardMoving } from '../errors/database-problem.js';
import { Problem } from '../errors/problem.js';
import type { Composed } from './bindings.js';
import { hasCitus } from './citus.js';
import { currentCommit, OneCommit, type OpenTransaction } from './one-commit.js';
import { composedQuery, preparedQuery } from './prepared-query.js';
import { type Reader, ReplicaReads } from './replica-reads.js';
import { Replicas } from './replicas.js';
import type { ServiceStatement, Statement } from './statement.js';
import { type OfTenant, TenantRepository } from './tenant-repository.js';
import { type Executor, type Inserted, Transaction } from './transaction.js';
import { turnsOn } from './turns.js';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

export { type Executor, Transaction } from './transaction.js';

/** More statements than the connections of a share start while a further request arrives. */
const BUSY_WAITING = 32;
/** Called after the commit of rows of the tenant. */
type Listener = (tenantId: string) => void;

/** The share of statements that concern no single tenant. */
const SERVICE = '';

/**
 * Access to PostgreSQL. Each tenant has a share of the connections (see `FairQueue`), so its statements wait for each other and not for
 * those of other tenants. Rejects with 503 if too many statements of a tenant wait, or one waits for too long.
 */
@Injectable()
export class Database implements Executor, Reader, OnModuleInit {
  /**
   * For reads that nothing is written by: a replica may answer them. They see what every process has committed, like other reads. Without
   * replicas, this is the database itself.
   */
  readonly reads: Reader;
  private readonly pool: Pool;
  private readonly turns: FairQueue;
  /** Set when a write fails because the disk is full or the server is read-only. `Health` resets it when writes succeed again. */
  writesFail = false;
  private readonly listeners = new Map<string, Listener[]>();
  /** Whether the tables of tenants may be distributed over several servers. */
  isDistributed = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly replicas: Replicas,
  ) {
    this.pool = (dataSource.driver as PostgresDriver).master as Pool;
    this.turns = turnsOn(dataSource.options.poolSize ?? 1);
    this.reads = replicas.all.length > 0 ? new ReplicaReads(this, replicas) : this;
  }

  async onModuleInit(): Promise<void> {
    const client = await this.pool.connect();
    try {
      this.isDistributed = await hasCitus(client);
    } finally {
      client.release();
    }
    if (this.isDistributed && this.replicas.all.length > 0) {
      throw new StartError(
        'DATABASE_REPLICA_URL: the database has Citus, and a standby of the coordinator does not say how far those of the workers are. Remove the variable.',
      );
    }
  }

  /** Connections in use, and statements that wait for one. */
  get load(): { running: number; waiting: number } {
    return { running: this.turns.running, waiting: this.turns.waiting };
  }

  /** Whether further requests should not start yet, because many statements wait. `share` is the tenant's ID, or its `publicKey`. */
  isBusy(share: string): boolean {
    return this.turns.waitingOf(share) + this.replicas.waitingOf(share) >= BUSY_WAITING;
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
    const joined = currentCommit(tenantId)?.join(statement.writes ? 'write' : 'read', (transaction) =>
      transaction.query(tenantId, statement, parameters),
    );
    if (joined) return joined;
    if (this.isDistributed && statement.steps) {
      return this.transaction(tenantId, (transaction) => transaction.query(tenantId, statement, parameters), share);
    }
    const rows = await this.execute<Row>(share, preparedQuery(statement, statement.bind(tenantId, parameters)));
    this.announce(tenantId, statement.inserts);
    return rows;
  }

  /** Runs a statement whose text depends on the request. It is prepared after its text was used a few times. */
  async queryComposed<Row>(tenantId: string, { text, values }: Composed, share = tenantId): Promise<Row[]> {
    const joined = currentCommit(tenantId)?.join('read', (transaction) =>
      transaction.queryComposed<Row>(tenantId, { text, values }),
    );
    if (joined) return joined;
    return this.execute(share, composedQuery(tenantId, { text, values }, share));
  }

  /** Runs a plain read over all tenants, to find those that have work, or a write of rows that belong to no tenant. */
  async acrossTenants<Parameters, Row>(
    statement: ServiceStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]> {
    return this.execute(SERVICE, preparedQuery(statement, statement.bind(parameters)));
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
    const joined = currentCommit(tenantId)?.join('write', work);
    if (joined) return joined;
    const inserted: Inserted = new Map();
    const result = await this.inTurn(share, () =>
      this.dataSource.transaction(async (manager) => {
        const client = (await manager.queryRunner?.connect()) as PoolClient;
        return work(new Transaction(manager, client, inserted, this.isDistributed));
      }),
    );
    this.announceAll(inserted);
    return result;
  }

  /**
   * Lets all writes that `work` makes for the tenant, on whatever path, commit together (see `OneCommit`). `end` runs the last statements and
   * commits. The whole is rolled back if `work` throws, or returns without `end`. `enter` runs the first statements of the transaction.
   */
  async inOneCommit<Result>(
    { tenantId, share, enter }: { tenantId: string; share: string; enter: (first: Transaction) => Promise<void> },
    work: (end: (last: (transaction: Transaction) => Promise<void>) => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    const commit = new OneCommit(tenantId, () => this.begin(share), enter);
    try {
      return await commit.run(() => work(async (last) => this.announceAll(await commit.end(last))));
    } catch (error) {
      throw this.noted(error);
    } finally {
      await commit.abandon();
    }
  }

  /**
   * Runs one of the attempts of a write that is tried again while it returns undefined. An attempt that returned undefined holds no locks:
   * what it wrote, if anything, is undone.
   */
  async attempt<Result>(tenantId: string, work: () => Promise<Result | undefined>): Promise<Result | undefined> {
    return currentCommit(tenantId)?.attempt(work) ?? work();
  }

  repository<E extends OfTenant>(entity: EntityTarget<E>): TenantRepository<E> {
    return new TenantRepository(
      entity,
      (tenantId, kind, work) =>
        currentCommit(tenantId)?.join(kind, ({ manager }) => work(manager)) ??
        this.inTurn(tenantId, () => work(this.dataSource.manager)),
    );
  }

  /** Begins a transaction that stays open, on a connection of the share. */
  private async begin(share: string): Promise<OpenTransaction> {
    await new Promise<void>((resolve, reject) => this.turns.enter(share, resolve, reject));
    const runner = this.dataSource.createQueryRunner();
    const release = async () => {
      await runner.release().catch(() => undefined);
      this.turns.leave(share);
    };
    try {
      const client = (await runner.connect()) as PoolClient;
      await runner.startTransaction();
      const inserted: Inserted = new Map();
      return {
        transaction: new Transaction(runner.manager, client, inserted, this.isDistributed),
        inserted,
        commit: () => runner.commitTransaction().finally(release),
        // Without a connection there is nothing to roll back.
        rollBack: () =>
          runner
            .rollbackTransaction()
            .then(undefined, () => undefined)
            .finally(release),
      };
    } catch (error) {
      await release();
      throw error;
    }
  }

  private announceAll(inserted: Inserted): void {
    for (const [id, tables] of inserted) this.announce(id, tables);
  }

  private announce(tenantId: string, tables: Iterable<string>): void {
    for (const table of tables) for (const listener of this.listeners.get(table) ?? []) listener(tenantId);
  }

  private async execute<Row>(share: string, query: QueryConfig, isRepeated = false): Promise<Row[]> {
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
      // The statement has changed nothing, and finds the shard at its new place.
      if (isShardMoving(error) && !isRepeated) return this.execute(share, query, true);
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
