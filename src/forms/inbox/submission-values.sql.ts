import type { Bindings } from '../../database/bindings.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { textRows, textTest } from '../../lists/filters/text-rows.js';
import type { SoughtKey, ValueCondition } from '../../lists/filters/value-conditions.js';
import { BY_SUBMISSION, sectionOfSpam, sectionWithout } from '../submissions/submission-index.js';
import type { Part } from './submission-strategy.js';

export type Verdict = 'ok' | 'spam';

/** Where the values of a condition go, and the verdicts of the submissions that are looked at. */
export interface Scope {
  bindings: Bindings;
  verdicts: readonly Verdict[];
}

/** The discriminator of rows that were written before the column existed. */
const UNKNOWN = `'?'`;

/**
 * SQL that selects `id` and `sort_key` from the index rows that meet the condition, which must not be negated, or be absence. Each submission
 * occurs once, unless `often`.
 */
export function valueRows(condition: ValueCondition, scope: Scope, how: 'often' | 'distinct'): string {
  const { field } = condition;
  const isAbsence = condition.kind === 'present' && condition.negated;
  const distinct = how === 'distinct' && !isAbsence && field.multiple ? 'DISTINCT ' : '';
  const selected = distinct ? 'v.submission_id AS id' : 'v.submission_id AS id, v.sort_key';
  const section = isAbsence ? sectionWithout(field.indexName) : field.filterField;
  return scope.verdicts
    .map((verdict) => {
      const tests = [ofSection(section, verdict, scope), ...rowTests(condition, 'v', scope)];
      return `SELECT ${distinct}${selected} FROM submission_values v WHERE ${tests.join(' AND ')}`;
    })
    .join(' UNION ALL ');
}

/**
 * SQL that selects `id` and `sort_key` of the rows of a sort field that meet the conditions, or of the submissions without a value. With `id`,
 * only those of this submission.
 */
export function sectionRows(
  field: CompiledField,
  part: Part,
  conditions: readonly ValueCondition[],
  scope: Scope,
  { id, order }: { id?: string; order?: string } = {},
): string {
  const section = part === 'valued' ? field.sortField : sectionWithout(field.indexName);
  const rows = scope.verdicts.map((verdict) => {
    const tests = [ofSection(section, verdict, scope), ...conditions.flatMap((one) => rowTests(one, 'v', scope))];
    if (id !== undefined) tests.push(`v.submission_id = ${id} AND v.${BY_SUBMISSION}`);
    return `SELECT v.submission_id AS id, v.sort_key FROM submission_values v WHERE ${tests.join(' AND ')}`;
  });
  // Each is ordered by itself, so that they are merged instead of sorted.
  if (order === undefined || rows.length === 1) return rows.join(' UNION ALL ');
  return rows.map((row) => `(${row} ORDER BY ${order})`).join(' UNION ALL ');
}

/** SQL that tests whether the submission `id` meets the condition. It is a scalar subquery, which the planner cannot turn into a join. */
export function meetsValue(condition: ValueCondition, id: string, scope: Scope): string {
  const sections = sectionsOf(condition.field.filterField, scope.verdicts);
  const tests = [
    `v.tenant_id = $1 AND v.form_id = $2 AND v.submission_id = ${id} AND v.${BY_SUBMISSION}`,
    `v.field = ANY (${scope.bindings.add(sections)}::text[])`,
    ...rowTests(condition, 'v', scope),
  ];
  const found = `(SELECT true FROM submission_values v WHERE ${tests.join(' AND ')} LIMIT 1)`;
  return condition.negated ? `${found} IS NULL` : found;
}

function sectionsOf(section: string, verdicts: readonly Verdict[]): string[] {
  return verdicts.map((verdict) => (verdict === 'spam' ? sectionOfSpam(section) : section));
}

function ofSection(section: string, verdict: Verdict, { bindings }: Scope): string {
  const [name = ''] = sectionsOf(section, [verdict]);
  return `v.tenant_id = $1 AND v.form_id = $2 AND v.field = ${bindings.add(name)}`;
}

/** SQL that is true for the index rows `alias` of the field that meet the condition, or those that do not if it is negated. */
function rowTests(condition: ValueCondition, alias: string, { bindings }: Scope): string[] {
  switch (condition.kind) {
    case 'present':
      return [];
    case 'range': {
      const { from, below } = condition;
      return [
        ...(from === undefined ? [] : [`${alias}.sort_key >= ${bindings.add(from)}`]),
        ...(below === undefined ? [] : [`${alias}.sort_key < ${bindings.add(below)}`]),
      ];
    }
    case 'keys':
      return keyTests(condition, alias, bindings);
    case 'text': {
      const inValue = `(${storedText(condition.field, alias, bindings, textTest(condition.parts, bindings))})`;
      const tests = textRows(condition.parts, alias, bindings, inValue);
      const test = `CASE WHEN ${alias}.discriminator = ${UNKNOWN} THEN ${inValue} ELSE (${tests.at(-1)}) END`;
      return [...tests.slice(0, -1), test];
    }
  }
}

/** A value of a text has the same key as others that differ in case, accents or after many characters. The discriminator tells them apart. */
function keyTests(
  { field, keys }: Extract<ValueCondition, { kind: 'keys' }>,
  alias: string,
  bindings: Bindings,
): string[] {
  const sortKeys = keys.map(({ key }) => key);
  const [only, ...others] = sortKeys;
  const ofKeys =
    only !== undefined && others.length === 0
      ? `${alias}.sort_key = ${bindings.add(only)}`
      : `${alias}.sort_key = ANY (${bindings.add(sortKeys)}::text[])`;
  if (!field.textual) return [ofKeys];
  return [ofKeys, `(${exactly(field, keys, alias, bindings)})`];
}

function exactly(field: CompiledField, keys: readonly SoughtKey[], alias: string, bindings: Bindings): string {
  const pairs = `unnest(${bindings.add(keys.map(({ key }) => key))}::text[], ${bindings.add(keys.map(({ discriminator }) => discriminator))}::text[])`;
  const known = `(${alias}.sort_key, ${alias}.discriminator) IN (SELECT * FROM ${pairs})`;
  const texts = bindings.add(keys.map(({ text = '' }) => text));
  const stored = storedText(field, alias, bindings, (value) => `${value} = ANY (${texts}::text[])`);
  return `CASE WHEN ${alias}.discriminator = ${UNKNOWN} THEN (${stored}) ELSE ${known} END`;
}

/** SQL that applies a test to the value as it is stored. */
function storedText(
  { name }: CompiledField,
  alias: string,
  bindings: Bindings,
  test: (value: string) => string,
): string {
  const value = `f.fields ->> ${bindings.add(name)}`;
  return `SELECT ${test(`(${value})`)} FROM submissions f
    WHERE f.tenant_id = $1 AND f.form_id = $2 AND f.id = ${alias}.submission_id`;
}
