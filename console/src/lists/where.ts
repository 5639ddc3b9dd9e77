import {
  type Condition,
  type Filter,
  type FilterField,
  type FilterKind,
  type FilterOperator,
  needsValue,
  numberIn,
  operatorsOf,
} from './filter';
import { localTime } from './local-time';

/** The filter as the API's `where`, which the address of the page has too; empty without conditions. */
export function whereOf({ match, conditions }: Filter, fields: readonly FilterField[]): string {
  if (conditions.length === 0) return '';
  const parts = conditions.map(({ field, operator, value }) => {
    const kind = fields.find(({ name }) => name === field)?.kind ?? 'text';
    if (!needsValue(operator)) return { [field]: { exists: operator === 'exists' } };
    return { [field]: { [operator]: sentValue(kind, value) } };
  });
  return JSON.stringify({ [match === 'all' ? 'and' : 'or']: parts });
}

/** Reads what `whereOf` writes. Undefined for what the builder has no boxes for: somebody wrote it by hand. */
export function filterOf(where: string, fields: readonly FilterField[]): Filter | undefined {
  if (where === '') return { match: 'all', conditions: [] };
  const [[group, parts] = ['', undefined], ...others] = membersOf(parse(where));
  if (others.length > 0 || !Array.isArray(parts) || (group !== 'and' && group !== 'or')) return undefined;
  const conditions = parts.map((part: unknown) => conditionOf(part, fields));
  if (!conditions.every((condition) => condition !== undefined)) return undefined;
  return { match: group === 'and' ? 'all' : 'any', conditions };
}

function conditionOf(part: unknown, fields: readonly FilterField[]): Condition | undefined {
  const [[name, tests] = ['', undefined], ...otherFields] = membersOf(part);
  const [[operator, value] = ['', undefined], ...otherTests] = membersOf(tests);
  const field = fields.find((each) => each.name === name);
  if (!field || otherFields.length > 0 || otherTests.length > 0) return undefined;
  if (operator === 'exists') return { field: name, operator: value === false ? 'missing' : 'exists', value: '' };
  const known = operatorsOf(field.kind).find((each) => each === operator);
  return known && { field: name, operator: known, value: shownValue(field.kind, value) };
}

function sentValue(kind: FilterKind, value: string): string | number | boolean {
  if (kind === 'number') return numberIn(value) ?? value;
  if (kind === 'boolean') return value === 'true';
  if (kind === 'time') return new Date(value).toISOString();
  return kind === 'text' ? value : value.trim();
}

function shownValue(kind: FilterKind, value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return kind === 'time' ? localTime(value) : value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/** The operator with which a condition goes on when its field becomes one of another kind. */
export function operatorFor(kind: FilterKind, before: FilterOperator): FilterOperator {
  const known = operatorsOf(kind);
  return known.includes(before) ? before : (known[0] ?? 'exists');
}
