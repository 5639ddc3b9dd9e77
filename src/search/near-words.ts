import type { SlicedWork } from '../admission/sliced-work.js';
import { editDistance } from './edit-distance.js';

/*
 * Where to look for the words that are near a word. If two words differ by one edit, one of two parts is the same in both; if they differ
 * by two edits, one of three parts is. So an index of beginnings, one of ends and one of middles find all near words, and few others.
 *
 * A swap edits two characters, which could be in two parts. Therefore a character between the parts belongs to neither.
 */

/** The words that corrections consist of. A word of one character is near every other. */
export const MIN_LENGTH = 2;
/** Longer words are rarely typed. */
export const MAX_LENGTH = 40;
const DICTIONARY_WORD = new RegExp(`^(?=.*\\p{L})[\\p{L}\\p{M}\\p{N}]{${MIN_LENGTH},${MAX_LENGTH}}$`, 'u');

/** Most dictionary words. It takes a fraction of the time. */
const PLAIN_WORD = new RegExp(`^[a-z][a-z0-9]{${MIN_LENGTH - 1},${MAX_LENGTH - 1}}$`);

/** From this length on, a word may differ by two edits. */
const LONG = 8;

/** Whether the word, as it is folded, can be corrected or be a correction. Names with signs, emoji and numbers cannot. */
export function isDictionaryWord(word: string): boolean {
  return PLAIN_WORD.test(word) || DICTIONARY_WORD.test(word);
}

/** The number of edits by which a correction of the word may differ. */
export function maxDistance(word: string): 1 | 2 {
  return characters(word).length >= LONG ? 2 : 1;
}

/** A part that a near word of this length may share with the sought word. */
export interface SharedPart {
  length: number;
  text: string;
}

/** The parts of which each near word shares at least one. */
interface SharedParts {
  starts: SharedPart[];
  /** Back to front. */
  ends: SharedPart[];
  middles: SharedPart[];
}

/** Returns the parts for words that differ by at most `maxDistance` edits. */
export function sharedParts(word: string): SharedParts {
  const distance = maxDistance(word);
  const sought = characters(word);
  const parts: SharedParts = { starts: [], ends: [], middles: [] };
  for (const length of lengthsNear(sought.length, distance)) {
    const [start, end] = distance === 1 ? halves(sought.length, length) : thirds(sought.length, length);
    parts.starts.push({ length, text: sought.slice(0, start).join('') });
    parts.ends.push({
      length,
      text: sought
        .slice(sought.length - end)
        .reverse()
        .join(''),
    });
    if (distance === 2) parts.middles.push(...middlesOf(sought, length));
  }
  return parts;
}

/** The lengths of near words, the most similar first. */
function lengthsNear(length: number, distance: number): number[] {
  const lengths = [length];
  for (let by = 1; by <= distance; by++) lengths.push(length + by, length - by);
  return lengths.filter((one) => one >= MIN_LENGTH && one <= MAX_LENGTH);
}

/** The lengths of the two parts if words of these lengths differ by one edit. Only words of the same length can differ by a swap. */
function halves(one: number, other: number): [start: number, end: number] {
  const shared = Math.min(one, other) - (one === other ? 1 : 0);
  const start = shared >> 1;
  return [start, shared - start];
}

/** The lengths of the first and the last part if words of these lengths differ by two edits. If one is longer by two, neither is a swap. */
function thirds(one: number, other: number): [start: number, end: number] {
  const length = third(other) + (Math.abs(one - other) === 2 ? 1 : 0);
  return [length, length];
}

/**
 * The length of the first and of the last part of a word of this length. The index of middles computes the same. It lacks words of fewer than
 * six characters, which are never two edits away from a long word.
 */
function third(length: number): number {
  return Math.floor((length - 2) / 3);
}

/** The texts that the middle of a near word of this length can be: edits before it move it. */
function middlesOf(sought: readonly string[], length: number): SharedPart[] {
  const start = third(length) + 1;
  const end = length - start;
  const moved = sought.length - length;
  return [0, 1, -1, 2, -2]
    .filter((by) => Math.abs(by) + Math.abs(moved - by) <= 2)
    .map((by) => ({ length, text: sought.slice(start + by, end + by).join('') }));
}

function characters(word: string): string[] {
  return [...word];
}

export interface NearWord {
  word: string;
  distance: number;
}

/** Words that are compared in one step. */
const COMPARED = 500;

/**
 * Of the found words, those that are near the word, the nearest first, and before others those with the same first character. A word may be
 * found several times.
 */
export function* nearestSliced(word: string, found: readonly string[]): SlicedWork<NearWord[]> {
  const limit = maxDistance(word);
  const near = new Map<string, NearWord>();
  let count = 0;
  for (const one of found) {
    const distance = editDistance(word, one, limit);
    if (distance > 0 && distance <= limit) near.set(one, { word: one, distance });
    if (++count % COMPARED === 0) yield;
  }
  // The first character is rarely wrong.
  const hasFirst = (one: NearWord) => (one.word.codePointAt(0) === word.codePointAt(0) ? 0 : 1);
  return [...near.values()].sort(
    (a, b) => a.distance - b.distance || hasFirst(a) - hasFirst(b) || (a.word < b.word ? -1 : 1),
  );
}
