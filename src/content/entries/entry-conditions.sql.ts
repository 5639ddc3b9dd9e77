import type { Bindings } from '../../database/bindings.js';
import { DISCRIMINATORS, type ValueKey } from '../../fields/sort-key.js';
import { fold } from '../../fields/text.js';
import type { Condition, SystemColumn } from './entry-filters.js';

/** A condition that the value index alone can evaluate. */
export type IndexCondition = Extract<Condition, { kind: 'keys' | 'range' | 'present' | 'text' }>;

type TextCondition = Extract<Condition, { kind: 'text' }>;

const OF_TYPE = 'v.tenant_id = $1 AND v.content_type_id = $2';

export const COLUMN_TYPES: Record<SystemColumn, string> = {
  id: 'uuid',
  status: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
};

/** Whether the matching entries form a part of the value index, which can be read instead of testing each entry. */
export function isIndexed(condition: Condition): condition is IndexCondition {
  if (condition.kind === 'keys') return !condition.negated;
  return condition.kind === 'range' || condition.kind === 'text' || (condition.kind === 'present' && condition.present);
}

/** Whether the condition requires reading the whole index of a field, although few entries may match. */
export function needsFullScan(condition: Condition): boolean {
  return condition.kind === 'text' && (!condition.atStart || condition.folded === '');
}

/** Whether the condition reads the row of the entry itself. */
export function looksAtEntry({ kind }: Condition): boolean {
  return kind === 'column' || kind === 'column-in';
}

/** Whether the condition asks for exactly one key. The index rows of a key are ordered by entry ID, one for each entry. */
export function isOneKey(condition: Condition): condition is Extract<Condition, { kind: 'keys' }> {
  return condition.kind === 'keys' && !condition.negated && condition.keys.length === 1;
}

/** SQL that is true for the index rows `alias` that meet the condition. */
export function indexRows(condition: IndexCondition, alias: string, bindings: Bindings): string {
  const parts = [`${alias}.field = ${bindings.add(condition.field.filterField)}`];
  if (condition.kind === 'keys') {
    parts.push(...keyRows(condition.keys, alias, bindings));
  } else if (condition.kind === 'range') {
    if (condition.from !== undefined) parts.push(`${alias}.sort_key >= ${bindings.add(condition.from)}`);
    if (condition.below !== undefined) parts.push(`${alias}.sort_key < ${bindings.add(condition.below)}`);
  } else if (condition.kind === 'text') {
    parts.push(...textRows(condition, alias, bindings));
  }
  return parts.join(' AND ');
}

function keyRows(keys: readonly ValueKey[], alias: string, bindings: Bindings): string[] {
  const [first, ...others] = keys;
  if (first && others.length === 0) {
    return [
      `${alias}.sort_key = ${bindings.add(first.key)}`,
      `${alias}.discriminator = ${bindings.add(first.discriminator)}`,
    ];
  }
  const sortKeys = `${bindings.add(keys.map(({ key }) => key))}::text[]`;
  const discriminators = `${bindings.add(keys.map(({ discriminator }) => discriminator))}::text[]`;
  return [
    `${alias}.sort_key = ANY (${sortKeys})`,
    `(${alias}.sort_key, ${alias}.discriminator) IN (SELECT * FROM unnest(${sortKeys}, ${discriminators}))`,
  ];
}

/** SQL that selects the IDs of the matching entries, each once. */
export function matchingIds(condition: IndexCondition, bindings: Bindings): string {
  const once = isOneKey(condition) || !condition.field.multiple ? '' : 'DISTINCT ';
  return `SELECT ${once}v.entry_id AS id FROM entry_values v WHERE ${OF_TYPE} AND ${indexRows(condition, 'v', bindings)}`;
}

/**
 * SQL that tests whether the entry `id` meets the condition. If the condition reads the entry's row, `e` must be its alias. The index is
 * tested in a scalar subquery, which the planner cannot turn into a join of whole tables.
 */
export function meets(condition: Condition, id: string, bindings: Bindings): string {
  switch (condition.kind) {
    case 'keys': {
      const found = has(indexRows(condition, 'v', bindings), id);
      return condition.negated ? `${found} IS NULL` : found;
    }
    case 'range':
    case 'text':
      return has(indexRows(condition, 'v', bindings), id);
    case 'present': {
      const found = has(indexRows(condition, 'v', bindings), id);
      return condition.present ? found : `${found} IS NULL`;
    }
    case 'column':
      // One of two literals, because each status has a partial index.
      if (condition.column === 'status' && condition.operator === '=')
        return `e.status = '${statusLiteral(condition.value)}'`;
      return `e.${condition.column} ${condition.operator} ${bindings.add(condition.value)}::${COLUMN_TYPES[condition.column]}`;
    case 'column-in':
      return `e.${condition.column} = ANY (${bindings.add(condition.values)}::${COLUMN_TYPES[condition.column]}[])`;
    case 'constant':
      return String(condition.holds);
  }
}

function statusLiteral(value: string): string {
  return value === 'draft' ? 'draft' : 'published';
}

/** SQL that is true if an index row of the entry meets `rows`, and null otherwise. */
function has(rows: string, id: string): string {
  return `(SELECT true FROM entry_values v WHERE ${OF_TYPE} AND v.entry_id = ${id} AND ${rows} LIMIT 1)`;
}

/**
 * Conditions for values that contain a text or begin with it, ignoring case. For most values the key suffices, because it is the value in
 * lower case. If the key loses information (accents, the end of a long text), the value itself is read, unless the key already rules out a
 * match.
 */
function textRows(condition: TextCondition, alias: string, bindings: Bindings): string[] {
  const { folded, atStart, text } = condition;
  const key = `${alias}.sort_key`;
  const part = bindings.add(folded);
  const found = (wanted: string) => (atStart ? `starts_with(${key}, ${wanted})` : `strpos(${key}, ${wanted}) > 0`);
  const startsWith = (discriminator: string) => `starts_with(${alias}.discriminator, ${bindings.add(discriminator)})`;
  const inValue = `(${hasText(condition, `${alias}.entry_id`, bindings)})`;
  const lowered = text.toLowerCase();
  // A value that equals its fold, except for case, contains nothing that folding changes.
  const inFold = fold(text) === lowered ? found(bindings.add(lowered)) : 'false';
  const test = `CASE WHEN ${startsWith(DISCRIMINATORS.cut)} THEN ${inValue}
      WHEN ${startsWith(DISCRIMINATORS.accented)} THEN ${found(part)} AND ${inValue}
      ELSE ${inFold} END`;
  if (!atStart || folded === '') return [test];
  return [`${key} >= ${part}`, `${key} < ${bindings.add(`${folded}\u{10ffff}`)}`, test];
}

/** SQL that tests whether a value of the entry `id` contains the text or begins with it. */
function hasText({ field, text, atStart }: TextCondition, id: string, bindings: Bindings): string {
  const name = bindings.add(field.name);
  const wanted = `lower(${bindings.add(text)}::text COLLATE "und-x-icu")`;
  const test = (value: string) => {
    const lowered = `lower((${value}) COLLATE "und-x-icu")`;
    return atStart ? `starts_with(${lowered}, ${wanted})` : `strpos(${lowered}, ${wanted}) > 0`;
  };
  const isMedia = field.definition.type === 'media';
  const holds = field.multiple
    ? `EXISTS (SELECT FROM json_array_elements(e.fields -> ${name}) AS value
        WHERE ${test(isMedia ? `value ->> 'url'` : `value #>> '{}'`)})`
    : test(isMedia ? `e.fields -> ${name} ->> 'url'` : `e.fields ->> ${name}`);
  return `SELECT ${holds} FROM entries e WHERE e.tenant_id = $1 AND e.content_type_id = $2 AND e.id = ${id}`;
}
