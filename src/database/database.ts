import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { DataSource, type EntityTarget, type QueryRunner } from 'typeorm';
import { StartError } from '../config/start-error.js';
import { isFailureToWrite, isPartAway, isShardMoving, problemOfDatabase } from '../errors/database-problem.js';
import { Problem } from '../errors/problem.js';
import { AbandonedSessions } from './connections/abandoned-sessions.js';
import type { Composed } from './statements/bindings.js';
import { DatabaseProbe } from './connections/database-probe.js';
import { DatabaseServers } from './servers/database-servers.js';
import type { LimitedClient } from './connections/limited-client.js';
import { currentUnitOfWork, UnitOfWork, type OpenTransaction } from './unit-of-work.js';
import { PartAway } from './part-away.js';
import { composedQuery, preparedQuery } from './statements/prepared-query.js';
import { type Reader, ReplicaReads } from './servers/replica-reads.js';
import { Replicas } from './servers/replicas.js';
import type { ServiceStatement, Statement } from './statements/statement.js';
import { type OfTenant, TenantRepository } from './tenant-repository.js';
import { type Executor, type Inserted, Transaction } from './transaction.js';
import { type ConnectionUser, type ConnectionPermit, ConnectionQueue } from './connections/connection-queue.js';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** More statements than the connections of a share start while a further request arrives. */
const BUSY_WAITING = 32;
type LimitedPoolClient = PoolClient & LimitedClient;
/** Called after the commit of rows of the tenant. */
type Listener = (tenantId: string) => void;

type SetBackListener = (tenantId: string, isRestricted: boolean) => void;

/** What work by tenant must know, so that it does not wait for tenants of which statements are not answered. */
export type RestrictedTenants = Pick<Database, 'isRestricted' | 'onRestriction'>;

/** The share of statements on the rows of all tenants. */
const ALL_TENANTS = '';
/** The share of statements on rows that belong to no tenant. */
const SERVICE = 'service';

/**
 * Access to PostgreSQL. Each tenant has a share of the connections (see `FairQueue`), so its statements wait for each other and not for
 * those of other tenants. Rejects with 503 if too many statements of a tenant wait, or one waits for too long.
 */
@Injectable()
export class Database implements Executor, Reader, OnModuleInit, OnApplicationShutdown {
  /**
   * For reads that nothing is written by: a replica may answer them. They see what every process has committed, like other reads. Without
   * replicas, this is the database itself.
   */
  readonly reads: Reader;
  private readonly pool: Pool;
  /** The sessions that were given up because a statement was not answered. */
  readonly abandoned: AbandonedSessions;
  private readonly connectionQueue: ConnectionQueue;
  /** Set when a write fails because the disk is full or the server is read-only. `Health` resets it when writes succeed again. */
  writesFail = false;
  private readonly listeners = new Map<string, Listener[]>();
  private readonly setBackListeners: SetBackListener[] = [];
  /** Whether the tables of tenants may be distributed over several servers. */
  isDistributed = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly replicas: Replicas,
    private readonly servers: DatabaseServers,
    probe: DatabaseProbe,
  ) {
    this.pool = (dataSource.driver as PostgresDriver).master as Pool;
    this.abandoned = new AbandonedSessions(probe);
    this.connectionQueue = new ConnectionQueue({
      connections: dataSource.options.poolSize ?? 1,
      sessions: this.abandoned,
      refusalOf: (share) => (this.isAway(share) ? new PartAway() : undefined),
      onOverdue: () => void this.servers.check(),
      onRestriction: (tenantId, isRestricted) => {
        for (const listener of this.setBackListeners) listener(tenantId, isRestricted);
      },
    });
    this.servers.onChange(() => this.connectionQueue.abandon((share) => this.isAway(share)));
    this.reads = replicas.all.length > 0 ? new ReplicaReads(this, replicas) : this;
  }

  async onModuleInit(): Promise<void> {
    this.isDistributed = await this.servers.start();
    if (this.isDistributed && this.replicas.all.length > 0) {
      throw new StartError(
        'DATABASE_REPLICA_URL: the database has Citus, and a standby of the coordinator does not say how far those of the workers are. Remove the variable.',
      );
    }
  }

  onApplicationShutdown(): void {
    this.servers.stop();
    this.abandoned.stop();
  }

  /** Tenants of which statements are not answered, or whose server does not answer. */
  get tenantsSetBack(): number {
    return new Set([...this.connectionQueue.restricted, ...this.servers.tenantsAway]).size;
  }

  /** Whether statements of the tenant are not answered, so that nothing should wait for one. */
  isRestricted(tenantId: string): boolean {
    return this.connectionQueue.isRestricted(tenantId) || this.servers.isAway(tenantId);
  }

  /** Calls `listener` when statements of a tenant are no longer answered in time, and when they are again. */
  onRestriction(listener: SetBackListener): void {
    this.setBackListeners.push(listener);
  }

  /** Connections in use, and statements that wait for one. */
  get load(): { running: number; waiting: number } {
    return { running: this.connectionQueue.running, waiting: this.connectionQueue.waiting };
  }

  /** Whether further requests should not start yet, because many statements wait. `share` is the tenant's ID, or its `publicKey`. */
  isBusy(share: string): boolean {
    return this.connectionQueue.waitingOf(share) + this.replicas.waitingOf(share) >= BUSY_WAITING;
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
    const joined = currentUnitOfWork(tenantId)?.join(statement.writes ? 'write' : 'read', (transaction) =>
      transaction.query(tenantId, statement, parameters),
    );
    if (joined) return joined;
    if (this.isDistributed && statement.steps) {
      return this.transaction(tenantId, (transaction) => transaction.query(tenantId, statement, parameters), share);
    }
    const query = preparedQuery(statement, statement.bind(tenantId, parameters));
    const rows = await this.execute<Row>({ key: share, tenantId }, query);
    this.announce(tenantId, statement.inserts);
    return rows;
  }

  /** Runs a statement whose text depends on the request. It is prepared after its text was used a few times. */
  async queryComposed<Row>(tenantId: string, { text, values }: Composed, share = tenantId): Promise<Row[]> {
    const joined = currentUnitOfWork(tenantId)?.join('read', (transaction) =>
      transaction.queryComposed<Row>(tenantId, { text, values }),
    );
    if (joined) return joined;
    return this.execute({ key: share, tenantId }, composedQuery(tenantId, { text, values }, share));
  }

  /**
   * Runs a plain read over all tenants, to find those that have work, or a write of what every server has a copy of. Rejects at once if one of
   * several servers is away (`isPartAway`); if it concerns only `tenantIds`, if the server of one of these is.
   */
  async acrossTenants<Parameters, Row>(
    statement: ServiceStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
    tenantIds?: readonly string[],
  ): Promise<Row[]> {
    return this.execute({ key: ALL_TENANTS, tenantIds }, preparedQuery(statement, statement.bind(parameters)));
  }

  /** Runs a statement on a table without tenants that other servers are not needed for. */
  async withoutTenants<Parameters, Row>(
    statement: ServiceStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]> {
    return this.execute({ key: SERVICE, tenantIds: [] }, preparedQuery(statement, statement.bind(parameters)));
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
    const joined = currentUnitOfWork(tenantId)?.join('write', work);
    if (joined) return joined;
    const inserted: Inserted = new Map();
    const result = await this.onConnection({ key: share, tenantId }, ({ manager }, client) =>
      manager.transaction((within) => work(new Transaction(within, client, inserted, this.isDistributed))),
    );
    this.announceAll(inserted);
    return result;
  }

  /**
   * Lets all writes that `work` makes for the tenant, on whatever path, commit together (see `UnitOfWork`). `end` runs the last statements and
   * commits. The whole is rolled back if `work` throws, or returns without `end`. `enter` runs the first statements of the transaction.
   */
  async inUnitOfWork<Result>(
    { tenantId, share, enter }: { tenantId: string; share: string; enter: (first: Transaction) => Promise<void> },
    work: (end: (last: (transaction: Transaction) => Promise<void>) => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    const unit = new UnitOfWork(tenantId, () => this.begin({ key: share, tenantId }), enter);
    try {
      return await unit.run(() => work(async (last) => this.announceAll(await unit.end(last))));
    } catch (error) {
      throw this.noted(error, { key: share, tenantId });
    } finally {
      await unit.abandon();
    }
  }

  /** Lets all writes of `work` commit together, or with those of the unit of work that the calling code is part of already. */
  async together<Result>(
    { tenantId, share }: { tenantId: string; share: string },
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (currentUnitOfWork(tenantId)) return work();
    const enter = () => Promise.resolve();
    return this.inUnitOfWork({ tenantId, share, enter }, async (end) => {
      const result = await work();
      await end(enter);
      return result;
    });
  }

  /**
   * Runs one of the attempts of a write that is tried again while it returns undefined. An attempt that returned undefined holds no locks:
   * what it wrote, if anything, is undone.
   */
  async attempt<Result>(tenantId: string, work: () => Promise<Result | undefined>): Promise<Result | undefined> {
    return currentUnitOfWork(tenantId)?.attempt(work) ?? work();
  }

  repository<E extends OfTenant>(entity: EntityTarget<E>): TenantRepository<E> {
    return new TenantRepository(
      entity,
      (tenantId, kind, work) =>
        currentUnitOfWork(tenantId)?.join(kind, ({ manager }) => work(manager)) ??
        this.onConnection({ key: tenantId, tenantId }, ({ manager }) => work(manager)),
    );
  }

  /** Begins a transaction that stays open, on a connection of the share. */
  private async begin(share: ConnectionUser): Promise<OpenTransaction> {
    const permit = await new Promise<ConnectionPermit>((resolve, reject) =>
      this.connectionQueue.enter(share, resolve, reject),
    );
    const runner = this.dataSource.createQueryRunner();
    const release = async () => {
      await runner.release().catch(() => undefined);
      permit.end();
    };
    try {
      const client = (await runner.connect()) as LimitedPoolClient;
      permit.use(client);
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

  private async execute<Row>(share: ConnectionUser, query: QueryConfig, isRepeated = false): Promise<Row[]> {
    try {
      return await new Promise<Row[]>((resolve, reject) => {
        this.connectionQueue.enter(share, (permit) => this.send(permit, query, resolve, reject), reject);
      });
    } catch (error) {
      // The statement has changed nothing, and finds the shard at its new place.
      if (isShardMoving(error) && !isRepeated) return this.execute(share, query, true);
      // The driver's stack ends at its socket. This stack leads to the caller.
      if (error instanceof Error && !(error instanceof Problem)) Error.captureStackTrace(error);
      throw this.noted(error, share);
    }
  }

  private send(
    permit: ConnectionPermit,
    query: QueryConfig,
    resolve: (rows: never[]) => void,
    reject: (error: unknown) => void,
  ): void {
    this.pool.connect((unconnected, client, release) => {
      if (!client) {
        permit.end();
        reject(unconnected);
        return;
      }
      permit.use(client as LimitedPoolClient);
      client.query(query, (error: Error | undefined, result: QueryResult<never>) => {
        release(error);
        // Leave before resolving, so that PostgreSQL has its next statement while this result is processed.
        permit.end();
        if (error) reject(error);
        else resolve(result.rows);
      });
    });
  }

  private async onConnection<Result>(
    share: ConnectionUser,
    work: (runner: QueryRunner, client: LimitedPoolClient) => Promise<Result>,
  ): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    try {
      return await this.connectionQueue.run(share, async (permit) => {
        try {
          const client = (await runner.connect()) as LimitedPoolClient;
          permit.use(client);
          return await work(runner, client);
        } finally {
          await runner.release();
        }
      });
    } catch (error) {
      throw this.noted(error, share);
    }
  }

  private noted(error: unknown, share: ConnectionUser): unknown {
    if (isFailureToWrite(error)) this.writesFail = true;
    if (isPartAway(error)) void this.servers.check();
    // The connection was given up because the server is away.
    return this.isAway(share) && problemOfDatabase(error) ? new PartAway() : error;
  }

  private isAway(share: ConnectionUser): boolean {
    if (this.servers.serversAway === 0) return false;
    const tenantIds = share.tenantId === undefined ? share.tenantIds : [share.tenantId];
    return tenantIds?.some((tenantId) => this.servers.isAway(tenantId)) ?? true;
  }
}
