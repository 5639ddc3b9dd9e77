import { CompiledField } from './compiled-field.js';
import { FieldDefinition } from './field-definition.js';
import { Schema } from './schema.js';

/** What a new list of definitions means for the stored values of one field. */
export interface FieldChange {
  name: string;
  /**
   * `added`: new here (whether it returns, and so has stored values, is for the caller to know); `removed`: gone, its values
   * are kept but hidden; `retyped`: another type, list or target; `tightened`: valid values may no longer be;
   * `loosened`: it is no longer unique.
   */
  change: 'added' | 'removed' | 'retyped' | 'tightened' | 'loosened';
  /** Stored values must be checked against the new definition; those that fail are in the way of the change. */
  recheck: boolean;
  /** Its rows in the sort and filter index are other ones, or go. */
  reindex: boolean;
  /** What full-text search sees of it is something else, or goes. */
  resift: boolean;
  /** Its values must become, or cease to be, one of a kind. */
  unique?: 'set' | 'lifted';
}

/**
 * Compares the definitions of a content type before and after a PUT. Lists the fields whose stored values need something
 * done; label, help, default, required, order and what else was loosened need nothing.
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
  return { name, change: 'removed', recheck: false, reindex: filterable, resift: searchable, unique };
}

function addition({ name, filterable, searchable, definition }: CompiledField): FieldChange {
  const unique = definition.unique ? 'set' : undefined;
  return { name, change: 'added', recheck: true, reindex: filterable, resift: searchable, unique };
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
      // Types that share the function make the same keys, or the same text: a text that becomes an email keeps its rows.
      reindex: before.multiple !== after.multiple || before.type.key !== after.type.key,
      resift: before.type.searchText !== after.type.searchText,
      unique,
    },
  ];
}

function isRetyped(before: CompiledField, after: CompiledField): boolean {
  return (
    before.definition.type !== after.definition.type ||
    before.multiple !== after.multiple ||
    before.definition.content_type !== after.definition.content_type
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

/** Set anew also where the values' identities differ with the type. */
function uniqueness(before: CompiledField, after: CompiledField): FieldChange['unique'] {
  const was = before.definition.unique === true;
  const is = after.definition.unique === true;
  if (!is) return was ? 'lifted' : undefined;
  return !was || before.type.key !== after.type.key ? 'set' : undefined;
}
