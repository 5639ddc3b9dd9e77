import { statement } from '../../database/statements/statement.js';
import { LARGE_BYTES } from '../../lists/large-json.js';
import { liveFields } from '../entries/live-fields.js';
import type { EntryRow } from '../entries/entry-presenter.js';
import { type DraftedLevelRow, head, type LevelRow } from './found-entries.js';
import type { Shape } from './shape.js';
import { digitsOf, uuidOf } from '../public-id.sql.js';

/** The entries that one response may include. */
export const MAX_INCLUDED = 1_000;

/** References that are read, and entries that are looked up, for one level of `include`. Each reference is looked up in every type of its field. */
export const MAX_READ = { references: 20_000, lookUps: 10_000 };

/** More entries than a page and what it includes. */
const MAX_FOUND = MAX_INCLUDED + 101;

/** Bytes of JSON that the statement of a level returns at most. What is beyond is read while the response is sent. */
const MAX_BYTES = 2 * 1024 * 1024;

/** The entries of a level and the references to follow, as arrays. */
interface Level {
  /** The versions of the types that the plan relies on. */
  types: readonly string[];
  versions: readonly number[];
  /** The entries whose references are followed, each at a place of the plan. */
  sourcePlaces: readonly number[];
  sourceTypes: readonly string[];
  sourceIds: readonly string[];
  /** The reference fields that are followed from a place in entries of a type. Their numbers are their positions, from 1. */
  places: readonly number[];
  placeTypes: readonly string[];
  fields: readonly string[];
  /** The types that each of these fields leads to, by the field's number. */
  targetFields: readonly number[];
  targetTypes: readonly string[];
  /** Entries that the response already has. Their JSON is not returned again. */
  known: readonly string[];
  publishedOnly: boolean;
}

/**
 * With drafts, it is also needed in which field of the entry a field is (`names`), and which JSON path of that field's value leads to its
 * values. `showDrafts` is about the entries found.
 */
interface DraftedLevel extends Level {
  names: readonly string[];
  jsonPaths: readonly string[];
  showDrafts: boolean;
}

/** The text of a public ID in the value index. */
const IS_ID = `^ent_[0-7][0-9a-hjkmnp-tv-z]{25}$`;

/** Not `starts_with`: PostgreSQL would make a range of it, and then take the index by value for a small table. */
const IS_REFERENCE = `length(sort_key) = 30 AND left(sort_key, 4) = 'ent_'`;

const SOURCES = 'unnest(:sourcePlaces::int[], :sourceTypes::uuid[], :sourceIds::uuid[]) AS s (place, type, id)';

const FIELDS = `unnest(:places::int[], :placeTypes::uuid[], :fields::text[]) WITH ORDINALITY AS f (place, type, field, number)`;

/** SQL for the references of the sources, from the value index. */
const LIVE_REFERENCES = `SELECT f.number, v.sort_key AS key
        FROM ${SOURCES}
        JOIN ${FIELDS} ON f.place = s.place AND f.type = s.type
        CROSS JOIN LATERAL (
          SELECT sort_key FROM entry_values
          WHERE tenant_id = :tenantId AND content_type_id = s.type AND entry_id = s.id AND field = f.field AND ${IS_REFERENCE}
          OFFSET 0
        ) v` as const;

/** The same of entries with drafts: a field of the draft has the references that are in the draft. A draft may also have values that do not fit. */
const DRAFTED_REFERENCES = `SELECT f.number, v.sort_key AS key
        FROM ${SOURCES}
        JOIN unnest(:places::int[], :placeTypes::uuid[], :fields::text[], :names::text[]) WITH ORDINALITY AS f (place, type, field, name, number)
          ON f.place = s.place AND f.type = s.type
        CROSS JOIN LATERAL (
          SELECT sort_key FROM entry_values
          WHERE tenant_id = :tenantId AND content_type_id = s.type AND entry_id = s.id AND field = f.field AND ${IS_REFERENCE}
            AND (
              SELECT true FROM entry_drafts d WHERE d.tenant_id = :tenantId AND d.content_type_id = s.type AND d.entry_id = s.id
                AND d.fields IS NOT NULL AND d.bases -> f.name IS NOT NULL
            ) IS NULL
          OFFSET 0
        ) v
        UNION ALL
        SELECT f.number, i.value #>> '{}' AS key
        FROM (
          SELECT s.place, s.type, d.bases, j.key, j.value
          FROM ${SOURCES}
          CROSS JOIN LATERAL (
            SELECT fields, bases FROM entry_drafts
            WHERE tenant_id = :tenantId AND content_type_id = s.type AND entry_id = s.id AND fields IS NOT NULL
            OFFSET 0
          ) d
          CROSS JOIN LATERAL json_each(d.fields) AS j
          OFFSET 0
        ) o
        JOIN unnest(:places::int[], :placeTypes::uuid[], :names::text[], :jsonPaths::jsonpath[])
          WITH ORDINALITY AS f (place, type, name, path, number)
          ON f.place = o.place AND f.type = o.type AND f.name = o.key AND o.bases -> f.name IS NOT NULL
        CROSS JOIN LATERAL jsonb_path_query(o.value::jsonb, f.path, '{}', true) AS i (value)
        WHERE jsonb_typeof(i.value) = 'string' AND i.value #>> '{}' ~ '${IS_ID}'` as const;

/** SQL for the entries that the references lead to. `columns` and `tables` add to the columns and tables of an entry. */
function level(
  shape: Shape,
  references: string,
  entry: { columns: string; shown: string; tables: string; size: string },
): string {
  const { columns, shown, tables, size } = entry;
  const published = shape === 'full' ? ', e.published_at' : '';
  return `WITH schemas AS MATERIALIZED (
      SELECT coalesce(bool_and((
        SELECT true FROM content_types t WHERE t.tenant_id = :tenantId AND t.id = n.type AND t.version = n.version
      ) IS TRUE), true) AS current
      FROM unnest(:types::uuid[], :versions::int[]) AS n (type, version)
    ), refs AS MATERIALIZED (
      SELECT * FROM (${references}) r LIMIT ${MAX_READ.references + 1}
    ), sought AS MATERIALIZED (
      SELECT r.key, t.type, array_agg(DISTINCT r.number::int) AS via
      FROM refs r JOIN unnest(:targetFields::int[], :targetTypes::uuid[]) AS t (number, type) ON t.number = r.number
      GROUP BY r.key, t.type LIMIT ${MAX_READ.lookUps + 1}
    ), counts AS MATERIALIZED (
      SELECT (SELECT current FROM schemas) AS "isCurrent", (SELECT count(*) FROM refs) AS "references",
        (SELECT count(*) FROM sought) AS "lookUps"
    )
    SELECT ${head(published)}, ${shown}
    FROM counts c
    LEFT JOIN (
      SELECT e.*, NOT e.is_known AND e.bytes < ${LARGE_BYTES}
        AND sum(e.counted) OVER (ORDER BY e.id ROWS UNBOUNDED PRECEDING) <= ${MAX_BYTES} AS is_shown
      FROM (
        SELECT l.type AS "typeId", l.via, e.*, e.id = ANY (:known::uuid[]) AS is_known,
          CASE WHEN e.bytes < ${LARGE_BYTES} AND NOT e.id = ANY (:known::uuid[]) THEN e.bytes ELSE 0 END AS counted
        FROM sought l
        CROSS JOIN LATERAL (SELECT ${digitsOf('l.key')} AS b OFFSET 0) k
        CROSS JOIN LATERAL (SELECT ${uuidOf('b')} AS id OFFSET 0) u
        CROSS JOIN LATERAL (
          SELECT e.id, ${liveFields('e', 'l.type')} AS fields, e.status, e.version, e.created_at, e.updated_at${published}, ${size} AS bytes${columns}
          FROM entries e ${tables}
          WHERE e.tenant_id = :tenantId AND e.content_type_id = l.type AND e.id = u.id
            AND (NOT :publishedOnly::boolean OR e.status = 'published')
          OFFSET 0
        ) e
        WHERE (
          SELECT c."isCurrent" AND c."references" <= ${MAX_READ.references} AND c."lookUps" <= ${MAX_READ.lookUps} FROM counts c
        )
        LIMIT ${MAX_FOUND}
      ) e
    ) e ON true`;
}

const SHOWN = 'CASE WHEN e.is_shown THEN e.fields END AS fields';

const SIZE = 'coalesce(e.size, octet_length(e.fields::text))';

/** Finds the entries that the sources refer to. If a type has another version, finds nothing and `isCurrent` is false. */
export const FIND_INCLUDED = ofShape((shape, suffix) =>
  statement<Level, LevelRow>()(
    `included.find${suffix}`,
    level(shape, LIVE_REFERENCES, { columns: '', shown: SHOWN, tables: '', size: SIZE }),
  ),
);

/** The same if the sources are shown with their drafts. The entries found are too, with `showDrafts`. */
export const FIND_INCLUDED_WITH_DRAFTS = ofShape((shape, suffix) =>
  statement<DraftedLevel, DraftedLevelRow>()(
    `included.find_with_drafts${suffix}`,
    level(shape, DRAFTED_REFERENCES, {
      columns: ', d.fields AS draft, d.bases',
      shown: `${SHOWN}, CASE WHEN e.is_shown THEN e.draft END AS draft, CASE WHEN e.is_shown THEN e.bases END AS bases`,
      // Not with AND, which would leave nothing of the condition if drafts are not shown. Citus would not know the tenant then.
      tables: `LEFT JOIN entry_drafts d ON d.tenant_id = :tenantId AND d.content_type_id = l.type AND d.entry_id = u.id
            AND CASE WHEN d.fields IS NOT NULL THEN :showDrafts::boolean END`,
      size: `${SIZE} + coalesce(d.size, 0)`,
    }),
  ),
);

/** One statement for each shape: only entries that are shown in full have the columns that this needs. */
function ofShape<One>(make: (shape: Shape, suffix: string) => One): Record<Shape, One> {
  return { plain: make('plain', ''), full: make('full', '_full') };
}

interface Named {
  typeIds: readonly string[];
  ids: readonly string[];
  publishedOnly: boolean;
}

/** An entry of any type. */
export type IncludedRow = EntryRow & { typeId: string };

const COLUMNS = `n.type AS "typeId", e.id, e.fields, e.status, e.created_at AS "createdAt", e.updated_at AS "updatedAt",
    e.published_at AS "publishedAt"`;

const BY_IDS = `FROM unnest(:typeIds::uuid[], :ids::uuid[]) AS n (type, id)
    CROSS JOIN LATERAL (
      SELECT id, ${liveFields('entries', 'n.type')} AS fields, status, created_at, updated_at, published_at FROM entries
      WHERE tenant_id = :tenantId AND content_type_id = n.type AND id = n.id AND (NOT :publishedOnly::boolean OR status = 'published')
      OFFSET 0
    ) e` as const;

/** Reads the included entries that the level's statement left out. */
export const INCLUDED_BY_IDS = statement<Named, IncludedRow>()('included.by_ids', `SELECT ${COLUMNS} ${BY_IDS}`);

export const INCLUDED_DRAFTS_BY_IDS = statement<Named, IncludedRow & { draft: string | null; bases: string | null }>()(
  'included.drafts_by_ids',
  `SELECT ${COLUMNS}, d.fields AS draft, d.bases ${BY_IDS}
    LEFT JOIN entry_drafts d ON d.tenant_id = :tenantId AND d.content_type_id = n.type AND d.entry_id = n.id AND d.fields IS NOT NULL`,
);
