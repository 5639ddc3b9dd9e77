import type { ValueKey } from '../../fields/sort-key.js';
import type { ValueIndex } from '../engine/list-table.js';
import { type Condition, isOnField, readsRow } from './condition.js';
import { cheapestOf, hasCandidates, isOneKey } from './driving-conditions.js';
import { joinRow, ofParent, type Scope } from './scope.js';
import { textRows, textTest } from './text-rows.js';
import type { ValueCondition } from './value-condition.js';

/** SQL that selects the `id` of the rows that can match. Each occurs once, unless `mayRepeat`, which finds the first ones without reading all. */
export function candidateIds(condition: Condition, scope: Scope, mayRepeat = false): string {
  if (condition.kind === 'any') {
    const alternatives = condition.conditions.map((one) => `(${candidateIds(one, scope, true)})`);
    return alternatives.join(mayRepeat ? ' UNION ALL ' : ' UNION ');
  }
  if (condition.kind === 'all') {
    return candidateIds(cheapestOf(condition.conditions.filter(hasCandidates)), scope, mayRepeat);
  }
  if (isOnField(condition)) {
    const isDistinct = !mayRepeat && !isOneKey(condition) && condition.field.multiple;
    const columns = `${isDistinct ? 'DISTINCT ' : ''}v.${valueIndex(scope).row} AS id`;
    return valueRows(columns, sectionsOf(condition, scope), [condition], scope).join(' UNION ALL ');
  }
  if (condition.kind !== 'custom' || !condition.find) throw new Error('No index finds the rows of the condition.');
  return condition.find(scope, mayRepeat);
}

/**
 * SQL that tests whether the row with this ID meets the condition. If the condition reads the row itself, `e` must be its alias. The index is
 * tested in a scalar subquery, which the planner cannot turn into a join of whole tables.
 */
export function meets(condition: Condition, id: string, scope: Scope): string {
  switch (condition.kind) {
    case 'all':
    case 'any': {
      const tests = condition.conditions.map((one) => meets(one, id, scope));
      return `(${tests.join(condition.kind === 'all' ? ' AND ' : ' OR ')})`;
    }
    case 'constant':
      return String(condition.holds);
    case 'custom':
      return unlessNegated(condition, condition.test(id, scope));
    case 'keys':
    case 'range':
    case 'present':
    case 'absent':
    case 'text': {
      const rows = rowsById(sectionsOf(condition, scope), id, scope, valueTests([condition], scope));
      return unlessNegated(condition, `(SELECT true ${rows} LIMIT 1)`);
    }
  }
}

/** SQL that tests all of the conditions, and the join of the row that their tests read. */
export function meetsAll(
  conditions: readonly Condition[],
  id: string,
  scope: Scope,
): { join: string; tests: string[] } {
  return {
    join: conditions.some(readsRow) ? joinRow(id, scope) : '',
    tests: conditions.map((condition) => meets(condition, id, scope)),
  };
}

/** The test, or its opposite, which also holds if the test is null. */
function unlessNegated({ negated }: { negated: boolean }, test: string): string {
  return negated ? `(${test}) IS NOT TRUE` : test;
}

/** The index of values. Only tables that have one have conditions on fields. */
export function valueIndex({ table }: Scope): ValueIndex {
  if (!table.values) throw new Error(`The rows of ${table.name} have no fields.`);
  return table.values;
}

/** The names under which the index has the rows that a condition on a field finds. */
function sectionsOf(condition: ValueCondition, scope: Scope): readonly string[] {
  const { absent } = valueIndex(scope);
  const { field } = condition;
  return sectionsNamed(condition.kind === 'absent' && absent ? absent(field) : field.filterField, scope);
}

/** The names under which the index has the rows that fields have under this name. */
export function sectionsNamed(name: string, scope: Scope): readonly string[] {
  return valueIndex(scope).sections?.(name) ?? [name];
}

/** SQL that selects columns of the rows `v` of the index under each of the names that meet the conditions on their field. */
export function valueRows(
  columns: string,
  sections: readonly string[],
  conditions: readonly ValueCondition[],
  scope: Scope,
): string[] {
  return sections.map((section) => {
    const tests = [ofParent('v', scope), `v.field = ${scope.bindings.add(section)}`, ...valueTests(conditions, scope)];
    return `SELECT ${columns} FROM ${valueIndex(scope).table} v WHERE ${tests.join(' AND ')}`;
  });
}

/** SQL after SELECT: the rows `v` of the index by ID. */
export function rowsById(sections: readonly string[], id: string, scope: Scope, tests: readonly string[] = []): string {
  const { table, row, byRow } = valueIndex(scope);
  const [only = '', ...others] = sections;
  const field =
    others.length === 0 ? `= ${scope.bindings.add(only)}` : `= ANY (${scope.bindings.add(sections)}::text[])`;
  const all = [
    `${ofParent('v', scope)} AND v.${row} = ${id}`,
    ...(byRow === undefined ? [] : [`v.${byRow}`]),
    `v.field ${field}`,
    ...tests,
  ];
  return `FROM ${table} v WHERE ${all.join(' AND ')}`;
}

/** SQL that is true for the rows `v` of the index, which are those of the field, that meet the conditions. */
function valueTests(conditions: readonly ValueCondition[], scope: Scope): string[] {
  const { bindings } = scope;
  return conditions.flatMap((condition) => {
    switch (condition.kind) {
      case 'present':
      case 'absent':
        return [];
      case 'keys':
        return keyTests(condition.keys, scope);
      case 'range':
        return [
          ...(condition.from === undefined ? [] : [`v.sort_key >= ${bindings.add(condition.from)}`]),
          ...(condition.below === undefined ? [] : [`v.sort_key < ${bindings.add(condition.below)}`]),
        ];
      case 'text': {
        const { row, storedText } = valueIndex(scope);
        const inValue = storedText(condition.field, `v.${row}`, textTest(condition.parts, bindings), scope);
        return textRows(condition.parts, 'v', bindings, `(${inValue})`);
      }
    }
  });
}

function keyTests(keys: readonly ValueKey[], scope: Scope): string[] {
  const { bindings } = scope;
  const [first, ...others] = keys;
  const isOne = first !== undefined && others.length === 0;
  // An equality of the discriminator could imply `byRow`.
  if (isOne && valueIndex(scope).byRow === undefined) {
    return [`v.sort_key = ${bindings.add(first.key)}`, `v.discriminator = ${bindings.add(first.discriminator)}`];
  }
  const sortKeys = `${bindings.add(keys.map(({ key }) => key))}::text[]`;
  const discriminators = `${bindings.add(keys.map(({ discriminator }) => discriminator))}::text[]`;
  return [
    isOne ? `v.sort_key = ${bindings.add(first.key)}` : `v.sort_key = ANY (${sortKeys})`,
    `(v.sort_key, v.discriminator) IN (SELECT * FROM unnest(${sortKeys}, ${discriminators}))`,
  ];
}
