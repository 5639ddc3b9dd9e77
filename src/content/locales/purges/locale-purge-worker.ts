import { Injectable } from '@nestjs/common';
import { heavyWork } from '../../../admission/heavy-work.js';
import type { SlicedWork } from '../../../admission/sliced-work.js';
import { columns } from '../../../database/statements/text-array.js';
import type { Transaction } from '../../../database/transaction.js';
import {
  HandlesScheduledJobs,
  type ScheduledJob,
  type ScheduledJobHandler,
  ScheduledJobs,
} from '../../../scheduled-jobs/scheduled-jobs.js';
import { batchesOf, each, FIRST_ENTRY_ID } from '../../schema-changes/schema-change.js';
import { DRAFTS_BETWEEN, NEXT_DRAFT_SIZES, NEXT_SIZES, WRITE_DRAFTS } from '../../schema-changes/schema-change.sql.js';
import { PURGE_LOCALE } from '../locale-jobs.js';
import { TYPES_BEHIND } from '../locales.sql.js';
import {
  ENTRIES_TO_PURGE,
  FINISH_PURGE,
  LOCK_LOCALIZED_TYPE,
  LOCK_PURGE,
  MOVE_PURGE,
  NEXT_VERSIONS,
  type RunningPurge,
  VERSIONS_TO_PURGE,
  WRITE_PURGED_ENTRIES,
  WRITE_PURGED_VERSIONS,
} from './locale-purges.sql.js';
import { dataWithoutLocale, markOf, memberMarkOf, retiredWithout, withoutLocale } from './purged-json.js';

/** Content types that are being changed are looked at again after this time. */
const LOOK_MS = 2_000;
/** A batch of versions has at most as many bytes. A larger version is a batch of its own. */
const BATCH_BYTES = 2 * 1024 * 1024;
const NONE = { entries: 0, drafts: 0, versions: 0 };

/** What a batch leads to: the place after it and what it has purged; or `wait` for changes of content types, or `done`. */
type Step = (RunningPurge & Partial<typeof NONE>) | 'wait' | 'done';

/**
 * Carries out purges. Each batch is a transaction that notes its place, so that a worker that dies loses one batch at most. Rows of the index are gone
 * already: the content types have followed the removal of the locale.
 */
@Injectable()
@HandlesScheduledJobs([PURGE_LOCALE])
export class LocalePurgeWorker implements ScheduledJobHandler {
  constructor(private readonly scheduledJobs: ScheduledJobs) {}

  async carryOut(tenantId: string, item: ScheduledJob): Promise<void> {
    await this.scheduledJobs.inParts(tenantId, item, async (transaction) => {
      const [purge] = await transaction.query(tenantId, LOCK_PURGE, { id: item.id });
      const step = purge ? await this.step(transaction, tenantId, purge) : 'done';
      if (step === 'done') {
        await transaction.query(tenantId, FINISH_PURGE, { id: item.id });
        await this.scheduledJobs.settle(transaction, tenantId, item);
        return true;
      }
      if (step === 'wait') {
        const next = new Date(Date.now() + LOOK_MS).toISOString();
        await this.scheduledJobs.settle(transaction, tenantId, item, next);
        return true;
      }
      await transaction.query(tenantId, MOVE_PURGE, { ...NONE, ...step });
      return false;
    });
  }

  private async step(transaction: Transaction, tenantId: string, purge: RunningPurge): Promise<Step> {
    if (purge.phase === 'versions') return this.versions(transaction, tenantId, purge);
    if ((await transaction.query(tenantId, TYPES_BEHIND, {})).length > 0) return 'wait';
    const found = { typeId: purge.typeId, mark: markOf(purge.code) };
    const [type] = await transaction.query(tenantId, LOCK_LOCALIZED_TYPE, found);
    if (!type) return { ...purge, phase: 'versions', after: FIRST_ENTRY_ID, afterNumber: 0 };
    if (type.isChanging) return 'wait';
    // The type may have been deleted between two batches.
    const at: RunningPurge =
      type.id === purge.typeId ? purge : { ...purge, phase: 'entries', typeId: type.id, after: FIRST_ENTRY_ID };
    return at.phase === 'entries' ? this.entries(transaction, tenantId, at) : this.drafts(transaction, tenantId, at);
  }

  private async entries(transaction: Transaction, tenantId: string, purge: RunningPurge): Promise<Step> {
    const { typeId, after, code } = purge;
    const [batch] = batchesOf(await transaction.query(tenantId, NEXT_SIZES, { typeId, after }));
    if (!batch) return { ...purge, phase: 'drafts', after: FIRST_ENTRY_ID };
    const [first, last] = batch;
    const marks = { mark: markOf(code), state: JSON.stringify(code) };
    const found = await transaction.query(tenantId, ENTRIES_TO_PURGE, { typeId, first, last, ...marks });
    const purged = await inTurn(
      tenantId,
      each(found, function* ({ id, version, fields, retired }) {
        const after = {
          fields: yield* withoutLocale(fields, code),
          retired: retired === null ? null : yield* retiredWithout(retired, code),
        };
        return { id, version: String(version), ...after, isSame: after.fields === fields && after.retired === retired };
      }),
    );
    const changed = purged.filter(({ isSame }) => !isSame);
    if (changed.length === 0) return { ...purge, after: last };
    const names = { ids: 'id', versions: 'version', fields: 'fields', retired: 'retired' } as const;
    const rows = await inTurn(tenantId, columns(changed, names));
    const written = await transaction.query(tenantId, WRITE_PURGED_ENTRIES, { typeId, ...rows });
    // Those that were changed meanwhile are read once more.
    return { ...purge, after: written.length === changed.length ? last : after, entries: written.length };
  }

  /** Whoever saves a draft keeps only values of locales that there are, so that one that was saved meanwhile needs no second look. */
  private async drafts(transaction: Transaction, tenantId: string, purge: RunningPurge): Promise<Step> {
    const { typeId, after, code } = purge;
    const [batch] = batchesOf(await transaction.query(tenantId, NEXT_DRAFT_SIZES, { typeId, after }));
    if (!batch) return { ...purge, phase: 'entries', typeId: followingUuid(typeId), after: FIRST_ENTRY_ID };
    const [first, last] = batch;
    const found = await transaction.query(tenantId, DRAFTS_BETWEEN, { typeId, first, last });
    const purged = await inTurn(
      tenantId,
      each(found, function* ({ id, number, draft, bases }) {
        const after = { draft: yield* withoutLocale(draft, code), bases: yield* withoutLocale(bases, code) };
        return { id, number: String(number), ...after, isSame: after.draft === draft && after.bases === bases };
      }),
    );
    const changed = purged.filter(({ isSame }) => !isSame);
    if (changed.length > 0) {
      const names = { ids: 'id', numbers: 'number', drafts: 'draft', bases: 'bases' } as const;
      const rows = await inTurn(tenantId, columns(changed, names));
      await transaction.query(tenantId, WRITE_DRAFTS, { typeId, ...rows });
    }
    return { ...purge, after: last, drafts: changed.length };
  }

  private async versions(transaction: Transaction, tenantId: string, purge: RunningPurge): Promise<Step> {
    const { after, afterNumber, code } = purge;
    const marks = { mark: markOf(code), member: memberMarkOf(code) };
    const page = await transaction.query(tenantId, NEXT_VERSIONS, { after, afterNumber, ...marks });
    const batch = firstBytes(page);
    const last = batch.at(-1);
    if (!last) return 'done';
    const marked = batch.filter(({ bytes }) => bytes !== null);
    const place = { ...purge, after: last.id, afterNumber: last.number };
    if (marked.length === 0) return place;
    const keys = { ids: marked.map(({ id }) => id), numbers: marked.map(({ number }) => number) };
    const found = await transaction.query(tenantId, VERSIONS_TO_PURGE, keys);
    const purged = await inTurn(
      tenantId,
      each(found, function* ({ id, number, data, stored }) {
        const after = {
          data: yield* dataWithoutLocale(data, code),
          stored: stored === null ? null : yield* withoutLocale(stored, code),
        };
        return { id, number: String(number), ...after, isSame: after.data === data && after.stored === stored };
      }),
    );
    const changed = purged.filter(({ isSame }) => !isSame);
    if (changed.length > 0) {
      const names = { ids: 'id', numbers: 'number', data: 'data', stored: 'stored' } as const;
      const rows = await inTurn(tenantId, columns(changed, names));
      await transaction.query(tenantId, WRITE_PURGED_VERSIONS, rows);
    }
    return { ...place, versions: changed.length };
  }
}

function inTurn<Result>(tenantId: string, steps: SlicedWork<Result>): Promise<Result> {
  return heavyWork.run(`changes/${tenantId}`, steps);
}

/** The first versions of a page, of which at most `BATCH_BYTES` must be read; at least one. */
function firstBytes<Row extends { bytes: number | null }>(page: readonly Row[]): readonly Row[] {
  let total = 0;
  const end = page.findIndex(({ bytes }, index) => {
    total += bytes ?? 0;
    return total > BATCH_BYTES && index > 0;
  });
  return end === -1 ? page : page.slice(0, end);
}

/** The next UUID in their order. */
function followingUuid(uuid: string): string {
  const digits = (BigInt(`0x${uuid.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
