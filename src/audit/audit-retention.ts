import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { serviceStatement, statement } from '../database/statement.js';
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
export class AuditRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly pruning = new Pruning({
    tenants: () => this.database.acrossTenants(TENANTS_WITH_OLD, { before: this.before() }),
    prune: async (tenantId) => (await this.database.query(tenantId, PRUNE, { before: this.before() })).length === BATCH,
  });

  constructor(
    private readonly config: Config,
    private readonly database: Database,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role !== 'api') this.pruning.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.pruning.stop();
  }

  /** Deletes the records that are too old. */
  async prune(): Promise<void> {
    await this.pruning.run();
  }

  private before(): string {
    return firstUuidOf(new Date(Date.now() - this.config.auditRetention));
  }
}
