import { escapeHtml } from '../fields/formats/escape-html.js';
import type { Excerpt } from './excerpts.js';
import { UNPARTED } from './words.js';

/** Not U+FEFF, which joins words. */
const SPACE = /[^\S\ufeff]/;
/** Where a text is cut: before a space, or before a character that is a word by itself. */
const BETWEEN_WORDS = new RegExp(`${SPACE.source}|(?!\\p{M})${UNPARTED.source}`, 'gu');
/** Where a text without such a place is cut: before a character that is not in a word. */
const SIGN = /[^\p{L}\p{M}\p{N}\p{Cf}]/gu;

/**
 * Returns the HTML of an excerpt: its text with `<mark>` around the matches, cut between words. An ellipsis shows that the line has more
 * text; a space is next to it if the text is cut at a space.
 */
export function fragmentOf(line: string, { from: first, to: last, matches }: Excerpt): string {
  let from = beginning(line, first, matches[0]?.start ?? last);
  let to = ending(line, matches.at(-1)?.end ?? first, last);
  while (from < to && isSpace(line, from)) from++;
  while (from < to && isSpace(line, to - 1)) to--;
  let html = hasText(line.slice(0, from)) ? `…${isSpace(line, from - 1) ? ' ' : ''}` : '';
  let place = from;
  for (const { start, end } of matches) {
    html += `${escapeHtml(line.slice(place, start))}<mark>${escapeHtml(line.slice(start, end))}</mark>`;
    place = end;
  }
  html += escapeHtml(line.slice(place, to));
  return hasText(line.slice(to)) ? `${html}${isSpace(line, to) ? ' ' : ''}…` : html;
}

/** Returns the first border between words from `from` on, at most `match`. */
function beginning(line: string, from: number, match: number): number {
  if (from === 0) return 0;
  const before = line.slice(from - 1, match);
  for (const pattern of [BETWEEN_WORDS, SIGN]) {
    for (const { index, 0: character } of before.matchAll(pattern)) {
      if (SPACE.test(character)) return from + index;
      if (index > 0) return from - 1 + index;
    }
  }
  return match;
}

/** Returns the last border between words up to `to`, at least `match`. */
function ending(line: string, match: number, to: number): number {
  if (to === line.length) return to;
  const behind = line.slice(match, to + 1);
  for (const pattern of [BETWEEN_WORDS, SIGN]) {
    const last = [...behind.matchAll(pattern)].at(-1);
    if (last) return match + last.index;
  }
  return match;
}

function isSpace(line: string, place: number): boolean {
  return SPACE.test(line.charAt(place));
}

function hasText(text: string): boolean {
  return /\S/.test(text);
}
