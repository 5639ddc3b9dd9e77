import { LOCALE_STATE } from '../../fields/localized/localized-names.js';

/**
 * SQL that selects `name` and `value`, as JSON, of the first of some stored values that `fields` has and shows: locales that are taken off are passed
 * over (see `shownValue`). `names` is a text array.
 */
export const firstShown = <const Fields extends string, const Names extends string>(fields: Fields, names: Names) =>
  `SELECT n.name, ${fields} -> n.name AS value FROM unnest(${names}) WITH ORDINALITY AS n (name, place)
      WHERE ${fields} -> n.name IS NOT NULL
        AND jsonb_exists((${fields} -> '${LOCALE_STATE}' -> 'off')::jsonb, split_part(n.name, '@', 2)) IS NOT TRUE
      ORDER BY n.place LIMIT 1` as const;
