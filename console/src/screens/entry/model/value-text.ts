import { Unreadable } from './values';

/** A value as text: words as they are, everything else as JSON. */
export function textOfValue(value: unknown): string {
  if (value instanceof Unreadable) return value.text;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
