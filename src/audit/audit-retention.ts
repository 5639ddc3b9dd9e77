import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { serviceStatement, statement } from '../database/statements/statement.js';
import { firstUuidOf } from '../ids/type-id.js';
import { Pruning } from '../queues/pruning.js';

const BATCH = 1_000;

/** Returns the tenants that have records with IDs below `before`. */
const TENANTS_WITH_OLD = serviceStatement<{ before: string }, { tenantId: string }>()(
  'audit.tenants_with_old',
  `SELECT t.id AS "tenantId" FROM tenants t
    WHERE EXISTS (SELECT 1 FROM audit_records a WHERE a.tenant_id = t.id AND a.id < :before::uuid)`,
);

/** Deletes the oldest records with IDs below `before`. */
const PRUNE = statement<{ before: string }, { id: string }>()(
  'audit.prune',
  `DELETE FROM audit_records WHERE tenant_id = :tenantId AND id = ANY (ARRAY(
      SELECT id FROM audit_records WHERE tenant_id = :tenantId AND id < :before::uuid ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    ))
    RETURNING id`,
);

/** Deletes records that are older than `AUDIT_RETENTION`. */
@Injectable()
export class AuditRetention extends Pruning {
  constructor(config: Config, database: Database) {
    super(config, database);
  }

  protected tenants(): Promise<{ tenantId: string }[]> {
    return this.database.acrossTenants(TENANTS_WITH_OLD, { before: this.before() });
  }

  protected async pruneBatch(tenantId: string): Promise<boolean> {
    return (await this.database.query(tenantId, PRUNE, { before: this.before() })).length === BATCH;
  }

  private before(): string {
    return firstUuidOf(new Date(Date.now() - this.config.auditRetention));
  }
}
