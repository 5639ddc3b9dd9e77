import { statement } from '../../database/statements/statement.js';
import type { TextArray } from '../../database/statements/text-array.js';
import type { EntryStatus } from './entry.entity.js';
import { liveFields } from './live-fields.js';

/** An entry as it is stored: `fields` is JSON text, timestamps are ISO 8601. */
export interface StoredEntry {
  id: string;
  fields: string;
  status: EntryStatus;
  version: number;
  createdAt: string;
  updatedAt: string;
  /** Null in drafts. */
  publishedAt: string | null;
}

/** An entry and the UUID of its content type. */
export interface EntryOfType extends StoredEntry {
  typeId: string;
  /** The version of its content type, if it was read with it. */
  typeVersion?: number;
}

/** A content type, and the columns of its entry, which are null if there is no such entry. */
type TypeAndEntry = { typeId: string; isPublic: boolean } & {
  [Column in keyof StoredEntry]: StoredEntry[Column] | null;
};

/** An entry as a write reads it, with the version of its type's schema. */
export interface EntryForWrite extends StoredEntry {
  typeVersion: number;
  /** Whether it has a row in `entry_drafts`, which it keeps until it is deleted. */
  isDrafted: boolean;
  /** How many times a schedule was set for it. */
  schedules: number;
  /** The version of it that a change of the type has prepared; null if none. */
  preparedFrom: number | null;
}

const BY_ID = 'FROM entries WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = :entryId';
const OTHER_COLUMNS =
  'status, version, created_at AS "createdAt", updated_at AS "updatedAt", published_at AS "publishedAt"';

/**
 * Reads one table and nothing else, which a distributed database plans fastest. If `isPrepared`, a change of the type has prepared other values,
 * and `GET_LIVE_ENTRY` decides which ones are read.
 */
export const GET_ENTRY = statement<{ typeId: string; entryId: string }, StoredEntry & { isPrepared: boolean }>()(
  'entries.get',
  `SELECT id, fields, ${OTHER_COLUMNS}, (prepared IS NOT NULL AND prepared_from = version) IS TRUE AS "isPrepared" ${BY_ID}`,
);

export const GET_LIVE_ENTRY = statement<{ typeId: string; entryId: string }, StoredEntry>()(
  'entries.get_live',
  `SELECT id, ${liveFields('entries', ':typeId')} AS fields, ${OTHER_COLUMNS} ${BY_ID}`,
);

const withType = <const More extends string>(more: More) =>
  `SELECT t.id AS "typeId", ${more}t.public IS TRUE AS "isPublic",
      e.id, ${liveFields('e', 't.id')} AS fields, e.status, e.version, e.created_at AS "createdAt", e.updated_at AS "updatedAt",
      e.published_at AS "publishedAt"
    FROM content_types t
    LEFT JOIN entries e ON e.tenant_id = :tenantId AND e.content_type_id = t.id AND e.id = :entryId` as const;

const WITH_TYPE = withType('');
const WITH_VERSION = withType('t.version AS "typeVersion", ');

export const GET_ENTRY_WITH_TYPE = statement<{ typeId: string; entryId: string }, TypeAndEntry>()(
  'entries.get_with_type',
  `${WITH_TYPE} WHERE t.tenant_id = :tenantId AND t.id = :typeId`,
);

export const GET_ENTRY_BY_SLUG = statement<{ slug: string; entryId: string }, TypeAndEntry>()(
  'entries.get_by_slug',
  `${WITH_TYPE} WHERE t.tenant_id = :tenantId AND t.slug = :slug`,
);

/** The same with the version of the type, for a response that depends on it. */
export const GET_ENTRY_WITH_VERSION = statement<
  { typeId: string; entryId: string },
  TypeAndEntry & { typeVersion: number }
>()('entries.get_with_version', `${WITH_VERSION} WHERE t.tenant_id = :tenantId AND t.id = :typeId`);

export const GET_ENTRY_BY_SLUG_WITH_VERSION = statement<
  { slug: string; entryId: string },
  TypeAndEntry & { typeVersion: number }
>()('entries.get_by_slug_with_version', `${WITH_VERSION} WHERE t.tenant_id = :tenantId AND t.slug = :slug`);

/** The columns of `EntryForWrite` but `fields`. */
export const FOR_WRITE = `e.id, e.status, e.version, e.created_at AS "createdAt", e.updated_at AS "updatedAt",
      e.published_at AS "publishedAt", e.drafted IS TRUE AS "isDrafted", coalesce(e.schedules, 0) AS schedules, e.prepared_from AS "preparedFrom",
      t.version AS "typeVersion"`;

export const GET_FOR_WRITE = statement<{ typeId: string; entryId: string }, EntryForWrite>()(
  'entries.get_for_write',
  `SELECT ${FOR_WRITE}, ${liveFields('e', ':typeId')} AS fields
    FROM entries e JOIN content_types t ON t.tenant_id = :tenantId AND t.id = :typeId
    WHERE e.tenant_id = :tenantId AND e.content_type_id = :typeId AND e.id = :entryId`,
);

export const GET_MANY_FOR_WRITE = statement<{ typeId: string; entryIds: readonly string[] }, EntryForWrite>()(
  'entries.get_many_for_write',
  `SELECT ${FOR_WRITE}, ${liveFields('e', ':typeId')} AS fields
    FROM entries e JOIN content_types t ON t.tenant_id = :tenantId AND t.id = :typeId
    WHERE e.tenant_id = :tenantId AND e.content_type_id = :typeId AND e.id = ANY (:entryIds::uuid[])`,
);

/** The entry that has a value, if the type still has this version. No two entries have the same value of a unique field. */
export const ENTRY_BY_VALUE = statement<
  { typeId: string; version: number; field: string; key: string; discriminator: string },
  { entryId: string }
>()(
  'entries.by_value',
  `SELECT v.entry_id AS "entryId" FROM entry_values v
    JOIN content_types t ON t.tenant_id = :tenantId AND t.id = :typeId AND t.version = :version
    WHERE v.tenant_id = :tenantId AND v.content_type_id = :typeId AND v.field = :field AND v.sort_key = :key
      AND v.discriminator = :discriminator LIMIT 1`,
);

/** Returns the positions in the arrays, from 1, of the first 1,000 unique values that another entry has. */
export const TAKEN_UNIQUES = statement<
  { typeId: string; entryId: string; fields: TextArray; values: TextArray },
  { place: number }
>()(
  'entries.taken_uniques',
  `SELECT u.place::int FROM unnest(:fields::text[], :values::text[]) WITH ORDINALITY AS u (field, value, place)
    JOIN entry_uniques x ON x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.field = u.field AND x.value = u.value
    WHERE x.entry_id <> :entryId ORDER BY u.place LIMIT 1000`,
);

/** Returns the places of the references for which no look-up finds an entry, in order. */
export const MISSING_REFERENCES = statement<
  { places: TextArray; typeIds: TextArray; entryIds: TextArray },
  { place: number }
>()(
  'entries.missing_references',
  `SELECT r.place FROM unnest(:places::int[], :typeIds::uuid[], :entryIds::uuid[]) AS r (place, type, id)
    GROUP BY r.place
    HAVING bool_and((
      SELECT true FROM entries e WHERE e.tenant_id = :tenantId AND e.content_type_id = r.type AND e.id = r.id LIMIT 1
    ) IS NULL)
    ORDER BY r.place`,
);
