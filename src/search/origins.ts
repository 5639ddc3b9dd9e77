import type { SlicedWork } from '../admission/sliced-work.js';
import { endOfUnit, foldWords } from './fold-words.js';

/** Units whose parts are remembered. */
const MAX_REMEMBERED = 4_096;
/** UTF-16 units. Longer units are not remembered and have one part. */
const SHORT = 16;
/** Units that one step folds. If none of them occurred before, it takes about a millisecond. */
const UNITS = 500;

/** A part of a text, and the length of what it folds to. */
interface Part {
  length: number;
  folded: number;
}

const SAME: readonly Part[] = [{ length: 1, folded: 1 }];

/** The smallest parts of units that fold by themselves. A unit has several if its characters are not joined, as a letter and a vowel sign. */
export class UnitParts {
  private readonly known = new Map<string, readonly Part[]>();

  of(unit: string): readonly Part[] {
    if (unit.length === 1 && unit.charCodeAt(0) < 0x80) return SAME;
    if (unit.length > SHORT) return [{ length: unit.length, folded: foldWords(unit).length }];
    let parts = this.known.get(unit);
    if (!parts) {
      if (this.known.size >= MAX_REMEMBERED) this.known.clear();
      this.known.set(unit, (parts = partsOf(unit)));
    }
    return parts;
  }
}

/** Splits a unit wherever both sides fold by themselves. */
function partsOf(unit: string): Part[] {
  const whole = foldWords(unit);
  const parts: Part[] = [];
  let [from, to, folded] = [0, 0, 0];
  for (const character of unit) {
    to += character.length;
    const before = foldWords(unit.slice(0, to));
    if (before + foldWords(unit.slice(to)) !== whole) continue;
    const last = parts.at(-1);
    // An accent that is ignored belongs to its letter.
    if (before.length === folded && last) last.length += to - from;
    else parts.push({ length: to - from, folded: before.length - folded });
    [from, folded] = [to, before.length];
  }
  return parts;
}

/** Where each place of a folded text comes from. */
export interface Origins {
  /** The place at which the part begins that the character behind this place was folded from. */
  start(folded: number): number;
  /** The place at which the part ends that the character before this place was folded from. */
  end(folded: number): number;
}

/** Folding ASCII changes no place. */
export const SAME_PLACES: Origins = { start: (folded) => folded, end: (folded) => folded };

/**
 * Returns the origins of a text's folded form. Takes 8 bytes for each UTF-16 unit of the text. A character that folds to several, such as
 * `ß` or `½`, is the origin of all of them.
 */
export function* originsOf(text: string, parts: UnitParts): SlicedWork<Origins> {
  const starts = new Uint32Array(text.length + 1);
  /** The end of each part in the folded text. */
  const ends = new Uint32Array(text.length);
  let [units, count, folded] = [0, 0, 0];
  for (let from = 0; from < text.length;) {
    for (const part of parts.of(text.slice(from, endOfUnit(text, from)))) {
      folded += part.folded;
      starts[count] = from;
      ends[count++] = folded;
      from += part.length;
    }
    if (++units % UNITS === 0) yield;
  }
  starts[count] = text.length;
  /** The first part whose end in the folded text is at least `end`. */
  const partTo = (end: number): number => {
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) >= end) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return {
    start: (place) => starts[partTo(place + 1)] ?? 0,
    end: (place) => starts[partTo(place) + 1] ?? text.length,
  };
}
