import type { CompiledField } from '../../fields/compiled-field.js';
import { compareKeys, type ValueKey } from '../../fields/sort-key.js';

/** A text that a value contains or begins with, ignoring case. `folded` is in the fold of each such value; empty if nothing is certain. */
export interface TextPart {
  text: string;
  atStart: boolean;
  folded: string;
}

/** Whether the whole index of the field must be read to find the values, although few may match. */
export function areAnywhere(parts: readonly TextPart[]): boolean {
  return parts.some(({ atStart, folded }) => !atStart || folded === '');
}

/** The key of a sought value, and the value itself if it was sought as text. */
export interface SoughtKey extends ValueKey {
  text?: string;
}

/** Holds if a value of the field passes the test, or (`negated`) if no value passes it. */
export type ValueCondition = { field: CompiledField; negated: boolean } & (
  | { kind: 'keys'; keys: readonly SoughtKey[] }
  | { kind: 'range'; from?: string; below?: string }
  | { kind: 'present' }
  | { kind: 'text'; parts: readonly TextPart[] }
);

type Range = Extract<ValueCondition, { kind: 'range' }>;

/**
 * Joins two bounds of a field into one range of its index; undefined if that is not the same. In a list, different values may meet the
 * bounds, so they stay separate.
 */
export function joinRanges(one: Range, other: Range): Range | undefined {
  const isOfSameField = one.field === other.field && !one.negated && !other.negated;
  if (!isOfSameField || one.field.multiple) return undefined;
  const sorted = (keys: (string | undefined)[]) => keys.filter((key) => key !== undefined).sort(compareKeys);
  return { ...one, from: sorted([one.from, other.from]).at(-1), below: sorted([one.below, other.below])[0] };
}
