import { liveFields } from './live-fields.js';
import type { Bindings } from '../../database/bindings.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { ValueKey } from '../../fields/sort-key.js';
import { textRows, textTest } from '../../lists/filters/text-rows.js';
import type { ValueCondition } from '../../lists/filters/value-conditions.js';
import { hasCandidates, isExact, isOneKey, leastOf } from './entry-candidates.js';
import type { Condition, Referred, SystemColumn, Target, ThroughCondition } from './entry-conditions.js';
import { maxReferred, referenceTest, referrersOf } from './entry-references.sql.js';
import { matchesSearch } from '../../search/matches-search.js';

type TextCondition = Extract<ValueCondition, { kind: 'text' }>;

/** Where the values of a condition go, and the placeholder of the content type whose entries must meet it. */
export interface Scope {
  bindings: Bindings;
  type: string;
}

/** The scope of the conditions of a list. */
export function scopeOfList(bindings: Bindings): Scope {
  return { bindings, type: '$2' };
}

const DRAFTED = 'd.tenant_id = $1 AND d.content_type_id = $2 AND d.fields IS NOT NULL';

/** Only the index of words is used, whose lexemes include the type. These comparisons exclude the other indexes. */
const WORDS_OF_TYPE = 'w.tenant_id = $1 COLLATE "POSIX" AND w.content_type_id IS NOT DISTINCT FROM $2';

export const COLUMN_TYPES: Record<SystemColumn, string> = {
  id: 'uuid',
  status: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  published_at: 'timestamptz',
};

/** Whether the condition reads the row of the entry itself. */
export function looksAtEntry(condition: Condition): boolean {
  if (condition.kind === 'all' || condition.kind === 'any') return condition.conditions.some(looksAtEntry);
  return condition.kind === 'column' || condition.kind === 'column-in';
}

/** SQL that is true for the index rows `alias` that meet the condition. */
export function indexRows(condition: ValueCondition, alias: string, scope: Scope): string {
  const { bindings } = scope;
  const parts = [`${alias}.field = ${bindings.add(condition.field.filterField)}`];
  if (condition.kind === 'keys') {
    parts.push(...keyRows(condition.keys, alias, bindings));
  } else if (condition.kind === 'range') {
    if (condition.from !== undefined) parts.push(`${alias}.sort_key >= ${bindings.add(condition.from)}`);
    if (condition.below !== undefined) parts.push(`${alias}.sort_key < ${bindings.add(condition.below)}`);
  } else if (condition.kind === 'text') {
    const inValue = `(${hasText(condition, `${alias}.entry_id`, scope)})`;
    parts.push(...textRows(condition.parts, alias, bindings, inValue));
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
export function candidateIds(condition: Condition, scope: Scope, often = false): string {
  const { bindings, type } = scope;
  if (condition.kind === 'any') {
    const alternatives = condition.conditions.map((one) => `(${candidateIds(one, scope, true)})`);
    return alternatives.join(often ? ' UNION ALL ' : ' UNION ');
  }
  if (condition.kind === 'all') {
    return candidateIds(leastOf(condition.conditions.filter(hasCandidates)), scope, often);
  }
  if (condition.kind === 'words') {
    return `SELECT w.entry_id AS id FROM entry_words w
      WHERE ${WORDS_OF_TYPE} AND ${matchesSearch(condition.match, 'w', bindings)}`;
  }
  if (condition.kind === 'refers') return referrers(condition, scope, often);
  if (condition.kind === 'through') return referrersThrough(condition, scope, often);
  if (condition.kind === 'drafted') return `SELECT d.entry_id AS id FROM entry_drafts d WHERE ${DRAFTED}`;
  if (!('field' in condition)) {
    return `SELECT e.id FROM entries e WHERE e.tenant_id = $1 AND e.content_type_id = ${type} AND ${meets(condition, 'e.id', scope)}`;
  }
  const distinct = often || isOneKey(condition) || !condition.field.multiple ? '' : 'DISTINCT ';
  const rows = `${valuesOfType(scope)} AND ${indexRows(condition, 'v', scope)}`;
  return `SELECT ${distinct}v.entry_id AS id FROM entry_values v WHERE ${rows}`;
}

/**
 * SQL that tests whether the entry `id` meets the condition. If the condition reads the entry's row, `e` must be its alias. The index is
 * tested in a scalar subquery, which the planner cannot turn into a join of whole tables.
 */
export function meets(condition: Condition, id: string, scope: Scope): string {
  const { bindings, type } = scope;
  switch (condition.kind) {
    case 'keys':
    case 'range':
    case 'text':
    case 'present': {
      const found = has(indexRows(condition, 'v', scope), id, scope);
      return condition.negated ? `${found} IS NULL` : found;
    }
    case 'words': {
      // A ranking has the alias w, and its ID is w.entry_id.
      const matches = `SELECT ${matchesSearch(condition.match, 'o', bindings)} FROM entry_words o
        WHERE o.tenant_id = $1 AND o.content_type_id = ${type} AND o.entry_id = ${id}`;
      return `(${matches}) IS ${condition.negated ? 'NOT ' : ''}TRUE`;
    }
    case 'refers': {
      const found = has(refers(condition, bindings), id, scope);
      return condition.negated ? `${found} IS NULL` : found;
    }
    case 'through': {
      const found = leadsToMatch(condition, id, scope);
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
      return unlessNegated(
        condition,
        `e.${condition.column} ${condition.operator} ${bindings.add(condition.value)}::${COLUMN_TYPES[condition.column]}`,
      );
    case 'column-in':
      return unlessNegated(
        condition,
        `e.${condition.column} = ANY (${bindings.add(condition.values)}::${COLUMN_TYPES[condition.column]}[])`,
      );
    case 'all':
    case 'any': {
      const tests = condition.conditions.map((one) => meets(one, id, scope));
      return `(${tests.join(condition.kind === 'all' ? ' AND ' : ' OR ')})`;
    }
    case 'constant':
      return String(condition.holds);
  }
}

/** The test, or its opposite, which also holds for entries without a value. */
function unlessNegated({ negated }: { negated: boolean }, test: string): string {
  return negated ? `(${test}) IS NOT TRUE` : test;
}

/** SQL that selects the IDs of the entries that refer to one of the entries. Each occurs once, unless `often`. */
function referrers({ fields, entries }: Referred, scope: Scope, often: boolean): string {
  const { bindings } = scope;
  // The index is read for each pair of a field and an entry.
  return `SELECT ${often ? '' : 'DISTINCT '}v.entry_id AS id
    FROM unnest(${bindings.add(fields)}::text[]) AS f (name) CROSS JOIN unnest(${bindings.add(entries)}::text[]) AS r (id)
    CROSS JOIN LATERAL (
      SELECT v.entry_id FROM entry_values v WHERE ${valuesOfType(scope)} AND v.field = f.name AND v.sort_key = r.id OFFSET 0
    ) v`;
}

/** SQL that is true for the index rows `v` that refer to one of the entries. IS TRUE keeps a hash table of these, made once. */
function refers({ fields, entries }: Referred, bindings: Bindings): string {
  return `v.field = ANY (${bindings.add(fields)}::text[])
    AND (v.sort_key IN (SELECT unnest(${bindings.add(entries)}::text[]))) IS TRUE`;
}

function valuesOfType({ type }: Scope): string {
  return `v.tenant_id = $1 AND v.content_type_id = ${type}`;
}

/** SQL that is true if the reference of the entry `id` leads to an entry that meets the condition, and null otherwise. */
function leadsToMatch({ reference, targets }: ThroughCondition, id: string, scope: Scope): string {
  const field = scope.bindings.add(reference.filterField);
  const tests = targets.filter(canHold).map(({ typeId, condition }) => {
    const target = { ...scope, type: scope.bindings.add(typeId) };
    const test = meets(condition, 'r.id', target);
    // An index row proves that there is an entry. A constant does not.
    const needsEntry = looksAtEntry(condition) || condition.kind === 'constant';
    return needsEntry ? `(SELECT ${test} ${entryOf('r.id', target)})` : test;
  });
  return referenceTest(`${valuesOfType(scope)} AND v.entry_id = ${id} AND v.field = ${field}`, tests);
}

/** SQL that selects the IDs of the entries whose reference leads to an entry that meets the condition. Each occurs once, unless `often`. */
function referrersThrough(condition: ThroughCondition, scope: Scope, often: boolean): string {
  const { reference } = condition;
  const field = scope.bindings.add(reference.filterField);
  // The first referrers need at most `maxReferred` entries. A complete list of referrers needs all of them.
  const limit = often ? ` LIMIT ${maxReferred()} + 1` : '';
  const ids = matchesReferredTo(condition, scope).map((one) => `(${one}${limit})`);
  const all = referrersOf(ids.join(' UNION ALL '), `${valuesOfType(scope)} AND v.field = ${field}`);
  return often || !reference.multiple ? all : `SELECT DISTINCT x.id FROM (${all}) x`;
}

/** SQL that is true if more than `maxReferred` entries of a type referred to meet the condition. Then testing each entry of the list is faster. */
export function isBroad(condition: ThroughCondition, scope: Scope): string {
  const counts = matchesReferredTo(condition, scope).map(
    (ids) => `(SELECT count(*) FROM (${ids} LIMIT ${maxReferred()} + 1) x) > ${maxReferred()}`,
  );
  return `(${counts.join(' OR ')})`;
}

/** SQL for each type referred to that selects the IDs of the entries that meet its condition, each once. */
function matchesReferredTo({ targets }: ThroughCondition, { bindings }: Scope): string[] {
  return targets.filter(canHold).map(({ typeId, condition }) => {
    const scope = { bindings, type: bindings.add(typeId) };
    const ofType = `FROM entries e WHERE e.tenant_id = $1 AND e.content_type_id = ${scope.type}`;
    if (!hasCandidates(condition)) return `SELECT e.id ${ofType} AND ${meets(condition, 'e.id', scope)}`;
    const ids = candidateIds(condition, scope);
    if (isExact(condition)) return `SELECT c.id FROM (${ids}) c`;
    const entry = looksAtEntry(condition) ? `CROSS JOIN LATERAL (SELECT * ${entryOf('c.id', scope)} OFFSET 0) e` : '';
    return `SELECT c.id FROM (${ids}) c ${entry} WHERE ${meets(condition, 'c.id', scope)}`;
  });
}

function entryOf(id: string, { type }: Scope): string {
  return `FROM entries e WHERE e.tenant_id = $1 AND e.content_type_id = ${type} AND e.id = ${id}`;
}

function canHold({ condition }: Target): boolean {
  return condition.kind !== 'constant' || condition.holds;
}

function statusLiteral(value: string): string {
  return value === 'draft' ? 'draft' : 'published';
}

/** SQL that is true if an index row of the entry meets `rows`, and null otherwise. */
function has(rows: string, id: string, scope: Scope): string {
  return `(SELECT true FROM entry_values v WHERE ${valuesOfType(scope)} AND v.entry_id = ${id} AND ${rows} LIMIT 1)`;
}

/** SQL that tests whether a value of the entry `id` contains one of the texts or begins with it. */
function hasText({ field, parts }: TextCondition, id: string, scope: Scope): string {
  const { bindings, type } = scope;
  const stored = valueOf(field, scope);
  const test = textTest(parts, bindings);
  const isMedia = field.definition.type === 'media';
  const holds = field.multiple
    ? `EXISTS (SELECT FROM json_array_elements(${stored.json}) AS value
        WHERE ${test(isMedia ? `value ->> 'url'` : `value #>> '{}'`)})`
    : test(isMedia ? `${stored.json} ->> 'url'` : stored.text);
  return `SELECT ${holds} FROM entries e WHERE e.tenant_id = $1 AND e.content_type_id = ${type} AND e.id = ${id}`;
}

/** SQL of the stored value of a field, which may be in a group of the entry `e`. */
function valueOf({ path }: CompiledField, { bindings, type }: Scope): { json: string; text: string } {
  const names = path.split('.').map((name) => bindings.add(name));
  const groups = [`(${liveFields('e', type, '$1')})`, ...names.slice(0, -1)].join(' -> ');
  return { json: `${groups} -> ${names.at(-1)}`, text: `${groups} ->> ${names.at(-1)}` };
}
