import type { PoolClient } from 'pg';
import type { EntityManager, EntityTarget } from 'typeorm';
import type { Composed } from './statements/bindings.js';
import type { LimitedClient } from './connections/limited-client.js';
import { preparedQuery } from './statements/prepared-query.js';
import type { ServiceStatement, Statement, WriteSteps } from './statements/statement.js';
import { type OfTenant, TenantRepository } from './tenant-repository.js';

const LONG_STATEMENT_TIMEOUT_S = 3_600;

/** Runs statements for one tenant at a time. The tenant's ID is a required argument, so forgetting it does not compile. */
export interface Executor {
  query<Parameters, Row>(
    tenantId: string,
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]>;
}

/** The tables into which a transaction inserted rows, by tenant. */
export type Inserted = Map<string, Set<string>>;

/** One transaction: plain statements through `query`, entities through `repository`. */
export class Transaction implements Executor {
  constructor(
    readonly manager: EntityManager,
    private readonly client: PoolClient & LimitedClient,
    private readonly inserted: Inserted,
    /** Whether writes of several parts are carried out in steps. */
    private readonly isDistributed: boolean,
  ) {}

  async query<Parameters, Row>(
    tenantId: string,
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]> {
    const { rows } =
      this.isDistributed && statement.steps
        ? { rows: await this.inSteps(tenantId, statement.steps, parameters as object) }
        : await this.client.query(preparedQuery(statement, statement.bind(tenantId, parameters)));
    if (statement.inserts.length > 0) {
      this.inserted.set(tenantId, new Set([...(this.inserted.get(tenantId) ?? []), ...statement.inserts]));
    }
    return rows as Row[];
  }

  /** Like `Database.withoutTenants`. */
  async withoutTenants<Parameters, Row>(
    statement: ServiceStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]> {
    const { rows } = await this.client.query(preparedQuery(statement, statement.bind(parameters)));
    return rows as Row[];
  }

  private async inSteps(tenantId: string, { steps, result }: WriteSteps, parameters: object): Promise<object[]> {
    const found = new Map<string, Record<string, unknown>[]>();
    for (const { part, query } of steps) {
      const bound = query(tenantId, parameters, found);
      const { rows } = bound
        ? await this.client.query<Record<string, unknown>>(preparedQuery(bound, bound.values))
        : { rows: [] };
      found.set(part, rows);
    }
    return found.get(result) ?? [];
  }

  /** Like `Database.queryComposed`. The statement is not prepared. */
  async queryComposed<Row>(tenantId: string, { text, values }: Composed): Promise<Row[]> {
    const { rows } = await this.client.query(preparedQuery({ name: undefined, text }, [tenantId, ...values]));
    return rows as Row[];
  }

  repository<E extends OfTenant>(entity: EntityTarget<E>): TenantRepository<E> {
    return new TenantRepository(entity, (_tenantId, _kind, work) => work(this.manager));
  }

  /** From now on, a statement that waits longer for a lock fails (`isLockTimeout`). 0 removes the limit. */
  async limitLockWaits(milliseconds: number): Promise<void> {
    await this.client.query(`SET LOCAL lock_timeout = ${Math.ceil(milliseconds)}`);
  }

  /** Lets each statement of the transaction take an hour: a change of a million entries takes longer than the query of a request. */
  async extendStatementTimeout(): Promise<void> {
    await this.client.query(`SET LOCAL statement_timeout = '${LONG_STATEMENT_TIMEOUT_S}s'`);
    if (this.client.use) this.client.use.statementTimeoutS = LONG_STATEMENT_TIMEOUT_S;
  }
}
