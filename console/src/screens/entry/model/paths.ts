import type { EntryFields } from '../../../api/entry';

/** The outermost field of a path such as `sections.2.title`. */
export function nameIn(path: string): string {
  const end = path.indexOf('.');
  return end < 0 ? path : path.slice(0, end);
}

export function valueAt(values: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    return (value as Record<string, unknown>)[key];
  }, values);
}

/**
 * A copy with another value at the path. What lies beside the path is shared. Undefined removes the value, and a group that holds nothing any
 * more; in a list it leaves a gap, which is not sent.
 */
export function withValue(values: EntryFields, path: string, value: unknown): EntryFields {
  return changed(values, path.split('.'), value) as EntryFields;
}

function changed(holder: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  if (Array.isArray(holder)) {
    const items: unknown[] = [...(holder as unknown[])];
    items[Number(key)] = rest.length === 0 ? value : changed(items[Number(key)], rest, value);
    return items;
  }
  const copy = { ...(typeof holder === 'object' ? holder : {}) } as Record<string, unknown>;
  const next = rest.length === 0 ? value : changed(copy[key], rest, value);
  if (next === undefined || (rest.length > 0 && isEmpty(next))) delete copy[key];
  else copy[key] = next;
  return copy;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}
