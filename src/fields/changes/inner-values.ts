import type { CompiledField, FieldList } from '../compiled-field.js';
import { isRecord } from '../record.js';
import type { Fields } from './renames.js';

/** Adds the keys of the fields inside a field of which a stored value has a value. */
export function* addKeysInside(keys: Set<string>, field: CompiledField, value: unknown): Generator<undefined, void> {
  if (field.parts.length === 0) return;
  for (const item of (Array.isArray(value) ? value : [value]) as unknown[]) {
    yield;
    const part = isRecord(item) ? field.partOf(item) : undefined;
    if (!part) continue;
    if (part.block !== undefined) keys.add(`${field.key}.${part.block}`);
    for (const [name, inner] of Object.entries(item as Record<string, unknown>)) {
      const innerField = part.field(name);
      if (!innerField) continue;
      keys.add(innerField.key);
      yield* addKeysInside(keys, innerField, inner);
    }
  }
}

/** The key of the innermost field on the path of an error (`fields.sections.0.title`) in these values. */
export function keyAtPath(fields: Fields, values: Readonly<Record<string, unknown>>, path: string): string | undefined {
  let list: Fields | FieldList | undefined = fields;
  let value: unknown = values;
  let found: CompiledField | undefined;
  for (const name of path.split('.').slice(1)) {
    if (Array.isArray(value)) {
      value = (value as unknown[])[Number(name)];
      continue;
    }
    if (found) list = isRecord(value) ? found.partOf(value) : undefined;
    const field = list?.field(name);
    if (!field) break;
    found = field;
    value = isRecord(value) ? value[name] : undefined;
  }
  return found?.key;
}
