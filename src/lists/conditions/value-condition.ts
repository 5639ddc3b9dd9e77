import type { CompiledField } from '../../fields/compiled-field.js';
import { compareKeys, type ValueKey } from '../../fields/sort-key.js';

/** How a text must be in a value, ignoring case. */
export interface TextPosition {
  /** SQL that is true if the text `value` has the text `part` in this position. Both are SQL, in lower case. */
  holds: (value: string, part: string) => string;
  /** Whether the part is the beginning of the value, so that values are found in a part of the index. */
  isPrefix: boolean;
}

/** A text that is sought in values. `folded` is in the same position of the fold of each such value; empty if nothing is certain. */
export interface TextPart {
  text: string;
  position: TextPosition;
  folded: string;
}

/** The key of a sought value, and the value itself if it was sought as text. */
interface SoughtKey extends ValueKey {
  text?: string;
}

/**
 * Holds if a value of the field passes the test, or (`negated`) if no value passes it. `absent` holds if there is no value; only tables whose
 * index has a row for missing values have it.
 */
export type ValueCondition = { field: CompiledField; negated: boolean } & (
  | { kind: 'keys'; keys: readonly SoughtKey[] }
  | { kind: 'range'; from?: string; below?: string }
  | { kind: 'present' }
  | { kind: 'absent' }
  | { kind: 'text'; parts: readonly TextPart[] }
);

type Range = Extract<ValueCondition, { kind: 'range' }>;

/** Whether the whole index of the field must be read to find the values, although few may match. */
export function needsFullScan(condition: ValueCondition): boolean {
  return (
    condition.kind === 'text' && condition.parts.some(({ position, folded }) => !position.isPrefix || folded === '')
  );
}

/** Returns one condition for both, or undefined if one look into the index cannot test them. `kind`: whether both must hold, or one. */
export function joinValueConditions(
  kind: 'all' | 'any',
  one: ValueCondition,
  other: ValueCondition,
): ValueCondition | undefined {
  if (one.field !== other.field || one.negated !== other.negated) return undefined;
  if (one.kind === 'range' && other.kind === 'range') return kind === 'all' ? joinRanges(one, other) : undefined;
  // "One of these values" and "none of these values" are lists of values. "Both of these values" is not.
  if (one.negated !== (kind === 'all')) return undefined;
  if (one.kind === 'keys' && other.kind === 'keys') return { ...one, keys: [...one.keys, ...other.keys] };
  if (one.kind !== 'text' || other.kind !== 'text') return undefined;
  // A part of the index is read faster than the whole.
  if (!one.negated && !(needsFullScan(one) && needsFullScan(other))) return undefined;
  return { ...one, parts: [...one.parts, ...other.parts] };
}

/** Joins two bounds into one range. In a list of values, different ones may meet the bounds, so they stay separate. */
function joinRanges(one: Range, other: Range): Range | undefined {
  if (one.negated || one.field.multiple) return undefined;
  const sorted = (keys: (string | undefined)[]) => keys.filter((key) => key !== undefined).sort(compareKeys);
  return { ...one, from: sorted([one.from, other.from]).at(-1), below: sorted([one.below, other.below])[0] };
}
