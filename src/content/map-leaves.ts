import type { SlicedWork } from '../admission/sliced-work.js';
import type { CompiledField } from '../fields/compiled-field.js';
import { isRecord } from '../fields/record.js';
import type { Schema } from '../fields/schema.js';

/** Returns what replaces a value, or undefined to remove it. `path` leads to the value. */
type MapLeaf = (value: unknown, path: string, field: CompiledField) => unknown;

/**
 * Copies values, in which `map` replaces each value of the fields of a type, also in groups and blocks, and of lists each element. A list
 * whose elements are all removed is removed. Values that do not fit the schema stay as they are.
 */
export function* mapLeaves(schema: Schema, type: string, values: unknown, map: MapLeaf): SlicedWork<unknown> {
  const isSought = ({ leafFields }: CompiledField) => leafFields.some(({ definition }) => definition.type === type);
  const fields = schema.fields.filter(isSought);
  if (!isRecord(values) || fields.length === 0) return values;
  return yield* mapItem(fields, values, 'fields');

  function* mapItem(
    sought: readonly CompiledField[],
    item: Record<string, unknown>,
    path: string,
  ): SlicedWork<unknown> {
    const copy = { ...item };
    for (const field of sought) {
      const { name } = field;
      if (!Object.hasOwn(copy, name)) continue;
      const value = copy[name];
      if (!Array.isArray(value)) {
        const mapped = yield* mapValue(field, value, `${path}.${name}`);
        if (mapped === undefined) delete copy[name];
        else copy[name] = mapped;
      } else {
        const elements: unknown[] = [];
        for (const [index, element] of value.entries()) {
          const mapped = yield* mapValue(field, element, `${path}.${name}.${index}`);
          if (mapped !== undefined) elements.push(mapped);
        }
        if (elements.length === 0 && value.length > 0) delete copy[name];
        else copy[name] = elements;
      }
      yield;
    }
    return copy;
  }

  function* mapValue(field: CompiledField, value: unknown, path: string): SlicedWork<unknown> {
    if (field.parts.length === 0) return map(value, path, field);
    if (!isRecord(value)) return value;
    const inner = field.partOf(value)?.fields.filter(isSought) ?? [];
    return inner.length > 0 ? yield* mapItem(inner, value, path) : value;
  }
}
