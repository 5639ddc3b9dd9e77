import { statement } from '../../database/statements/statement.js';
import type { TextArray } from '../../database/statements/text-array.js';
import { firstShown } from '../locales/first-shown.sql.js';
import { LARGE_BYTES } from '../../lists/large-json.js';
import type { SearchLanguage } from '../../search/stemmer.js';
import { liveFields } from '../entries/live-fields.js';
import type { EntryStatus } from '../entries/entry.entity.js';
import { keepToTypes, type OfTypes } from '../narrowed-lists.js';

/** A search looks into at most this many content types: those that changed last. */
const MAX_TYPES = 500;
/** Matches of one step in one content type that are looked at: of those that the caller may see. */
const MAX_MATCHES = 500;

/** The content types that a search over all of them looks into. */
export const SEARCHED_TYPES = statement<OfTypes, { id: string; language: SearchLanguage | null }>()(
  'content_search.types',
  `SELECT id, language FROM content_types WHERE tenant_id = :tenantId AND ${keepToTypes('id')}
    ORDER BY updated_at DESC, id LIMIT ${MAX_TYPES}`,
);

/** The same for a search in a locale, with their locales as JSON; null if no field is localized. */
export const SEARCHED_TYPES_IN_LOCALE = statement<
  OfTypes,
  { id: string; language: SearchLanguage | null; locales: string | null }
>()(
  'content_search.types_in_locale',
  `SELECT id, language, locales FROM content_types WHERE tenant_id = :tenantId AND ${keepToTypes('id')}
    ORDER BY updated_at DESC, id LIMIT ${MAX_TYPES}`,
);

/** Each step is a tsquery and the content type that it looks into, the best matches first. */
interface Steps {
  types: TextArray;
  queries: TextArray;
  /** How good the matches of each step are, from 0. */
  ranks: readonly number[];
}

const OF_STEP =
  'w.tenant_id = :tenantId COLLATE "POSIX" AND w.content_type_id IS NOT DISTINCT FROM s.type AND w.words @@ s.query::tsquery AND ts_match_vq(w.words, s.query::tsquery)' as const;

const findEntries = <const Arrays extends string, const Names extends string, const Words extends string>(
  arrays: Arrays,
  names: Names,
  words: Words,
) =>
  `SELECT s.rank, s.type AS "typeId", f.id
    FROM unnest(:types::uuid[], :queries::text[], :ranks::int[]${arrays}) AS s (type, query, rank${names})
    CROSS JOIN LATERAL (
      SELECT m.id FROM (
        SELECT w.entry_id AS id FROM ${words}
          AND (:withDrafts::boolean OR (
            SELECT e.status FROM entries e WHERE e.tenant_id = :tenantId AND e.content_type_id = s.type AND e.id = w.entry_id
          ) = 'published')
        LIMIT ${MAX_MATCHES}
      ) m
      ORDER BY m.id DESC LIMIT :perStep
    ) f
    LIMIT :limit` as const;

/** A match of a step. */
interface Match {
  rank: number;
  typeId: string;
  id: string;
}

/**
 * Carries out the steps in their order until there are `limit` matches; an entry may be found by several steps. Of each step, returns the newest of
 * the matches that are looked at. The comparisons with the tenant and the type exclude all indexes but that of words, whose lexemes include the type.
 */
export const FIND_ENTRIES = statement<Steps & { withDrafts: boolean; perStep: number; limit: number }, Match>()(
  'content_search.find',
  findEntries('', '', `entry_words w WHERE ${OF_STEP}`),
);

/** The same in a locale. `views` has the view of each step; empty for a type without localized fields. */
export const FIND_ENTRIES_IN_LOCALE = statement<
  Steps & { views: TextArray; withDrafts: boolean; perStep: number; limit: number },
  Match
>()(
  'content_search.find_in_locale',
  findEntries(
    ', :views::text[]',
    ', view',
    `(
          SELECT w.entry_id FROM entry_words w WHERE s.view = '' AND ${OF_STEP}
          UNION ALL
          SELECT w.entry_id FROM entry_locale_words w WHERE s.view <> '' AND s.view = ANY (w.views) AND ${OF_STEP}
        ) w WHERE true`,
  ),
);

/** An entry that was found. `title` is JSON, null if there is none; `fields` is null if the entry is large. */
export interface SearchedRow {
  typeId: string;
  typeVersion: number;
  id: string;
  status: EntryStatus;
  updatedAt: string;
  title: string | null;
  fields: string | null;
}

const readFound = <const Title extends string, const Names extends string>(title: Title, names: Names) =>
  `SELECT f.type AS "typeId", e."typeVersion", f.id, e.status, e."updatedAt", ${title} AS title,
      CASE WHEN e.size < ${LARGE_BYTES} THEN e.fields END AS fields
    FROM unnest(:types::uuid[], :ids::uuid[], :titles::text[]) WITH ORDINALITY AS f (type, id, ${names}, place)
    CROSS JOIN LATERAL (
      SELECT x.status, x.updated_at AS "updatedAt", t.version AS "typeVersion", ${liveFields('x', 'f.type')} AS fields,
        coalesce(x.size, octet_length(x.fields::text)) AS size
      FROM entries x JOIN content_types t ON t.tenant_id = :tenantId AND t.id = f.type
      WHERE x.tenant_id = :tenantId AND x.content_type_id = f.type AND x.id = f.id
        AND (:withDrafts::boolean OR x.status = 'published')
    ) e
    ORDER BY f.place` as const;

interface FoundEntries {
  types: TextArray;
  ids: TextArray;
  titles: TextArray;
  withDrafts: boolean;
}

/** Reads the entries that still exist, in the order of the arrays. `titles` are the names of the title fields; empty if a type has none. */
export const READ_FOUND = statement<FoundEntries, SearchedRow>()(
  'content_search.read',
  readFound('e.fields -> f.title', 'title'),
);

/** The same in a locale. Each of `titles` has the stored names of the titles, the one that is preferred first, with spaces between them. */
export const READ_FOUND_IN_LOCALE = statement<FoundEntries, SearchedRow>()(
  'content_search.read_in_locale',
  readFound(`(SELECT s.value FROM (${firstShown('e.fields', "string_to_array(f.titles, ' ')")}) s)`, 'titles'),
);
