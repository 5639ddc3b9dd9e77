import type { Entry } from '../../../api/entries';
import type { EntryFields } from '../../../api/entry';
import { isRecord, sentValue, Unreadable } from '../model/values';

/** The entry as its preview link answers it, with what is typed on top. What cannot be sent is as it was saved. */
export function previewedEntry(entry: Entry, typed: EntryFields, saved: EntryFields): Entry {
  const fields = Object.entries(typed).flatMap(([name, value]) => {
    const shown = sentValue(isReadable(value) ? value : saved[name]) ?? undefined;
    return shown === undefined ? [] : [[name, shown] as const];
  });
  return { ...entry, fields: Object.fromEntries(fields) };
}

function isReadable(value: unknown): boolean {
  if (value instanceof Unreadable) return false;
  if (Array.isArray(value)) return value.every(isReadable);
  return !isRecord(value) || Object.values(value).every(isReadable);
}
