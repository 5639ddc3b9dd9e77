import type { Value } from '../database/database.js';
import { type LargeStatements, unlessLarge } from '../lists/large-json.js';
import type { Section } from './submission-sort.js';

/** Which part of a section a page takes; `after` is a `place` of a row before. */
export interface Cut {
  limit: number;
  offset?: number;
  after?: readonly (string | null)[];
}

/** How many keys a place in the section has. */
export function placeLength(section: Section): number {
  return section === null ? 1 : 2;
}

/**
 * The statement of a page, which walks one index. `$1` is the tenant, `$2` the form. Each row has the form's `total`; a page without
 * records is one row that has nothing else.
 */
export function selectPage(
  formId: string,
  section: Section,
  descending: boolean,
  { limit, offset = 0, after }: Cut,
): { text: string; values: Value[] } {
  const values: Value[] = [formId];
  const bind = (value: Value) => `$${values.push(value) + 1}`;
  const direction = descending ? 'DESC' : 'ASC';
  const keys = section === null ? ['v.id'] : ['v.sort_key', 'v.submission_id'];
  const from = section === null ? 'submissions v' : 'submission_values v';
  const where = ['v.tenant_id = $1 AND v.form_id = $2'];
  if (section !== null) where.push(`v.field = ${bind(section)}`);
  if (after) where.push(`(${keys.join(', ')}) ${descending ? '<' : '>'} (${after.map(bind).join(', ')})`);
  const text = `SELECT c.total, p.sort_key, s.id, ${unlessLarge('s.fields', 's.size')} AS fields, s.created_at
    FROM (
      SELECT coalesce(sum(submissions), 0)::bigint AS total FROM submission_counts WHERE tenant_id = $1 AND form_id = $2
    ) c LEFT JOIN (
      (
        SELECT ${keys.at(-1)} AS id, ${section === null ? 'NULL' : 'v.sort_key'} AS sort_key
        FROM ${from} WHERE ${where.join(' AND ')}
        ORDER BY ${keys.map((key) => `${key} ${direction}`).join(', ')}
        LIMIT ${limit} OFFSET ${bind(offset)}
      ) p CROSS JOIN LATERAL (
        SELECT id, fields, size, created_at FROM submissions WHERE tenant_id = $1 AND form_id = $2 AND id = p.id OFFSET 0
      ) s
    ) ON true
    ORDER BY p.sort_key ${direction}, p.id ${direction}`;
  return { text, values };
}

const BY_IDS = 'FROM submissions WHERE tenant_id = $1 AND form_id = $2 AND id = ANY ($3::uuid[])';

/** The large submissions of a list, by the ids `$3`. */
export const LARGE_SUBMISSIONS: LargeStatements = {
  sizes: {
    name: 'submissions.sizes',
    text: `SELECT id, coalesce(size, octet_length(fields::text)) AS bytes ${BY_IDS}`,
  },
  rows: { name: 'submissions.by_ids', text: `SELECT id, fields, created_at ${BY_IDS}` },
};

/** How many submissions are in a section of the index by field: `$3`. */
export const COUNT_SECTION = {
  name: 'submissions.count_section',
  text: 'SELECT count(*) FROM submission_values WHERE tenant_id = $1 AND form_id = $2 AND field = $3',
};
