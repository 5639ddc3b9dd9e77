import type { EntryFields } from '../../../api/entry';

/** What was typed and cannot be a value of the field yet: half a number, JSON that does not end. */
export class Unreadable {
  constructor(
    readonly text: string,
    /** What to do about it. */
    readonly message: string,
    /** Follows the name of the field: `is not a number`. */
    readonly summary: string,
  ) {}

  /** As it is kept in the browser. No value of the service has such a key. */
  toJSON(): object {
    return { [UNREADABLE]: this.text };
  }
}

/** A key with a character that the service does not store. */
const UNREADABLE = '\0unreadable';

/** Reads JSON in which there may be what could not be read before. */
export function withUnreadables(value: unknown): unknown {
  if (Array.isArray(value)) return (value as unknown[]).map(withUnreadables);
  if (!isRecord(value)) return value;
  const text = value[UNREADABLE];
  if (typeof text === 'string') return new Unreadable(text, 'Complete this value, or remove it.', 'is not complete');
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withUnreadables(inner)]));
}

/** The value as it is sent: without the gaps of lists. Undefined if a list holds nothing else. */
export function sentValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = (value as unknown[]).filter(isThere).map(sentValue);
    return items.length === 0 && value.length > 0 ? undefined : items;
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sentValue(inner)]));
}

/** Whether an item of a list is sent. */
export function isThere(item: unknown): boolean {
  return item !== undefined;
}

/** The fields that differ, as a PATCH sends them: null removes a value. */
export function changesBetween(before: EntryFields, after: EntryFields): Record<string, unknown> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => before[name] !== after[name] && !isSameText(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, sentValue(after[name]) ?? null]));
}

/** The values with changes as `changesBetween` returns them. */
export function patched(fields: EntryFields, changes: EntryFields): EntryFields {
  const all = Object.entries({ ...fields, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined));
}

export function isSameText(one: unknown, other: unknown): boolean {
  return JSON.stringify(sentValue(one)) === JSON.stringify(sentValue(other));
}

/** Whether two values mean the same, whatever the order of their properties. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((item, i) => isSameValue(item, other[i]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => isSameValue(one[key], other[key]));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Unreadable);
}
