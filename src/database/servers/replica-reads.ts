import type { QueryConfig } from 'pg';
import type { Composed } from '../statements/bindings.js';
import type { Database } from '../database.js';
import { currentUnitOfWork } from '../unit-of-work.js';
import { composedQuery, preparedQuery } from '../statements/prepared-query.js';
import type { Replicas } from './replicas.js';
import type { Statement } from '../statements/statement.js';
import type { ConnectionUser } from '../connections/connection-queue.js';

/** Runs plain reads of one tenant at a time. `share` is the same as for `Database.query`. */
export interface Reader {
  query<Parameters, Row>(
    tenantId: string,
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
    share?: string,
  ): Promise<Row[]>;
  queryComposed<Row>(tenantId: string, composed: Composed, share?: string): Promise<Row[]>;
}

/** Runs reads on a replica, and on the primary if no replica can answer, or if the caller is part of a commit, whose writes it must see. */
export class ReplicaReads implements Reader {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  async query<Parameters, Row>(
    tenantId: string,
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
    share = tenantId,
  ): Promise<Row[]> {
    const query = preparedQuery(statement, statement.bind(tenantId, parameters));
    const rows = await this.run<Row>({ key: share, tenantId }, query);
    return rows ?? this.database.query(tenantId, statement, parameters, share);
  }

  async queryComposed<Row>(tenantId: string, composed: Composed, share = tenantId): Promise<Row[]> {
    const rows = await this.run<Row>({ key: share, tenantId }, composedQuery(tenantId, composed, share));
    return rows ?? this.database.queryComposed(tenantId, composed, share);
  }

  private async run<Row>(share: ConnectionUser & { tenantId: string }, query: QueryConfig): Promise<Row[] | undefined> {
    return currentUnitOfWork(share.tenantId) ? undefined : this.replicas.run<Row>(share, query);
  }
}
