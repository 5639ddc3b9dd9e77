import { allOf, type Condition, conjuncts } from '../../lists/conditions/condition.js';
import type { ListTable } from '../../lists/engine/list-table.js';
import type { ListQuery } from '../../lists/engine/list-query.js';
import { resolveFilter } from '../../lists/filters/resolve-filter.js';
import { unlessLarge } from '../../lists/large-json.js';
import { searchMatch } from '../../search/search-match.js';
import { readSearch } from '../../search/search-query.js';
import { partitionOf } from '../../search/words.js';
import type { CompiledForm } from '../form-schemas.js';
import { STATE } from '../submissions/submission-counts.sql.js';
import { BY_SUBMISSION, sectionOfSpam, sectionWithout } from '../submissions/submission-index.js';
import { fullColumns } from './submission-full.js';
import type { Selection } from './submission-list-request.js';
import { SubmissionNames } from './submission-names.js';
import { hasRow, OF_VERDICT, type Verdict } from './submission-rows.js';

const COUNTER: Record<Verdict, string> = { ok: 'submissions', spam: 'spam' };

/** The columns of the full view that are read from the row. */
const FULL = ['verdict', 'reasons', 'state', 'note', 'origin', 'locale'];

/** The submissions of a form with these verdicts, in the full view with all columns. */
export function submissionTable(
  { id, version }: Pick<CompiledForm, 'id' | 'version'>,
  verdicts: readonly Verdict[],
  isFull: boolean,
): ListTable {
  const [verdict, ...others] = verdicts;
  const counter = verdicts.map((one) => COUNTER[one]).join(' + ');
  const all = `(SELECT coalesce(sum(${counter}), 0)::bigint FROM submission_counts WHERE tenant_id = $1 AND form_id = $2)`;
  return {
    name: 'submissions',
    id: 'id',
    parent: { column: 'form_id', id },
    ...(verdict && others.length === 0 && { part: `e.${OF_VERDICT[verdict]}` }),
    columns: {
      read: (row) => ['fields', 'size', 'created_at', ...(isFull ? FULL : [])].map((one) => `${row}.${one}`).join(', '),
      shown: (row) =>
        `${unlessLarge(`${row}.fields`, `${row}.size`)} AS fields, ${row}.created_at AS "createdAt"${
          isFull ? `, ${fullColumns(row, '$1')}` : ''
        }`,
    },
    values: {
      table: 'submission_values',
      row: 'submission_id',
      sections: (name) => verdicts.map((one) => (one === 'spam' ? sectionOfSpam(name) : name)),
      absent: ({ indexName }) => sectionWithout(indexName),
      byRow: BY_SUBMISSION,
      storedText: ({ name }, submission, test, { bindings }) =>
        `SELECT ${test(`s.fields ->> ${bindings.add(name)}`)} FROM submissions s
          WHERE s.tenant_id = $1 AND s.form_id = $2 AND s.id = ${submission}`,
    },
    words: { table: 'submission_words', row: 'submission_id' },
    counters: {
      all,
      of: (conditions) => (conditions.length === 0 ? all : undefined),
      state: () => STATE,
      versions: () => [version],
    },
  };
}

/** Looks up the names in the form. Throws a 400, and a 503 while the submissions are being indexed by a field. */
export function submissionQuery(form: CompiledForm, selection: Selection): ListQuery {
  const { filters, period, verdicts, states, search, sort } = selection;
  const names = new SubmissionNames(form, verdicts);
  const sought = search === undefined ? undefined : readSearch(search);
  const ids = period ? [{ ranges: [period], negated: false }] : [];
  const conditions = [
    ...filters.map((filter) => resolveFilter(filter, names)),
    ...(states || period ? [hasRow(verdicts, { states, ids })] : []),
  ];
  return {
    conditions: conjuncts(allOf(conditions)).map(orAbsent),
    search: sought && searchMatch(partitionOf(form.id), sought),
    sort: names.order(sort),
  };
}

/** The index has a row for a missing value. */
function orAbsent(condition: Condition): Condition {
  const isAbsence = condition.kind === 'present' && condition.negated;
  return isAbsence ? { kind: 'absent', field: condition.field, negated: false } : condition;
}
