import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { type NoParameters, serviceStatement, statement } from '../../database/statements/statement.js';
import { Pruning } from '../../queues/pruning.js';

const BATCH = 1_000;
/** A solution stays a while longer than its challenge is valid, because clocks differ. */
const EXPIRED = `expires_at < now() - interval '5 minutes'`;

const TENANTS_WITH_EXPIRED = serviceStatement<NoParameters, { tenantId: string }>()(
  'challenge_solutions.tenants_with_expired',
  `SELECT t.id AS "tenantId" FROM tenants t
    WHERE EXISTS (SELECT 1 FROM challenge_solutions c WHERE c.tenant_id = t.id AND c.${EXPIRED})`,
);

const PRUNE = statement<NoParameters, { id: string }>()(
  'challenge_solutions.prune',
  `DELETE FROM challenge_solutions WHERE tenant_id = :tenantId AND ${EXPIRED} AND (expires_at, id) IN (
      SELECT expires_at, id FROM challenge_solutions WHERE tenant_id = :tenantId AND ${EXPIRED}
      ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    )
    RETURNING id`,
);

/** Deletes used solutions of challenges that have expired. A submission does not, because PostgreSQL may plan that before the table has rows. */
@Injectable()
export class SolutionRetention extends Pruning {
  constructor(config: Config, database: Database) {
    super(config, database);
  }

  protected tenants(): Promise<{ tenantId: string }[]> {
    return this.database.acrossTenants(TENANTS_WITH_EXPIRED, {});
  }

  protected async pruneBatch(tenantId: string): Promise<boolean> {
    return (await this.database.query(tenantId, PRUNE, {})).length === BATCH;
  }
}
