import { type NoParameters, statement } from '../../database/statements/statement.js';

/** A version of an entry. `summary` is JSON text (see `summaryOf`), `at` is ISO 8601. */
export interface VersionRow {
  version: number;
  summary: string;
  at: string;
  /** What later changes of the type did to its values, oldest first: JSON text of a list of `LoggedMove[]`. Null if nothing. */
  moves: string | null;
}

/** Its values, as JSON text. */
export interface VersionValues {
  /** In the data of events. */
  data: string;
  /** Of all locales; null if `data` has all values. */
  stored: string | null;
}

/** The parameters that every statement needs. `kept` is the number of versions that an entry keeps. */
interface OfEntry {
  typeId: string;
  /** The version of the type that the caller knows. Later changes of the type are not applied. */
  typeVersion: number;
  entryId: string;
  kept: number;
}

/** The versions `v` of an entry that exists, without those that were pruned or are about to be. */
const KEPT = `entries e JOIN versions v ON v.tenant_id = :tenantId AND v.resource_id = :entryId
    WHERE e.tenant_id = :tenantId AND e.content_type_id = :typeId AND e.id = :entryId AND v.number > coalesce((
      SELECT number FROM versions WHERE tenant_id = :tenantId AND resource_id = :entryId ORDER BY number DESC OFFSET :kept LIMIT 1
    ), 0)` as const;

/** Versions from before the log do not know the version of their type, so their time has to do. */
const COLUMNS = `v.number AS version, v.summary, v.at, (
      SELECT json_agg(m.moves ORDER BY m.version) FROM content_type_moves m
      WHERE m.tenant_id = :tenantId AND m.content_type_id = :typeId AND m.version <= :typeVersion::int
        AND CASE WHEN v.schema_version IS NULL THEN m.at > v.at ELSE m.version > v.schema_version END
    ) AS moves` as const;

export const PAGE_OF_VERSIONS = statement<OfEntry & { limit: number; offset: number }, VersionRow>()(
  'entry_versions.page',
  `SELECT ${COLUMNS} FROM ${KEPT} ORDER BY v.number DESC LIMIT :limit OFFSET :offset`,
);

export const VERSIONS_BELOW = statement<OfEntry & { below: number; limit: number }, VersionRow>()(
  'entry_versions.below',
  `SELECT ${COLUMNS} FROM ${KEPT} AND v.number < :below::int ORDER BY v.number DESC LIMIT :limit`,
);

export const COUNT_OF_VERSIONS = statement<Omit<OfEntry, 'typeVersion'>, { total: number }>()(
  'entry_versions.count',
  `SELECT count(*) AS total FROM ${KEPT}`,
);

export const FIND_VERSION = statement<OfEntry & { version: number }, VersionRow & VersionValues>()(
  'entry_versions.find',
  `SELECT ${COLUMNS}, v.data, v.stored FROM ${KEPT} AND v.number = :version::int`,
);

export const VERSION_BEFORE = statement<OfEntry & { version: number }, VersionRow & VersionValues>()(
  'entry_versions.before',
  `SELECT ${COLUMNS}, v.data, v.stored FROM ${KEPT} AND v.number < :version::int ORDER BY v.number DESC LIMIT 1`,
);

export const ENTRY_EXISTS = statement<{ typeId: string; entryId: string }, NoParameters>()(
  'entry_versions.entry_exists',
  'SELECT 1 FROM entries WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = :entryId',
);
