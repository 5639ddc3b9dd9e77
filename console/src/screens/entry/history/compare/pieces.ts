import { diffLines, diffWords, diffWordsWithSpace } from 'diff';

/** A part of a text, and on which side it is. */
export interface Piece {
  readonly text: string;
  readonly is: 'same' | 'removed' | 'added';
}

/** Milliseconds for the words of one text. Larger differences are shown by lines, or as a whole. */
const TIME = { words: 250, lines: 100 };

/** Finds words in languages that have no spaces between them. Older browsers go by spaces. */
const intlSegmenter = 'Segmenter' in Intl ? new Intl.Segmenter(undefined, { granularity: 'word' }) : undefined;

/** The text before and after, as what stayed, what went and what came. */
export function piecesOf(before: string, after: string): readonly Piece[] {
  if (before === '' || after === '') return wholes(before, after);
  const words = inWords(before, after);
  // Only spaces differ.
  if (words?.every(({ is }) => is === 'same')) return spaces(before, after) ?? wholes(before, after);
  return words ?? inLines(before, after) ?? wholes(before, after);
}

type Changes = readonly { readonly value: string; readonly added: boolean; readonly removed: boolean }[] | undefined;

function inWords(before: string, after: string): readonly Piece[] | undefined {
  return named(diffWords(before, after, { timeout: TIME.words, ...(intlSegmenter && { intlSegmenter }) }));
}

function spaces(before: string, after: string): readonly Piece[] | undefined {
  return named(diffWordsWithSpace(before, after, { timeout: TIME.words }));
}

function inLines(before: string, after: string): readonly Piece[] | undefined {
  return named(diffLines(before, after, { timeout: TIME.lines }));
}

function named(changes: Changes): readonly Piece[] | undefined {
  return changes?.map(({ value, added, removed }) => ({
    text: value,
    is: added ? 'added' : removed ? 'removed' : 'same',
  }));
}

function wholes(before: string, after: string): readonly Piece[] {
  const pieces: readonly Piece[] = [
    { text: before, is: 'removed' },
    { text: after, is: 'added' },
  ];
  return pieces.filter(({ text }) => text !== '');
}
