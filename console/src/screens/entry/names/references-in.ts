import type { FieldDefinition } from '../../../api/content-types';
import { labelOf } from '../../content/fields';
import { targetNames } from '../fields/use-referred';
import { innerFields } from '../model/faults';
import { isRecord } from '../model/values';
import type { NamedPlace } from './use-entry-names';

/** A reference in the values of an entry. */
interface FoundReference extends NamedPlace {
  /** The labels of the field and of those around it: `Sections › Author`. */
  readonly label: string;
}

/** The references in values, also those in groups and blocks, in the order of the fields. */
export function referencesIn(
  fields: readonly FieldDefinition[],
  values: Readonly<Record<string, unknown>>,
  around = '',
): readonly FoundReference[] {
  return fields.flatMap((field) => referencesOf(field, values[field.name], around + labelOf(field)));
}

/** The references in the value of one field. */
export function referencesOf(
  field: FieldDefinition,
  value: unknown,
  label = labelOf(field),
): readonly FoundReference[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (field.type === 'reference') {
    const types = targetNames(field);
    return items.flatMap((id) => (typeof id === 'string' ? [{ id, types, label }] : []));
  }
  if (field.type !== 'group' && field.type !== 'blocks') return [];
  return items.flatMap((item) =>
    isRecord(item) ? referencesIn(innerFields(field, item) ?? [], item, `${label} › `) : [],
  );
}
