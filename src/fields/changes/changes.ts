import { CompiledField } from '../compiled-field.js';
import { type Conversion, conversionOf } from './conversions.js';
import type { ConstraintChange } from '../constraints/constraint.js';
import { CONSTRAINT_NAMES, CONSTRAINTS, constraintNamed } from '../constraints/registry.js';
import { uniqueChange, type UniqueChange } from '../constraints/unique.js';
import { valueKey, valueType } from '../field-definition.js';
import { type Fields, nameBefore, type Renames } from './renames.js';
import type { Schema } from '../schema.js';

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
  unique?: UniqueChange;
}

/** What a change is besides the definitions before and after it. */
interface ChangeContext {
  renames: Renames;
  /** The `valueKey` of removed definitions, with the key of the field as its name: if they are defined again, their values return. */
  returning: ReadonlySet<string>;
}

/**
 * Compares the fields of a content type before and after an update. Lists the fields whose stored values are affected. A change of
 * label, help, placeholder, group, default, required or order, or a loosened constraint other than `unique`, does not affect them.
 */
export function compareSchemas(
  old: Schema,
  next: Schema,
  { renames = new Map(), returning = new Set() }: Partial<ChangeContext> = {},
): FieldChange[] {
  return compareFields(old, next, { renames, returning });
}

function compareFields(old: Fields, next: Fields, context: ChangeContext): FieldChange[] {
  const kept = new Set(next.fields.map((field) => nameBefore(field, context.renames)));
  return [
    ...old.fields.filter(({ name }) => !kept.has(name)).map(removal),
    ...next.fields.flatMap((field) => {
      const previous = old.field(nameBefore(field, context.renames));
      return previous ? change(previous, field, context) : [addition(field)];
    }),
  ];
}

/** The changes inside a field of the same type that affect stored values. An added definition affects none unless it returns. */
function changesInside(before: CompiledField, after: CompiledField, context: ChangeContext): FieldChange[] {
  const isReturning = ({ definition, key }: CompiledField) =>
    context.returning.has(valueKey({ ...definition, name: key }));
  const kept = before.parts.flatMap((part) => {
    const next = after.parts.find(({ block }) => block === part.block);
    return next ? compareFields(part, next, context) : part.fields.map(removal);
  });
  const returned = after.parts.filter(
    ({ block }) =>
      context.returning.has(`${after.key}.${block}/blocks`) && !before.parts.some((one) => one.block === block),
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

function change(before: CompiledField, after: CompiledField, context: ChangeContext): FieldChange[] {
  const { name } = after;
  const isRenamed = before.name !== name;
  const retyped = isRetyped(before, after);
  const convert = retyped ? conversionOf(before.definition, after.definition) : undefined;
  const inside = retyped ? [] : changesInside(before, after, context);
  const recheck = retyped || isTighter(before, after, ['values']) || inside.some((one) => one.recheck);
  // For example, a group that becomes a json field. Their types have neither keys nor text of their own.
  const hasOtherParts = retyped && before.parts.length + after.parts.length > 0;
  const isReshaped =
    inside.length > 0 || before.parts.some(({ block }) => !after.parts.some((part) => part.block === block));
  const hasOtherKeys = isRenamed || convert !== undefined || before.type.key !== after.type.key;
  const unique = uniqueChange(before.definition, after.definition, hasOtherKeys);
  if (!recheck && !unique && !isRenamed && !isReshaped) return [];
  const isTightened = recheck || (unique === 'set' && !before.definition.unique);
  return [
    {
      name,
      before,
      after,
      change: retyped
        ? 'retyped'
        : isTightened
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

/** Whether stored values may be of another type, be lists or not, or refer to other content types. */
export function isRetyped(before: CompiledField, after: CompiledField): boolean {
  return hasOtherType(before, after) || isTighter(before, after, ['references']);
}

/** Whether values have another type, or become lists or single values. */
export function hasOtherType({ definition: before }: CompiledField, { definition: after }: CompiledField): boolean {
  return valueType(before) !== valueType(after);
}

type Concern = ConstraintChange['concerns'];

/** Whether a constraint that concerns one of these becomes tighter. With exchanged fields: whether one becomes wider. */
export function isTighter(before: CompiledField, after: CompiledField, concerns: readonly Concern[]): boolean {
  return CONSTRAINT_NAMES.some((name) => {
    const { change } = CONSTRAINTS[name];
    return (
      'isTighter' in change &&
      concerns.includes(change.concerns) &&
      change.isTighter(before.definition, after.definition)
    );
  });
}

/** Whether a change of an attribute only describes the field, or says what happens from now on: nothing that is stored is concerned. */
export function isDescriptive(attribute: string): boolean {
  return (
    attribute !== 'name' &&
    attribute !== 'type' &&
    (constraintNamed(attribute)?.change.concerns ?? 'nothing') === 'nothing'
  );
}
