import type { SlicedWork } from '../admission/sliced-work.js';
import type { ValueError } from '../errors/problem.js';
import type { CompiledField } from './compiled-field.js';
import { isRecord } from './record.js';

/**
 * Returns what the field stores of a value: without nulls, which count as not supplied, and without the inner values that its definitions
 * no longer name, nor (`onlyFitting`) those that are misfits. A value of an earlier definition may have any shape.
 */
export function* keptSliced(field: CompiledField, value: unknown, onlyFitting = false): SlicedWork<unknown> {
  if (field.parts.length === 0) return value;
  if (!field.multiple) return isRecord(value) ? ((yield* keptItem(field, value, onlyFitting)) ?? {}) : value;
  if (!Array.isArray(value)) return value;
  const items: unknown[] = [];
  for (const item of value as unknown[]) {
    const kept = isRecord(item) ? yield* keptItem(field, item, onlyFitting) : item;
    if (kept !== undefined) items.push(kept);
    yield;
  }
  return items;
}

function* keptItem(
  field: CompiledField,
  item: Record<string, unknown>,
  onlyFitting: boolean,
): SlicedWork<Record<string, unknown> | undefined> {
  const part = field.partOf(item);
  if (!part) return undefined;
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(item)) {
    const inner = part.field(name);
    if (inner && value !== null) {
      const own = yield* keptSliced(inner, value, onlyFitting);
      if (!onlyFitting || !(yield* inner.isMisfitSliced(own))) kept[name] = own;
    } else if (name === 'block' && part.block !== undefined) kept[name] = value;
  }
  return kept;
}

/** The error of a value that is kept as it is. */
export function keptError(field: CompiledField, path = 'fields'): ValueError {
  const at = `${path}.${field.name}`;
  const types = field.leafFields.filter(({ isAbsent }) => isAbsent).map(({ definition }) => definition.type);
  const [type = ''] = types;
  const message = `${field.name} cannot be set or changed while the extension with the type ${type} is turned off.`;
  return { path: at, code: 'extension_off', message };
}
