import { Injectable } from '@nestjs/common';
import type { Statement } from '../../database/statements/statement.js';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { isOvertaken, isLockTimeout } from '../../errors/database-problem.js';
import { formatId, parseId } from '../../ids/type-id.js';
import { parseSliced } from '../../json/parse-sliced.js';
import type { EntryFields } from '../entries/writes/entry-values.js';
import { keeping, updateOf } from '../entries/writes/entry-write.js';
import { EntryWriter, type TenantAuthor } from '../entries/writes/entry-writer.js';
import type { Deletion } from '../entries/writes/delete-entry.sql.js';
import { applyPatch } from '../entries/writes/patch.js';
import { UPDATE_ENTRY, UPDATE_UNAPPROVED } from '../entries/writes/update-entry.sql.js';
import { clearsLive, mayChangeLive } from '../live-changes.js';
import { type CompiledType, Schemas } from '../schemas.js';
import { StaleReadError } from '../stale-read.js';
import { clearable, without } from './cleared-references.js';
import { busy, ENTRY, refused, tooMany, TYPE } from './deletion-problems.js';
import {
  byTypeAndId,
  HOLD_REFERRING_TYPES,
  LOCK_ENTRIES,
  LOCK_ENTRY,
  LOCK_REFERRER,
  MAX_REFERRERS,
  OF_TYPE,
  type ReferrerToClear,
  REFERRERS_TO_CLEAR,
  REFERRING_TYPES,
  REFUSING_REFERRERS,
} from './referential-actions.sql.js';

/** Entries of a content type that are locked and looked up at once. */
const BATCH = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** How long a deletion waits for another write or change of a type, while it holds a connection. Deadlocks are found earlier. */
export const LOCK_MS = 3_000;

/** Entries to delete, as the referrers know them. */
interface Deleted {
  typeId: string;
  ids: readonly string[];
  isWholeType: boolean;
}

/** The content types that may refer to a type, by ID, compiled before the transaction: it must not wait for another connection. */
export type ReferringTypes = ReadonlyMap<string, CompiledType>;

/**
 * Deletions of entries to which references with `on_delete` may lead. A deletion locks the entry and then looks up its referrers in a later
 * statement, which sees every reference whose write held the entry before. Locks are taken in the order type, entry, referrers.
 */
@Injectable()
export class ReferentialActions {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly writer: EntryWriter,
  ) {}

  /**
   * Clears the references to an entry and deletes it, in a transaction. Returns no row if a concurrent change won. Throws a 409 if a reference
   * refuses the deletion, or too many must be cleared.
   */
  async deleteEntry(by: TenantAuthor, statement: Statement<Deletion, object>, deletion: Deletion): Promise<object[]> {
    const { tenantId } = by;
    const { typeId, typeVersion, entryId, version } = deletion;
    const types = await this.prepare(tenantId, typeId);
    try {
      const deleted = await this.database.attempt(tenantId, () =>
        this.database.transaction(tenantId, async (transaction) => {
          await transaction.limitLockWaits(LOCK_MS);
          await this.hold(transaction, tenantId, typeId, types);
          const locked = await transaction.query(tenantId, LOCK_ENTRY, { typeId, typeVersion, entryId, version });
          if (locked.length === 0) return undefined;
          const one = { typeId, ids: [entryId], isWholeType: false };
          await assertNotRefused(transaction, tenantId, one);
          const referrers = await toClear(transaction, tenantId, one);
          await this.clear(transaction, by, { referrers, types, typeId, ids: new Set([entryId]) });
          const rows = await transaction.query(tenantId, statement, deletion);
          return rows.length > 0 ? rows : undefined;
        }),
      );
      return deleted ?? [];
    } catch (error) {
      if (error instanceof StaleReadError || isOvertaken(error)) return [];
      throw isLockTimeout(error) ? busy() : error;
    }
  }

  /** Returns the content types that may refer to entries of the type. */
  async prepare(tenantId: string, typeId: string): Promise<ReferringTypes> {
    const types = new Map<string, CompiledType>();
    for (const { id, version } of await this.database.query(tenantId, REFERRING_TYPES, { typeId })) {
      const caller = { tenantId, share: tenantId };
      const cached = await this.schemas.find(caller, id, false);
      const type = cached?.version === version ? cached : await this.schemas.find(caller, id, true);
      if (type) types.set(id, type);
    }
    return types;
  }

  /**
   * Locks all entries of a type that is deleted whole, and clears the references to them. The transaction must have locked the type. Throws a
   * 409 if references refuse the deletion or too many must be cleared, and a `StaleReadError` if `types` is stale.
   */
  async beforeTypeDeletion(
    transaction: Transaction,
    by: TenantAuthor,
    typeId: string,
    types: ReferringTypes,
  ): Promise<void> {
    const { tenantId } = by;
    await this.hold(transaction, tenantId, typeId, types);
    await transaction.limitLockWaits(0);
    const refusing = new Map<string, ReferrerToClear>();
    const clearing = new Map<string, ReferrerToClear>();
    for (let after: string | undefined = FIRST_ID; after !== undefined;) {
      const rows: { id: string }[] = await transaction.query(tenantId, LOCK_ENTRIES, { typeId, after, limit: BATCH });
      const deleted = deletedOf({ typeId, ids: rows.map(({ id }) => id), isWholeType: true });
      for (const one of await transaction.query(tenantId, REFUSING_REFERRERS, deleted)) refusing.set(one.id, one);
      if (clearing.size <= MAX_REFERRERS) {
        for (const one of await transaction.query(tenantId, REFERRERS_TO_CLEAR, deleted)) clearing.set(one.id, one);
      }
      // More entries would not change the response.
      if (refusing.size > MAX_REFERRERS) break;
      after = rows.length < BATCH ? undefined : rows.at(-1)?.id;
    }
    if (refusing.size > 0) throw refused(TYPE, refusing.size);
    if (clearing.size > MAX_REFERRERS) throw tooMany(TYPE);
    const referrers = [...clearing.values()].sort(byTypeAndId);
    await this.clear(transaction, by, { referrers, types, typeId });
  }

  private async hold(transaction: Transaction, tenantId: string, typeId: string, types: ReferringTypes): Promise<void> {
    const held = await transaction.query(tenantId, HOLD_REFERRING_TYPES, { typeId });
    const isStale = held.some(({ id, version }) => types.get(id)?.version !== version);
    if (isStale) throw new StaleReadError();
  }

  /** Removes the references to entries of the type, or to those with `ids` only, from the referrers. Each gets a new version and an event. */
  private async clear(
    transaction: Transaction,
    by: TenantAuthor,
    {
      referrers,
      types,
      ...deleted
    }: { referrers: readonly ReferrerToClear[]; types: ReferringTypes; typeId: string; ids?: ReadonlySet<string> },
  ): Promise<void> {
    const { tenantId } = by;
    for (const { typeId, id } of referrers) {
      const type = types.get(typeId);
      const [before] = await transaction.query(tenantId, LOCK_REFERRER, { typeId, entryId: id });
      // It was deleted, or its type has begun to refer to these entries, after the types were held.
      if (!before) continue;
      if (!type) throw new StaleReadError();
      const { schema } = type;
      const isLarge = isHeavy(before.fields.length);
      const run = <Result>(steps: SlicedWork<Result>) => heavyWork.runIf(isLarge, tenantId, steps);
      const values = await run(valuesOf(before.fields));
      const gone = await entriesOf(transaction, tenantId, deleted, await run(clearable(schema, values)));
      const patch = await run(without(schema, values, gone));
      // A reference with the same path in another block, which is kept.
      if (patch.removed.length === 0 && Object.keys(patch.set).length === 0) continue;
      // Other values of the entry are not checked.
      const change = await run(applyPatch(schema, before.fields, { ...patch, isPublished: false }));
      // Their right is that to the deleted entries: who may delete these removes the references to them too.
      const isApproved = mayChangeLive(by, deleted.typeId);
      if (!isApproved && before.status === 'published') throw clearsLive(by);
      const write = await run(updateOf(type, before, change, keeping(before.status, 'updated'), by, isLarge));
      const more = { version: before.version };
      const stored = await this.writer.write(isApproved ? UPDATE_ENTRY : UPDATE_UNAPPROVED, write, {
        executor: transaction,
        by,
        isHeavy: isLarge,
        preparedFrom: before.preparedFrom,
        more,
      });
      if (!stored) throw new StaleReadError();
    }
  }
}

async function assertNotRefused(transaction: Transaction, tenantId: string, deleted: Deleted): Promise<void> {
  const refusing = await transaction.query(tenantId, REFUSING_REFERRERS, deletedOf(deleted));
  if (refusing.length > 0) throw refused(ENTRY, refusing.length);
}

async function toClear(transaction: Transaction, tenantId: string, deleted: Deleted): Promise<ReferrerToClear[]> {
  const referrers = await transaction.query(tenantId, REFERRERS_TO_CLEAR, deletedOf(deleted));
  if (referrers.length > MAX_REFERRERS) throw tooMany(ENTRY);
  return referrers;
}

function deletedOf(deleted: Deleted) {
  return { ...deleted, publicIds: deleted.ids.map((id) => formatId('ent', id)) };
}

/** Returns those of the public IDs that are entries to delete. */
async function entriesOf(
  transaction: Transaction,
  tenantId: string,
  { typeId, ids }: { typeId: string; ids?: ReadonlySet<string> },
  publicIds: readonly string[],
): Promise<ReadonlySet<unknown>> {
  const uuids = publicIds.flatMap((id) => parseId('ent', id) ?? []);
  const found = ids
    ? uuids.filter((id) => ids.has(id))
    : (await transaction.query(tenantId, OF_TYPE, { typeId, ids: uuids })).map(({ id }) => id);
  return new Set(found.map((id) => formatId('ent', id)));
}

function* valuesOf(fields: string): SlicedWork<EntryFields> {
  return (yield* parseSliced(fields)) as EntryFields;
}
