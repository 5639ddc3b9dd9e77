import type { SlicedWork } from '../../../admission/sliced-work.js';
import type { ValueError } from '../../../errors/problem.js';
import { keptError } from '../../../fields/kept-values.js';
import type { Schema } from '../../../fields/schema.js';
import { parseSliced } from '../../../json/parse-sliced.js';
import { isSameSliced } from '../../../json/is-same-sliced.js';
import { type LiveChange, withLiveChange } from '../../locales/live-locales.js';
import type { EntryStatus } from '../entry.entity.js';
import type { EntryFields } from './entry-values.js';
import { type AppliedPatch, difference } from './stored-form.js';

/** Values to set, and fields to remove. */
export interface Patch {
  set: EntryFields;
  removed: readonly string[];
}

/** Applies a patch to an entry. If the entry is or becomes published, checks all of its values and returns their errors. */
export function* applyPatch(
  schema: Schema,
  stored: string,
  patch: Patch & { isPublished: boolean; live?: { change: LiveChange; before: EntryStatus } },
): SlicedWork<AppliedPatch & { errors: ValueError[] }> {
  const before = (yield* parseSliced(stored)) as EntryFields;
  const values = { ...before, ...patch.set };
  for (const name of patch.removed) delete values[name];
  const after = withLiveChange(schema, values, patch.live?.before ?? 'draft', patch.live?.change);
  const names = [...Object.keys(patch.set), ...patch.removed];
  const uniques: AppliedPatch['uniques'] = { removed: [], added: [] };
  for (const name of names) {
    const field = schema.field(name);
    if (!field?.unique) continue;
    const [had, has] = [yield* schema.uniquesOf(field, before), yield* schema.uniquesOf(field, after)];
    const { removed, added } = difference(had, has);
    uniques.removed.push(...removed);
    uniques.added.push(...added);
    yield;
  }
  const errors = patch.isPublished ? yield* schema.checkStoredSliced(after) : [];
  errors.push(...(yield* keptFaults(schema, before, patch)));
  return { before, after, names, uniques, errors };
}

/** An error for each value of a patch that differs from the stored one, of fields whose values are kept as they are. */
export function* keptFaults(schema: Schema, before: EntryFields, { set, removed }: Patch): SlicedWork<ValueError[]> {
  const errors: ValueError[] = [];
  for (const field of schema.fields) {
    if (!field.isKept) continue;
    const { name } = field;
    const isChanged = Object.hasOwn(set, name)
      ? !(yield* isSameSliced(set[name], before[name]))
      : removed.includes(name);
    if (isChanged) errors.push(keptError(field));
  }
  return errors;
}
