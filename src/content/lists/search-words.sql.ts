import { statement } from '../../database/statements/statement.js';

/** Words that one part may find, and all parts of a kind together. In real texts, a part finds some hundred. */
const MAX_OF_PART = 5_000;
const MAX_OF_KIND = 10_000;

interface Parts {
  typeId: string;
  startLengths: readonly number[];
  starts: readonly string[];
  endLengths: readonly number[];
  ends: readonly string[];
  middleLengths: readonly number[];
  middles: readonly string[];
}

const OF_LENGTH = 'tenant_id = :tenantId AND content_type_id = :typeId AND length = p.length';
/** The last character of Unicode. */
const BEYOND = 'chr(1114111)';

/** Finds the words of a type that have one of the parts, separated by spaces (see `sharedParts`). Each part is looked up in an index. */
export const WORDS_BY_PARTS = statement<Parts, { words: string | null }>()(
  'search_words.by_parts',
  `SELECT string_agg(found.word, ' ') AS words FROM (
    (SELECT w.word FROM unnest(:startLengths::int[], :starts::text[]) AS p (length, part) CROSS JOIN LATERAL (
      SELECT word FROM search_words WHERE ${OF_LENGTH} AND word >= p.part AND word < p.part || ${BEYOND} LIMIT ${MAX_OF_PART}
    ) w LIMIT ${MAX_OF_KIND})
    UNION ALL
    (SELECT w.word FROM unnest(:endLengths::int[], :ends::text[]) AS p (length, part) CROSS JOIN LATERAL (
      SELECT word FROM search_words WHERE ${OF_LENGTH} AND reverse(word) >= p.part AND reverse(word) < p.part || ${BEYOND}
      LIMIT ${MAX_OF_PART}
    ) w LIMIT ${MAX_OF_KIND})
    UNION ALL
    (SELECT w.word FROM unnest(:middleLengths::int[], :middles::text[]) AS p (length, part) CROSS JOIN LATERAL (
      SELECT word FROM search_words WHERE ${OF_LENGTH} AND length >= 6
        AND substr(word, (length - 2) / 3 + 2, length - (length - 2) / 3 * 2 - 2) = p.part LIMIT ${MAX_OF_PART}
    ) w LIMIT ${MAX_OF_KIND})
  ) found`,
);
