import { CompiledField } from './compiled-field.js';
import { type Conversion, conversionOf } from './conversions.js';
import { FieldDefinition, namedTypes, valueKey } from './field-definition.js';
import { type Fields, nameBefore, type Renames } from './renames.js';
import type { Schema } from './schema.js';

/** The effect of a new list of definitions on the stored values of one field. */
export interface FieldChange {
  /** The new name, or that of a removed field. */
  name: string;
  /** Undefined if the field is new. */
  before?: CompiledField;
  /** Undefined if the field is removed. */
  after?: CompiledField;
  /**
   * `added`: the field is new (the caller knows whether it returns, and so has stored values); `removed`: its values are stored but hidden;
   * `retyped`: it has another type, list or target; `tightened`: valid values may have become invalid; `loosened`: it is no longer unique;
   * `reshaped`: definitions inside it were removed, renamed or converted; `renamed`: it has only another name.
   */
  change: 'added' | 'removed' | 'retyped' | 'tightened' | 'loosened' | 'reshaped' | 'renamed';
  /** How its values change as a whole; undefined if they stay as they are. */
  convert?: Conversion;
  /** Whether stored values must be checked against the new definition. Invalid values block the change. */
  recheck: boolean;
  /** Whether its rows in the sort and filter index must be rewritten or removed. */
  reindex: boolean;
  /** Whether its text in full-text search must be rewritten or removed. */
  rewriteWords: boolean;
  /** Whether its values must become unique, or no longer have to be. */
  unique?: 'set' | 'lifted';
}

/** What is known of a change besides the definitions. */
export interface Known {
  renames: Renames;
  /** The `valueKey` of removed definitions, with the key of the field as its name: if they are defined again, their values return. */
  returning: ReadonlySet<string>;
}

/**
 * Compares the fields of a content type before and after an update. Lists the fields whose stored values are affected. A change of
 * label, help, default, required or order, or a loosened constraint other than `unique`, does not affect them.
 */
export function compareSchemas(
  old: Schema,
  next: Schema,
  { renames = new Map(), returning = new Set() }: Partial<Known> = {},
): FieldChange[] {
  return compareFields(old, next, { renames, returning });
}

function compareFields(old: Fields, next: Fields, known: Known): FieldChange[] {
  const kept = new Set(next.fields.map((field) => nameBefore(field, known.renames)));
  return [
    ...old.fields.filter(({ name }) => !kept.has(name)).map(removal),
    ...next.fields.flatMap((field) => {
      const previous = old.field(nameBefore(field, known.renames));
      return previous ? change(previous, field, known) : [addition(field)];
    }),
  ];
}

/** The changes inside a field of the same type that affect stored values. An added definition affects none unless it returns. */
function changesInside(before: CompiledField, after: CompiledField, known: Known): FieldChange[] {
  const isReturning = ({ definition, key }: CompiledField) =>
    known.returning.has(valueKey({ ...definition, name: key }));
  const kept = before.parts.flatMap((part) => {
    const next = after.parts.find(({ block }) => block === part.block);
    return next ? compareFields(part, next, known) : part.fields.map(removal);
  });
  const returned = after.parts.filter(
    ({ block }) =>
      known.returning.has(`${after.key}.${block}/blocks`) && !before.parts.some((one) => one.block === block),
  );
  return [
    ...kept.filter((one) => one.change !== 'added' || (one.after !== undefined && isReturning(one.after))),
    ...returned.flatMap(({ fields }) => fields.map(addition)),
  ];
}

function removal(before: CompiledField): FieldChange {
  const { name, indexed, searchable, definition } = before;
  const unique = definition.unique ? 'lifted' : undefined;
  return { name, before, change: 'removed', recheck: false, reindex: indexed, rewriteWords: searchable, unique };
}

function addition(after: CompiledField): FieldChange {
  const { name, indexed, searchable, definition } = after;
  const unique = definition.unique ? 'set' : undefined;
  return { name, after, change: 'added', recheck: true, reindex: indexed, rewriteWords: searchable, unique };
}

function change(before: CompiledField, after: CompiledField, known: Known): FieldChange[] {
  const { name } = after;
  const isRenamed = before.name !== name;
  const retyped = isRetyped(before, after);
  const convert = retyped ? conversionOf(before.definition, after.definition) : undefined;
  const inside = retyped ? [] : changesInside(before, after, known);
  const recheck = retyped || isTightened(before.definition, after.definition) || inside.some((one) => one.recheck);
  // For example, a group that becomes a json field. Their types have neither keys nor text of their own.
  const hasOtherParts = retyped && before.parts.length + after.parts.length > 0;
  const isReshaped =
    inside.length > 0 || before.parts.some(({ block }) => !after.parts.some((part) => part.block === block));
  const hasOtherKeys = isRenamed || convert !== undefined || before.type.key !== after.type.key;
  const unique = uniqueness(before, after, hasOtherKeys);
  if (!recheck && !unique && !isRenamed && !isReshaped) return [];
  const isTighter = recheck || (unique === 'set' && !before.definition.unique);
  return [
    {
      name,
      before,
      after,
      change: retyped
        ? 'retyped'
        : isTighter
          ? 'tightened'
          : unique === 'lifted'
            ? 'loosened'
            : isReshaped
              ? 'reshaped'
              : 'renamed',
      convert,
      recheck,
      // Types that share the function produce the same keys or the same text. For example, a text that becomes an email keeps its rows.
      reindex: before.multiple !== after.multiple || hasOtherKeys || hasOtherParts || inside.some((one) => one.reindex),
      rewriteWords:
        convert !== undefined ||
        before.type.searchText !== after.type.searchText ||
        before.type.searchLines !== after.type.searchLines ||
        hasOtherParts ||
        inside.some((one) => one.rewriteWords),
      unique,
    },
  ];
}

/** Whether a reference no longer names one of its content types, so that its values may refer to others. */
export function isRedirected(before: FieldDefinition, after: FieldDefinition): boolean {
  const names = namedTypes(after);
  return namedTypes(before).some((name) => !names.includes(name));
}

export function isRetyped(before: CompiledField, after: CompiledField): boolean {
  return (
    before.definition.type !== after.definition.type ||
    before.multiple !== after.multiple ||
    isRedirected(before.definition, after.definition)
  );
}

/** Whether valid values may have become invalid, apart from another type. */
export function isTightened(before: FieldDefinition, after: FieldDefinition): boolean {
  const { min: oldMin = -Infinity, max: oldMax = Infinity, options: oldOptions = [] } = before;
  const { min = -Infinity, max = Infinity, pattern } = after;
  const options = new Set(after.options);
  return (
    min > oldMin ||
    max < oldMax ||
    (pattern !== undefined && pattern !== before.pattern) ||
    oldOptions.some((option) => !options.has(option))
  );
}

/** Also `set` if the unique values have other keys, because they must then be rewritten. */
function uniqueness(before: CompiledField, after: CompiledField, hasOtherKeys: boolean): FieldChange['unique'] {
  const was = before.definition.unique === true;
  const is = after.definition.unique === true;
  if (!is) return was ? 'lifted' : undefined;
  return !was || hasOtherKeys ? 'set' : undefined;
}
