import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { serviceStatement, statement } from '../database/statement.js';
import { firstUuidOf } from '../ids/type-id.js';
import { PeriodicTask } from '../queues/periodic-task.js';

const EVERY_MS = 60_000;
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

/** Deletes records that are older than `AUDIT_RETENTION`, in small batches. Tenants take turns. */
@Injectable()
export class AuditRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new PeriodicTask(EVERY_MS, () => this.prune());
  private stopping = false;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role !== 'api') this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    await this.rounds.stop();
  }

  /** Deletes the records that are too old. */
  async prune(): Promise<void> {
    const before = firstUuidOf(new Date(Date.now() - this.config.auditRetention));
    let tenants = await this.database.acrossTenants(TENANTS_WITH_OLD, { before });
    while (tenants.length > 0) {
      const left: typeof tenants = [];
      for (const { tenantId } of tenants) {
        if (this.stopping) return;
        const { length } = await this.database.query(tenantId, PRUNE, { before });
        if (length === BATCH) left.push({ tenantId });
      }
      tenants = left;
    }
  }
}
