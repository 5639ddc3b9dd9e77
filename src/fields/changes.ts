import { CompiledField } from './compiled-field.js';
import { FieldDefinition, namedTypes } from './field-definition.js';
import { Schema } from './schema.js';

/** The effect of a new list of definitions on the stored values of one field. */
export interface FieldChange {
  name: string;
  /**
   * `added`: the field is new (the caller knows whether it returns, and so has stored values); `removed`: its values are stored but hidden;
   * `retyped`: it has another type, list or target; `tightened`: valid values may have become invalid; `loosened`: it is no longer unique.
   */
  change: 'added' | 'removed' | 'retyped' | 'tightened' | 'loosened';
  /** Whether stored values must be checked against the new definition. Invalid values block the change. */
  recheck: boolean;
  /** Whether its rows in the sort and filter index must be rewritten or removed. */
  reindex: boolean;
  /** Whether its text in full-text search must be rewritten or removed. */
  rewriteWords: boolean;
  /** Whether its values must become unique, or no longer have to be. */
  unique?: 'set' | 'lifted';
}

/**
 * Compares the definitions of a content type before and after an update. Lists the fields whose stored values are affected. A change of
 * label, help, default, required or order, or a loosened constraint other than `unique`, does not affect them.
 */
export function compareSchemas(before: readonly FieldDefinition[], after: readonly FieldDefinition[]): FieldChange[] {
  const old = Schema.compile(before, 'content');
  const next = Schema.compile(after, 'content');
  return [
    ...old.fields.filter(({ name }) => !next.field(name)).map(removal),
    ...next.fields.flatMap((field) => {
      const previous = old.field(field.name);
      return previous ? change(previous, field) : [addition(field)];
    }),
  ];
}

function removal({ name, filterable, searchable, definition }: CompiledField): FieldChange {
  const unique = definition.unique ? 'lifted' : undefined;
  return { name, change: 'removed', recheck: false, reindex: filterable, rewriteWords: searchable, unique };
}

function addition({ name, filterable, searchable, definition }: CompiledField): FieldChange {
  const unique = definition.unique ? 'set' : undefined;
  return { name, change: 'added', recheck: true, reindex: filterable, rewriteWords: searchable, unique };
}

function change(before: CompiledField, after: CompiledField): FieldChange[] {
  const { name } = after;
  const retyped = isRetyped(before, after);
  const recheck = retyped || isTightened(before.definition, after.definition);
  const unique = uniqueness(before, after);
  if (!recheck && !unique) return [];
  return [
    {
      name,
      change: retyped ? 'retyped' : recheck || unique === 'set' ? 'tightened' : 'loosened',
      recheck,
      // Types that share the function produce the same keys or the same text. For example, a text that becomes an email keeps its rows.
      reindex: before.multiple !== after.multiple || before.type.key !== after.type.key,
      rewriteWords:
        before.type.searchText !== after.type.searchText || before.type.searchLines !== after.type.searchLines,
      unique,
    },
  ];
}

/** Whether a reference no longer names one of its content types, so that its values may refer to others. */
export function isRedirected(before: FieldDefinition, after: FieldDefinition): boolean {
  const names = namedTypes(after);
  return namedTypes(before).some((name) => !names.includes(name));
}

function isRetyped(before: CompiledField, after: CompiledField): boolean {
  return (
    before.definition.type !== after.definition.type ||
    before.multiple !== after.multiple ||
    isRedirected(before.definition, after.definition)
  );
}

function isTightened(before: FieldDefinition, after: FieldDefinition): boolean {
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

/** Also `set` if the new type has other keys, because the unique values must then be rewritten. */
function uniqueness(before: CompiledField, after: CompiledField): FieldChange['unique'] {
  const was = before.definition.unique === true;
  const is = after.definition.unique === true;
  if (!is) return was ? 'lifted' : undefined;
  return !was || before.type.key !== after.type.key ? 'set' : undefined;
}
