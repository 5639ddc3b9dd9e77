import type { SlicedWork } from '../../admission/sliced-work.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { Schema } from '../../fields/schema.js';
import type { EntryFields } from '../entries/writes/entry-values.js';
import { mapLeaves } from '../map-leaves.js';

/** The references that a deletion of their entries clears. */
export function* clearable(schema: Schema, values: EntryFields): SlicedWork<string[]> {
  const references = yield* schema.referencesSliced(values);
  return references.filter(({ field }) => isCleared(field)).map(({ id }) => id);
}

/** Returns the patch that removes the references to `gone` (public IDs) from fields that clear them. A list that becomes empty is removed. */
export function* without(
  schema: Schema,
  values: EntryFields,
  gone: ReadonlySet<unknown>,
): SlicedWork<{ set: EntryFields; removed: string[] }> {
  const changed = new Set<string>();
  const kept = (yield* mapLeaves(schema, 'reference', values, (value, path, field) => {
    if (!isCleared(field) || !gone.has(value)) return value;
    const [, name = ''] = path.split('.');
    changed.add(name);
    return undefined;
  })) as EntryFields;
  const patch: { set: EntryFields; removed: string[] } = { set: {}, removed: [] };
  for (const name of changed) {
    if (Object.hasOwn(kept, name)) patch.set[name] = kept[name];
    else patch.removed.push(name);
  }
  return patch;
}

function isCleared({ definition }: CompiledField): boolean {
  return definition.on_delete === 'clear';
}
