import { Bindings, type Composed } from '../database/bindings.js';
import { statement } from '../database/statement.js';
import { type LargeRow, type LargeStatements, unlessLarge } from '../lists/large-json.js';
import type { Place } from '../lists/page.js';
import type { SubmissionRow } from './submission-presenter.js';
import type { Section } from './submission-sort.js';

/** The part of a section that a page takes. `after` holds the keys of the row before it. */
export interface Cut {
  limit: number;
  offset?: number;
  after?: Place;
}

/** A row of `selectPage`, with the form's `total`. A page without submissions is one row that contains nothing else. */
export type PageRow = { total: number; sortKey: string | null } & (SubmissionRow | LargeRow | { id: null });

/** The number of keys of a place in the section. */
export function placeLength(section: Section): number {
  return section === null ? 1 : 2;
}

/** The statement of a page, which walks one index. Its rows are `PageRow`s. */
export function selectPage(
  formId: string,
  section: Section,
  descending: boolean,
  { limit, offset = 0, after }: Cut,
): Composed {
  const bindings = new Bindings();
  const isOfForm = `tenant_id = $1 AND form_id = ${bindings.add(formId)}`;
  const direction = descending ? 'DESC' : 'ASC';
  const keys = section === null ? ['v.id'] : ['v.sort_key', 'v.submission_id'];
  const from = section === null ? 'submissions v' : 'submission_values v';
  const where = [isOfForm];
  if (section !== null) where.push(`v.field = ${bindings.add(section)}`);
  if (after) {
    const values = after.map((key) => bindings.add(key));
    where.push(`(${keys.join(', ')}) ${descending ? '<' : '>'} (${values.join(', ')})`);
  }
  const text = `SELECT c.total, p.sort_key AS "sortKey", s.id, ${unlessLarge('s.fields', 's.size')} AS fields,
      s.created_at AS "createdAt"
    FROM (
      SELECT coalesce(sum(submissions), 0)::bigint AS total FROM submission_counts WHERE ${isOfForm}
    ) c LEFT JOIN (
      (
        SELECT ${keys.at(-1)} AS id, ${section === null ? 'NULL' : 'v.sort_key'} AS sort_key
        FROM ${from} WHERE ${where.join(' AND ')}
        ORDER BY ${keys.map((key) => `${key} ${direction}`).join(', ')}
        LIMIT ${limit} OFFSET ${bindings.add(offset)}
      ) p CROSS JOIN LATERAL (
        SELECT id, fields, size, created_at FROM submissions WHERE ${isOfForm} AND id = p.id OFFSET 0
      ) s
    ) ON true
    ORDER BY p.sort_key ${direction}, p.id ${direction}`;
  return { text, values: bindings.values };
}

const BY_IDS = 'FROM submissions WHERE tenant_id = :tenantId AND form_id = :formId AND id = ANY (:ids::uuid[])';

/** The large submissions of a list. */
export const LARGE_SUBMISSIONS: LargeStatements<{ formId: string }, SubmissionRow> = {
  sizes: statement<{ formId: string; ids: readonly string[] }, { id: string; bytes: number }>()(
    'submissions.sizes',
    `SELECT id, coalesce(size, octet_length(fields::text)) AS bytes ${BY_IDS}`,
  ),
  rows: statement<{ formId: string; ids: readonly string[] }, SubmissionRow>()(
    'submissions.by_ids',
    `SELECT id, fields, created_at AS "createdAt" ${BY_IDS}`,
  ),
};

/** The number of submissions in a section of the index by field. A null section matches no row. */
export const COUNT_SECTION = statement<{ formId: string; section: Section }, { count: number }>()(
  'submissions.count_section',
  'SELECT count(*) FROM submission_values WHERE tenant_id = :tenantId AND form_id = :formId AND field = :section',
);
