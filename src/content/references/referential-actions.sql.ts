import { statement } from '../../database/statements/statement.js';
import { type EntryForWrite, FOR_WRITE } from '../entries/entries.sql.js';
import { liveFields } from '../entries/live-fields.js';
import { NAMES_TYPE, REFERENCE_FIELDS } from './reference-fields.sql.js';

/** Referrers that a deletion counts, or clears; it is refused if there are more to clear. */
export const MAX_REFERRERS = 1_000;

/** A content type with reference fields that may name another one, in its current version. */
interface ReferringType {
  id: string;
  version: number;
}

const REFERRING = `SELECT t.id, t.version FROM content_types t WHERE ${NAMES_TYPE} ORDER BY t.id` as const;

export const REFERRING_TYPES = statement<{ typeId: string }, ReferringType>()('guarded.referring_types', REFERRING);

/** The same, and holds them, so that none of their fields changes before the commit. Writes of their entries do not wait. */
export const HOLD_REFERRING_TYPES = statement<{ typeId: string }, ReferringType>()(
  'guarded.hold_referring_types',
  `${REFERRING} FOR KEY SHARE`,
);

/** Locks the entry if its type and itself have these versions. Waits for writes that add a guarded reference to it; later ones wait. */
export const LOCK_ENTRY = statement<
  { typeId: string; typeVersion: number; entryId: string; version: number },
  object
>()(
  'guarded.lock_entry',
  `WITH type AS (
      SELECT 1 FROM content_types WHERE tenant_id = :tenantId AND id = :typeId AND version = :typeVersion FOR KEY SHARE
    )
    SELECT 1 FROM entries
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = :entryId AND version = :version AND EXISTS (SELECT FROM type)
    FOR UPDATE`,
);

/** Locks the next entries of the type. */
export const LOCK_ENTRIES = statement<{ typeId: string; after: string; limit: number }, { id: string }>()(
  'guarded.lock_entries',
  `SELECT id FROM entries WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id > :after ORDER BY id LIMIT :limit FOR UPDATE`,
);

/** Entries that are deleted, with their public IDs. `isWholeType`: all of the type are deleted, so those of the type do not count as referrers. */
interface Deleted {
  typeId: string;
  ids: readonly string[];
  publicIds: readonly string[];
  isWholeType: boolean;
}

/** Entries that refer to deleted ones in a field with `on_delete`, at most one more than `MAX_REFERRERS`. */
const referrers = <const Test extends 'refuses' | 'clears'>(test: Test) =>
  `SELECT DISTINCT f.type AS "typeId", v.entry_id AS id
    FROM ${REFERENCE_FIELDS} f
    CROSS JOIN unnest(:publicIds::text[]) AS r (id)
    CROSS JOIN LATERAL (
      SELECT v.entry_id FROM entry_values v
      WHERE v.tenant_id = :tenantId AND v.content_type_id = f.type AND v.field = f.index_field AND v.sort_key = r.id
        AND (v.content_type_id <> :typeId::uuid OR (NOT :isWholeType::boolean AND v.entry_id <> ALL (:ids::uuid[])))
      LIMIT ${MAX_REFERRERS + 1}
    ) v
    WHERE f.${test}
    ORDER BY "typeId", id LIMIT ${MAX_REFERRERS + 1}` as const;

export interface ReferrerToClear {
  typeId: string;
  id: string;
}

/** The order in which referrers are locked and changed. */
export function byTypeAndId(one: ReferrerToClear, other: ReferrerToClear): number {
  return `${one.typeId} ${one.id}` < `${other.typeId} ${other.id}` ? -1 : 1;
}

export const REFUSING_REFERRERS = statement<Deleted, ReferrerToClear>()(
  'guarded.refusing_referrers',
  referrers('refuses'),
);

export const REFERRERS_TO_CLEAR = statement<Deleted, ReferrerToClear>()(
  'guarded.referrers_to_clear',
  referrers('clears'),
);

/**
 * Referrers of one deleted entry in one field that a batch looks at. The operations of a batch change at most 1,000 of them, so what is left
 * still is more than `MAX_REFERRERS`.
 */
const MAX_OF_FIELD = 2 * MAX_REFERRERS + 1;
/** References that a batch of deletions looks at in all. */
export const MAX_OF_BATCH = 50_000;

/** An entry that refers to one that is deleted, and what its fields ask for. */
export interface BatchReferrer extends ReferrerToClear {
  /** The public ID of the deleted entry. */
  to: string;
  refuses: boolean;
  clears: boolean;
}

/** The entries that refer to each of several entries, with themselves. With more than `MAX_OF_BATCH` references, only some of them. */
export const REFERRERS_OF_MANY = statement<
  { typeId: string; publicIds: readonly string[] },
  BatchReferrer & { references: number }
>()(
  'guarded.referrers_of_many',
  `SELECT "to", "typeId", id, bool_or(refuses) AS refuses, bool_or(clears) AS clears, count(*)::int AS "references"
    FROM (
      SELECT r.id AS "to", f.type AS "typeId", v.entry_id AS id, f.refuses, f.clears
      FROM ${REFERENCE_FIELDS} f
      CROSS JOIN unnest(:publicIds::text[]) AS r (id)
      CROSS JOIN LATERAL (
        SELECT v.entry_id FROM entry_values v
        WHERE v.tenant_id = :tenantId AND v.content_type_id = f.type AND v.field = f.index_field AND v.sort_key = r.id
        LIMIT ${MAX_OF_FIELD}
      ) v
      WHERE f.refuses OR f.clears
      LIMIT ${MAX_OF_BATCH + 1}
    ) AS found
    GROUP BY "to", "typeId", id ORDER BY "typeId", id`,
);

/** Reads a referrer as a write does, and locks it. */
export const LOCK_REFERRER = statement<{ typeId: string; entryId: string }, EntryForWrite>()(
  'guarded.lock_referrer',
  `SELECT ${FOR_WRITE}, ${liveFields('e', ':typeId')} AS fields
    FROM entries e JOIN content_types t ON t.tenant_id = :tenantId AND t.id = :typeId
    WHERE e.tenant_id = :tenantId AND e.content_type_id = :typeId AND e.id = :entryId
    FOR NO KEY UPDATE OF e`,
);

/** Returns those of the IDs that are entries of the type. */
export const OF_TYPE = statement<{ typeId: string; ids: readonly string[] }, { id: string }>()(
  'guarded.of_type',
  `SELECT id FROM entries WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = ANY (:ids::uuid[])`,
);
