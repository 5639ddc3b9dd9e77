import type { CompiledField } from '../../fields/compiled-field.js';
import {
  allOf,
  anyOf,
  type Combination,
  type Condition,
  constant,
  type CustomCondition,
  customConditions,
  readsRow,
} from '../../lists/conditions/condition.js';
import { candidateIds, meets } from '../../lists/conditions/condition.sql.js';
import { COSTS, drivesByFullScan, hasCandidates, isExactCondition } from '../../lists/conditions/driving-conditions.js';
import { joinRow, ofParent, rowById, type Scope, wordsById, wordsOfParent } from '../../lists/conditions/scope.js';
import { matchesSearch } from '../../search/matches-search.js';
import type { SearchMatch } from '../../search/search-match.js';
import { maxReferred, referenceTest, referrersSql } from './entry-references.sql.js';

/** Holds if the entry has a draft. */
export function isDrafted(negated = false): CustomCondition {
  const drafts = (scope: Scope) => `FROM entry_drafts d WHERE ${ofParent('d', scope)} AND d.fields IS NOT NULL`;
  return {
    kind: 'custom',
    negated,
    test: (id, scope) => `(SELECT true ${drafts(scope)} AND d.entry_id = ${id})`,
    find: (scope) => `SELECT d.entry_id AS id ${drafts(scope)}`,
    // A draft is saved without a change of the entries.
    isVolatile: true,
    negate: () => isDrafted(!negated),
  };
}

/** Holds if the entry matches a search. */
export function hasWords(match: SearchMatch, negated = false): CustomCondition {
  return {
    kind: 'custom',
    negated,
    // A ranking has the alias w, and its ID is w.entry_id.
    test: (id, scope) => `(SELECT ${matchesSearch(match, 'o', scope.bindings)} FROM ${scope.table.words?.table} o
        WHERE ${wordsById('o', id, scope)})`,
    find: (scope) => `SELECT w.entry_id AS id FROM ${scope.table.words?.table} w
      WHERE ${wordsOfParent('w', scope)} AND ${matchesSearch(match, 'w', scope.bindings)}`,
    negate: () => hasWords(match, !negated),
  };
}

/** Entries, as a text array of their public IDs, and the `filterField` of the fields that may refer to them. */
interface Referred {
  fields: readonly string[];
  entries: string;
}

/** Holds if the entry refers to one of some entries. */
export function refersTo(referred: Referred, negated = false): CustomCondition {
  const { fields, entries } = referred;
  return {
    kind: 'custom',
    negated,
    // IS TRUE keeps a hash table of the entries, made once.
    test: (id, scope) => `(SELECT true FROM entry_values v WHERE ${ofParent('v', scope)} AND v.entry_id = ${id}
        AND v.field = ANY (${scope.bindings.add(fields)}::text[])
        AND (v.sort_key IN (SELECT unnest(${scope.bindings.add(entries)}::text[]))) IS TRUE LIMIT 1)`,
    // The index is read for each pair of a field and an entry.
    find: (scope, mayRepeat) => `SELECT ${mayRepeat ? '' : 'DISTINCT '}v.entry_id AS id
      FROM unnest(${scope.bindings.add(fields)}::text[]) AS f (name) CROSS JOIN unnest(${scope.bindings.add(entries)}::text[]) AS r (id)
      CROSS JOIN LATERAL (
        SELECT v.entry_id FROM entry_values v WHERE ${ofParent('v', scope)} AND v.field = f.name AND v.sort_key = r.id OFFSET 0
      ) v`,
    negate: () => refersTo(referred, !negated),
  };
}

/** A content type that a reference may lead to, in the version that the condition relies on, and what its entries must meet. */
interface ReferenceTarget {
  typeId: string;
  version: number;
  condition: Condition;
}

/** Holds if the reference field leads to an entry that meets the condition of its type. */
interface ThroughCondition extends CustomCondition {
  readonly reference: CompiledField;
  readonly targets: readonly ReferenceTarget[];
}

/** Returns the condition that the reference leads to an entry that meets the condition of its type. */
export function through(reference: CompiledField, targets: readonly ReferenceTarget[]): Condition {
  return targets.some(canHold) ? throughReference(reference, targets, false) : constant(false);
}

/** The content types that the conditions look at besides that of the list. */
export function referredTypes(conditions: readonly Condition[]): ReferenceTarget[] {
  const targets = conditions
    .flatMap(customConditions)
    .filter(isThrough)
    .flatMap((one) => one.targets);
  return [...new Map(targets.map((target) => [`${target.typeId} ${target.version}`, target])).values()];
}

function isThrough(condition: CustomCondition): condition is ThroughCondition {
  return 'targets' in condition;
}

function throughReference(
  reference: CompiledField,
  targets: readonly ReferenceTarget[],
  negated: boolean,
): ThroughCondition {
  const possible = targets.filter(canHold);
  const condition: ThroughCondition = {
    kind: 'custom',
    negated,
    reference,
    targets,
    cost: COSTS.alternatives,
    needsFullScan: targets.some(({ condition }) => hasCandidates(condition) && drivesByFullScan(condition)),
    test: (id, scope) => leadsToMatch(reference, possible, id, scope),
    find: (scope, mayRepeat) => referrersOfMatches(reference, possible, scope, mayRepeat),
    // Then testing each entry of the list is faster.
    isBroad: (scope) => {
      const counts = matchesReferredTo(possible, scope).map(
        (ids) => `(SELECT count(*) FROM (${ids} LIMIT ${maxReferred()} + 1) x) > ${maxReferred()}`,
      );
      return `(${counts.join(' OR ')})`;
    },
    negate: () => throughReference(reference, targets, !negated),
    join: (kind, other) => (isThrough(other) ? joinThrough(kind, condition, other) : undefined),
  };
  return condition;
}

/** Joins two conditions through the same reference. Different entries of a list may meet two conditions that must both hold. */
function joinThrough(
  kind: Combination['kind'],
  { reference, targets, negated }: ThroughCondition,
  other: ThroughCondition,
): ThroughCondition | undefined {
  if (reference !== other.reference || negated !== other.negated) return undefined;
  const both = (kind === 'all') !== negated;
  if (both && reference.multiple) return undefined;
  const joined = both ? allOf : anyOf;
  const joinedTargets = targets.map((target, index) => {
    const { condition } = other.targets[index] ?? { condition: constant(!both) };
    return { ...target, condition: joined([target.condition, condition]) };
  });
  return throughReference(reference, joinedTargets, negated);
}

/** SQL that is true if the reference of the entry `id` leads to an entry that meets the condition, and null otherwise. */
function leadsToMatch(reference: CompiledField, targets: readonly ReferenceTarget[], id: string, scope: Scope): string {
  const field = scope.bindings.add(reference.filterField);
  const tests = targets.map(({ typeId, condition }) => {
    const target = { ...scope, parent: scope.bindings.add(typeId) };
    const test = meets(condition, 'r.id', target);
    // An index row proves that there is an entry. A constant does not.
    const needsEntry = readsRow(condition) || condition.kind === 'constant';
    return needsEntry ? `(SELECT ${test} FROM (${rowById('r.id', target)}) e)` : test;
  });
  return referenceTest(`${ofParent('v', scope)} AND v.entry_id = ${id} AND v.field = ${field}`, tests);
}

/** SQL that selects the IDs of the entries whose reference leads to an entry that meets the condition. Each occurs once, unless `mayRepeat`. */
function referrersOfMatches(
  reference: CompiledField,
  targets: readonly ReferenceTarget[],
  scope: Scope,
  mayRepeat: boolean,
): string {
  const field = scope.bindings.add(reference.filterField);
  // The first referrers need at most `maxReferred` entries. A complete list of referrers needs all of them.
  const limit = mayRepeat ? ` LIMIT ${maxReferred()} + 1` : '';
  const ids = matchesReferredTo(targets, scope).map((one) => `(${one}${limit})`);
  const all = referrersSql(ids.join(' UNION ALL '), `${ofParent('v', scope)} AND v.field = ${field}`);
  return mayRepeat || !reference.multiple ? all : `SELECT DISTINCT x.id FROM (${all}) x`;
}

/** SQL for each type referred to that selects the IDs of the entries that meet its condition, each once. */
function matchesReferredTo(targets: readonly ReferenceTarget[], scope: Scope): string[] {
  return targets.map(({ typeId, condition }) => {
    const target = { ...scope, parent: scope.bindings.add(typeId) };
    if (!hasCandidates(condition)) {
      return `SELECT e.id FROM entries e WHERE ${ofParent('e', target)} AND ${meets(condition, 'e.id', target)}`;
    }
    const ids = candidateIds(condition, target);
    if (isExactCondition(condition)) return `SELECT c.id FROM (${ids}) c`;
    const entry = readsRow(condition) ? joinRow('c.id', target) : '';
    return `SELECT c.id FROM (${ids}) c ${entry} WHERE ${meets(condition, 'c.id', target)}`;
  });
}

function canHold({ condition }: ReferenceTarget): boolean {
  return condition.kind !== 'constant' || condition.holds;
}
