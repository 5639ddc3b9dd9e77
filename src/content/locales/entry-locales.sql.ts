import { statement } from '../../database/statements/statement.js';

interface OfIndex {
  typeId: string;
  /** The version of the type that the names of the fields are of. */
  version: number;
  live: string;
  valued: string;
  behind: string;
}

/** How many entries of a type have a status in a locale. */
interface LocaleCount {
  field: string;
  key: string;
  entries: number;
}

/** Counts rows of the index, and not entries. `live` counts published entries alone. Returns no row if the type has another version. */
export const COUNT_LOCALES = statement<OfIndex, LocaleCount>()(
  'locales.count',
  `SELECT v.field, v.sort_key AS key, count(*) FILTER (WHERE v.field <> :live::text OR e.id IS NOT NULL)::int AS entries
    FROM entry_values v
    LEFT JOIN entries e ON v.field = :live::text AND e.tenant_id = :tenantId AND e.content_type_id = :typeId AND e.id = v.entry_id
      AND e.status = 'published'
    WHERE v.tenant_id = :tenantId AND v.content_type_id = :typeId AND v.field IN (:live::text, :valued::text, :behind::text)
      AND EXISTS (SELECT FROM content_types t WHERE t.tenant_id = :tenantId AND t.id = :typeId AND t.version = :version::int)
    GROUP BY v.field, v.sort_key`,
);

export const COUNT_OF_TYPE = statement<{ typeId: string }, { drafts: number; published: number }>()(
  'locales.entries_of_type',
  `SELECT coalesce(sum(drafts), 0)::int AS drafts, coalesce(sum(published), 0)::int AS published FROM entry_counts
    WHERE tenant_id = :tenantId AND content_type_id = :typeId`,
);
