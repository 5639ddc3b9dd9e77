import { liveFields } from '../entries/live-fields.js';
import { firstShown } from '../locales/first-shown.sql.js';
import { statement } from '../../database/statements/statement.js';
import type { TextArray } from '../../database/statements/text-array.js';

/** Titles that have words of a search, over all words. If there are more, the search is refused. */
export const MAX_TITLES = 5_000;

/** A look-up: a term and a content type whose titles may have it. */
interface LookUps {
  types: TextArray;
  /** The version of each type that the look-up relies on. */
  versions: TextArray;
  /** Tsqueries (see `TitleMatch`). */
  found: TextArray;
  certain: TextArray;
}

/** A title that has, or may have, the term of the look-up at the position `place`, from 1. */
interface FoundTitle {
  place: number;
  id: string;
  isCertain: boolean;
  /** If it is not certain: the size of the entry's JSON in bytes, if it is known. */
  size: number | null;
}

/** A title, or a row of nulls if there are none. */
type Row = { isCurrent: boolean } & (FoundTitle | { [Column in keyof FoundTitle]: null });

const findTitles = <const Arrays extends string, const Names extends string, const Found extends string>(
  arrays: Arrays,
  names: Names,
  found: Found,
) =>
  `SELECT c."isCurrent", f.place, f.id, f."isCertain", CASE WHEN f."isCertain" THEN NULL ELSE (
      SELECT e.size FROM entries e WHERE e.tenant_id = :tenantId AND e.content_type_id = f.type AND e.id = f.id
    ) END AS size
    FROM (
      SELECT coalesce(bool_and((
        SELECT true FROM content_types t WHERE t.tenant_id = :tenantId AND t.id = n.type AND t.version = n.version
      ) IS TRUE), true) AS "isCurrent"
      FROM (SELECT DISTINCT type, version FROM unnest(:types::uuid[], :versions::int[]) AS n (type, version)) n
    ) c
    LEFT JOIN LATERAL (
      SELECT s.place::int, s.type, w.id, w."isCertain"
      FROM unnest(:types::uuid[], :found::text[], :certain::text[]${arrays}) WITH ORDINALITY AS s (type, found, certain${names}, place)
      CROSS JOIN LATERAL (
        SELECT w.entry_id AS id, w.words @@ s.certain::tsquery AS "isCertain" FROM ${found}
          AND (:withDrafts::boolean OR (
            SELECT true FROM entries e
            WHERE e.tenant_id = :tenantId AND e.content_type_id = s.type AND e.id = w.entry_id AND e.status = 'published'
          ))
        LIMIT ${MAX_TITLES + 1}
      ) w LIMIT ${MAX_TITLES + 1}
    ) f ON c."isCurrent"` as const;

const OF_TYPE = `w.tenant_id = :tenantId COLLATE "POSIX" AND w.content_type_id IS NOT DISTINCT FROM s.type AND w.words @@ s.found::tsquery`;

/** Finds titles, at most one more than `MAX_TITLES`. If a type has another version, finds nothing and `isCurrent` is false. */
export const FIND_TITLES = statement<LookUps & { withDrafts: boolean }, Row>()(
  'referenced_titles.find',
  findTitles('', '', `entry_words w WHERE ${OF_TYPE}`),
);

/** The same, of the titles that are shown in a locale. `views` has the view of each look-up; empty for a type without localized fields. */
export const FIND_TITLES_IN_LOCALE = statement<LookUps & { views: TextArray; withDrafts: boolean }, Row>()(
  'referenced_titles.find_in_locale',
  findTitles(
    ', :views::text[]',
    ', view',
    `(
          SELECT w.entry_id, w.words FROM entry_words w WHERE s.view = '' AND ${OF_TYPE}
          UNION ALL
          SELECT w.entry_id, w.words FROM entry_locale_words w WHERE s.view <> '' AND s.view = ANY (w.views) AND ${OF_TYPE}
        ) w WHERE true`,
  ),
);

/** Reads the values of the title of some entries, as JSON. */
export const READ_TITLES = statement<
  { typeId: string; ids: readonly string[]; title: string; withDrafts: boolean },
  { id: string; title: string | null }
>()(
  'referenced_titles.read',
  `SELECT id, (${liveFields('entries', ':typeId')}) -> :title::text AS title FROM entries
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = ANY (:ids::uuid[])
      AND (:withDrafts::boolean OR status = 'published')`,
);

/** Reads the titles that are shown in a locale: of the stored values `titles`, the first that an entry has and shows, and its name. */
export const READ_SHOWN_TITLES = statement<
  { typeId: string; ids: readonly string[]; titles: readonly string[]; withDrafts: boolean },
  { id: string; title: string | null; source: string }
>()(
  'referenced_titles.read_shown',
  `SELECT e.id, s.name AS source, s.value AS title
    FROM (
      SELECT id, ${liveFields('entries', ':typeId')} AS fields FROM entries
      WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = ANY (:ids::uuid[])
        AND (:withDrafts::boolean OR status = 'published')
      OFFSET 0
    ) e
    CROSS JOIN LATERAL (${firstShown('e.fields', ':titles::text[]')}) s`,
);
