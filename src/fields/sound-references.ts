import type { SlicedWork } from '../admission/sliced-work.js';
import type { CompiledField } from './compiled-field.js';
import { isRecord, supplied } from './record.js';

/**
 * Returns a copy of a value of a group or blocks, which may be invalid, with only its references that have the form of one, at their
 * places. Undefined if there is none.
 */
export function* soundReferences(field: CompiledField, value: unknown): SlicedWork<unknown> {
  if (field.parts.length === 0) {
    return field.contentTypes.length > 0 && !(yield* field.isMisfitSliced(value)) ? value : undefined;
  }
  if (!field.leafFields.some(({ contentTypes }) => contentTypes.length > 0)) return undefined;
  if (field.multiple !== Array.isArray(value)) return undefined;
  const items: Record<string, unknown>[] = [];
  let isEmpty = true;
  for (const item of (field.multiple ? value : [value]) as unknown[]) {
    const copy: Record<string, unknown> = {};
    const part = isRecord(item) ? field.partOf(item) : undefined;
    if (part?.block !== undefined) copy['block'] = part.block;
    for (const inner of part?.fields ?? []) {
      const sent = supplied(item as Record<string, unknown>, inner.name);
      const own = sent === undefined ? undefined : yield* soundReferences(inner, sent);
      if (own === undefined) continue;
      copy[inner.name] = own;
      isEmpty = false;
    }
    items.push(copy);
    yield;
  }
  return isEmpty ? undefined : field.multiple ? items : items[0];
}
