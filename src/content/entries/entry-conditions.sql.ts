import type { Bindings } from '../../database/bindings.js';
import { DISCRIMINATORS, type ValueKey } from '../../fields/sort-key.js';
import { fold } from '../../fields/text.js';
import { hasCandidates, isOneKey, leastOf } from './entry-candidates.js';
import type { Condition, Referred, SystemColumn, TextPart, ValueCondition } from './entry-conditions.js';
import { matchesSearch } from './entry-search.sql.js';

type TextCondition = Extract<ValueCondition, { kind: 'text' }>;

const DRAFTED = 'd.tenant_id = $1 AND d.content_type_id = $2 AND d.fields IS NOT NULL';
const OF_TYPE = 'v.tenant_id = $1 AND v.content_type_id = $2';

/** Only the index of words is used, whose lexemes include the type. IS NOT DISTINCT FROM excludes the other indexes. */
const WORDS_OF_TYPE = 'w.tenant_id IS NOT DISTINCT FROM $1 AND w.content_type_id IS NOT DISTINCT FROM $2';

export const COLUMN_TYPES: Record<SystemColumn, string> = {
  id: 'uuid',
  status: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
};

/** Whether the condition reads the row of the entry itself. */
export function looksAtEntry(condition: Condition): boolean {
  if (condition.kind === 'all' || condition.kind === 'any') return condition.conditions.some(looksAtEntry);
  return condition.kind === 'column' || condition.kind === 'column-in';
}

/** SQL that is true for the index rows `alias` that meet the condition. */
export function indexRows(condition: ValueCondition, alias: string, bindings: Bindings): string {
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

/**
 * SQL that selects the IDs of the entries that can match. Each occurs once, unless `often`, which finds the first ones without reading all.
 */
export function candidateIds(condition: Condition, bindings: Bindings, often = false): string {
  if (condition.kind === 'any') {
    const alternatives = condition.conditions.map((one) => `(${candidateIds(one, bindings, true)})`);
    return alternatives.join(often ? ' UNION ALL ' : ' UNION ');
  }
  if (condition.kind === 'all') {
    return candidateIds(leastOf(condition.conditions.filter(hasCandidates)), bindings, often);
  }
  if (condition.kind === 'words') {
    return `SELECT w.entry_id AS id FROM entry_words w
      WHERE ${WORDS_OF_TYPE} AND ${matchesSearch(condition.match, 'w', bindings)}`;
  }
  if (condition.kind === 'refers') return referrers(condition, bindings, often);
  if (condition.kind === 'drafted') return `SELECT d.entry_id AS id FROM entry_drafts d WHERE ${DRAFTED}`;
  if (!('field' in condition)) {
    const rows = `e.tenant_id = $1 AND e.content_type_id = $2 AND ${meets(condition, 'e.id', bindings)}`;
    return `SELECT e.id FROM entries e WHERE ${rows}`;
  }
  const distinct = often || isOneKey(condition) || !condition.field.multiple ? '' : 'DISTINCT ';
  const rows = `${OF_TYPE} AND ${indexRows(condition, 'v', bindings)}`;
  return `SELECT ${distinct}v.entry_id AS id FROM entry_values v WHERE ${rows}`;
}

/**
 * SQL that tests whether the entry `id` meets the condition. If the condition reads the entry's row, `e` must be its alias. The index is
 * tested in a scalar subquery, which the planner cannot turn into a join of whole tables.
 */
export function meets(condition: Condition, id: string, bindings: Bindings): string {
  switch (condition.kind) {
    case 'keys':
    case 'range':
    case 'text':
    case 'present': {
      const found = has(indexRows(condition, 'v', bindings), id);
      return condition.negated ? `${found} IS NULL` : found;
    }
    case 'words': {
      // A ranking has the alias w, and its ID is w.entry_id.
      const matches = `SELECT ${matchesSearch(condition.match, 'o', bindings)} FROM entry_words o
        WHERE o.tenant_id = $1 AND o.content_type_id = $2 AND o.entry_id = ${id}`;
      return `(${matches}) IS ${condition.negated ? 'NOT ' : ''}TRUE`;
    }
    case 'refers': {
      const found = has(refers(condition, bindings), id);
      return condition.negated ? `${found} IS NULL` : found;
    }
    case 'drafted': {
      const found = `(SELECT true FROM entry_drafts d WHERE ${DRAFTED} AND d.entry_id = ${id})`;
      return condition.negated ? `${found} IS NULL` : found;
    }
    case 'column':
      // One of two literals, because each status has a partial index.
      if (condition.column === 'status' && condition.operator === '=')
        return `e.status = '${statusLiteral(condition.value)}'`;
      return `e.${condition.column} ${condition.operator} ${bindings.add(condition.value)}::${COLUMN_TYPES[condition.column]}`;
    case 'column-in':
      return `e.${condition.column} ${condition.negated ? '<> ALL' : '= ANY'} (${bindings.add(condition.values)}::${COLUMN_TYPES[condition.column]}[])`;
    case 'all':
    case 'any': {
      const tests = condition.conditions.map((one) => meets(one, id, bindings));
      return `(${tests.join(condition.kind === 'all' ? ' AND ' : ' OR ')})`;
    }
    case 'constant':
      return String(condition.holds);
  }
}

/** SQL that selects the IDs of the entries that refer to one of the entries. Each occurs once, unless `often`. */
function referrers({ fields, entries }: Referred, bindings: Bindings, often: boolean): string {
  // The index is read for each pair of a field and an entry.
  return `SELECT ${often ? '' : 'DISTINCT '}v.entry_id AS id
    FROM unnest(${bindings.add(fields)}::text[]) AS f (name) CROSS JOIN unnest(${bindings.add(entries)}::text[]) AS r (id)
    CROSS JOIN LATERAL (
      SELECT v.entry_id FROM entry_values v WHERE ${OF_TYPE} AND v.field = f.name AND v.sort_key = r.id OFFSET 0
    ) v`;
}

/** SQL that is true for the index rows `v` that refer to one of the entries. IS TRUE keeps a hash table of these, made once. */
function refers({ fields, entries }: Referred, bindings: Bindings): string {
  return `v.field = ANY (${bindings.add(fields)}::text[])
    AND (v.sort_key IN (SELECT unnest(${bindings.add(entries)}::text[]))) IS TRUE`;
}

function statusLiteral(value: string): string {
  return value === 'draft' ? 'draft' : 'published';
}

/** SQL that is true if an index row of the entry meets `rows`, and null otherwise. */
function has(rows: string, id: string): string {
  return `(SELECT true FROM entry_values v WHERE ${OF_TYPE} AND v.entry_id = ${id} AND ${rows} LIMIT 1)`;
}

/**
 * Conditions for values that contain one of the texts or begin with it, ignoring case. For most values the key suffices, because it is the
 * value in lower case. If the key loses information (accents, the end of a long text), the value itself is read, unless the key already
 * rules out a match.
 */
function textRows(condition: TextCondition, alias: string, bindings: Bindings): string[] {
  const { parts } = condition;
  const key = `${alias}.sort_key`;
  const found = ({ atStart }: TextPart, wanted: string) =>
    atStart ? `starts_with(${key}, ${wanted})` : `strpos(${key}, ${wanted}) > 0`;
  const startsWith = (discriminator: string) => `starts_with(${alias}.discriminator, ${bindings.add(discriminator)})`;
  const inKey = parts.map((part) => found(part, bindings.add(part.folded))).join(' OR ');
  const inValue = `(${hasText(condition, `${alias}.entry_id`, bindings)})`;
  const inFold = parts.map((part) => {
    const lowered = part.text.toLowerCase();
    // A value that equals its fold, except for case, contains nothing that folding changes.
    return fold(part.text) === lowered ? found(part, bindings.add(lowered)) : 'false';
  });
  const test = `CASE WHEN ${startsWith(DISCRIMINATORS.cut)} THEN ${inValue}
      WHEN ${startsWith(DISCRIMINATORS.accented)} THEN (${inKey}) AND ${inValue}
      ELSE ${inFold.join(' OR ')} END`;
  const [part, ...others] = parts;
  if (!part?.atStart || part.folded === '' || others.length > 0) return [test];
  return [`${key} >= ${bindings.add(part.folded)}`, `${key} < ${bindings.add(`${part.folded}\u{10ffff}`)}`, test];
}

/** SQL that tests whether a value of the entry `id` contains one of the texts or begins with it. */
function hasText({ field, parts }: TextCondition, id: string, bindings: Bindings): string {
  const name = bindings.add(field.name);
  const wanted = parts.map(({ text }) => `lower(${bindings.add(text)}::text COLLATE "und-x-icu")`);
  const test = (value: string) => {
    const lowered = `lower((${value}) COLLATE "und-x-icu")`;
    const tests = parts.map(({ atStart }, index) =>
      atStart ? `starts_with(${lowered}, ${wanted[index]})` : `strpos(${lowered}, ${wanted[index]}) > 0`,
    );
    return tests.join(' OR ');
  };
  const isMedia = field.definition.type === 'media';
  const holds = field.multiple
    ? `EXISTS (SELECT FROM json_array_elements(e.fields -> ${name}) AS value
        WHERE ${test(isMedia ? `value ->> 'url'` : `value #>> '{}'`)})`
    : test(isMedia ? `e.fields -> ${name} ->> 'url'` : `e.fields ->> ${name}`);
  return `SELECT ${holds} FROM entries e WHERE e.tenant_id = $1 AND e.content_type_id = $2 AND e.id = ${id}`;
}
