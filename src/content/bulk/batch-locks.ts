import { runAtOnce } from '../../admission/sliced-work.js';
import type { Transaction } from '../../database/transaction.js';
import { LOCK_REFERRED } from '../entries/writes/entry-parts.sql.js';
import { locksOf } from '../entries/writes/reference-look-ups.js';
import { HOLD_REFERRING_TYPES } from '../references/referential-actions.sql.js';
import { LOCK_MS } from '../references/referential-actions.js';
import type { CompiledType } from '../schemas.js';
import { LOCK_BATCH_ENTRIES, LOCK_REFERRED_ENTRIES, LOCK_TYPES } from './batch.sql.js';
import { referrersInBatch } from './batch-lookups.js';
import type { BatchPlan, PlannedWrite } from './batch-plan.js';
import type { ReferredDeletion } from './batch-referrers.js';
import { grouped } from './grouped.js';

/** Locks what a plan relies on. */
export class BatchLocks {
  constructor(
    private readonly tenantId: string,
    private readonly types: readonly CompiledType[],
    private readonly plan: Pick<BatchPlan, 'writes' | 'referred' | 'guardedDeletions'>,
  ) {}

  /**
   * Locks types, then entries to delete and entries that references lead to, then the others, each in the order of their IDs, so that batches
   * rarely wait for each other in a circle. Returns whether everything is as it was when the plan was made. Also without that, locks all of it.
   */
  async take(transaction: Transaction): Promise<boolean> {
    const isGuarded = this.plan.guardedDeletions.length > 0;
    if (isGuarded) await transaction.limitLockWaits(LOCK_MS);
    const stored = this.plan.writes.filter((write) => write.stored !== undefined);
    const deleted = new Set(this.plan.guardedDeletions.map(({ id }) => id));
    const isAsPlanned = [
      await this.lockTypes(transaction),
      await this.holdReferringTypes(transaction),
      await this.lockEntries(
        transaction,
        stored.filter(({ row }) => deleted.has(row.id)),
        LOCK_REFERRED_ENTRIES,
      ),
      await this.lockReferred(transaction),
      await this.lockEntries(
        transaction,
        stored.filter(({ row }) => !deleted.has(row.id)),
        LOCK_BATCH_ENTRIES,
      ),
      // Sees every reference whose write held one of the deleted entries. No more can be added.
      await this.haveSameReferrers(transaction),
    ];
    return isAsPlanned.every(Boolean);
  }

  private async lockTypes(transaction: Transaction): Promise<boolean> {
    const rows = await transaction.query(this.tenantId, LOCK_TYPES, { typeIds: this.types.map(({ id }) => id) });
    const versions = new Map(rows.map(({ id, version }) => [id, version]));
    return this.types.every(({ id, version }) => versions.get(id) === version);
  }

  private async holdReferringTypes(transaction: Transaction): Promise<boolean> {
    const versions = new Map(this.types.map(({ id, version }) => [id, version]));
    for (const typeId of deletionsByType(this.plan.guardedDeletions).keys()) {
      const held = await transaction.query(this.tenantId, HOLD_REFERRING_TYPES, { typeId });
      if (held.some(({ id, version }) => versions.get(id) !== version)) return false;
    }
    return true;
  }

  private async lockEntries(
    transaction: Transaction,
    writes: readonly PlannedWrite[],
    statement: typeof LOCK_BATCH_ENTRIES,
  ): Promise<boolean> {
    let isAsPlanned = true;
    for (const [typeId, ofType] of writesByType(writes)) {
      const entryIds = ofType.map(({ row }) => row.id);
      const rows = await transaction.query(this.tenantId, statement, { typeId, entryIds });
      const locked = new Map(rows.map((row) => [row.id, row]));
      for (const { row, stored: before } of ofType) {
        const now = locked.get(row.id);
        isAsPlanned &&= now !== undefined && now.version === before?.version;
        isAsPlanned &&= now?.isDrafted === before?.isDrafted && now?.schedules === before?.schedules;
      }
    }
    return isAsPlanned;
  }

  /** Locks the entries to which the operations add references in fields with `on_delete`, so that they are not deleted before the commit. */
  private async lockReferred(transaction: Transaction): Promise<boolean> {
    const locks = runAtOnce(locksOf([...this.plan.referred.values()]));
    if (!locks) return true;
    const [row] = await transaction.query(this.tenantId, LOCK_REFERRED, locks);
    return row?.locked === locks.lockCount;
  }

  private async haveSameReferrers(transaction: Transaction): Promise<boolean> {
    for (const [typeId, deletions] of deletionsByType(this.plan.guardedDeletions)) {
      const ids = deletions.map(({ id }) => id);
      const found = await referrersInBatch(transaction, this.tenantId, typeId, ids);
      for (const { publicId, referrers } of deletions) {
        const now = found.get(publicId) ?? [];
        if (now.length !== referrers.size || !now.every(({ id }) => referrers.has(id))) return false;
      }
    }
    return true;
  }
}

/** In the order of the types' IDs. */
export function writesByType(writes: readonly PlannedWrite[]): Map<string, PlannedWrite[]> {
  return new Map([...grouped(writes, ({ type }) => type.id)].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function deletionsByType(deletions: readonly ReferredDeletion[]): Map<string, ReferredDeletion[]> {
  return grouped(deletions, ({ typeId }) => typeId);
}
