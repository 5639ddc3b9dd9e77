/*
 * The lexemes of a search vector. Each begins with a partition, so that one index serves all content types, but a search for a word reads
 * only the part of its own type. Words consist of letters, marks, numbers, emoji and the signs `+`, `#`, `&` and `.`; the other lexemes
 * contain `=` or `%`, which no word does.
 */

/** Where a lexeme is sought: in one partition, or in any of several. A document is in one. */
export type Partition = string | readonly LanguagePartition[];

/** A partition whose documents have the stems of some languages, each of which begins with its language (`de%haus`). */
interface LanguagePartition {
  name: string;
  languages: ReadonlySet<string>;
}

/** A stem with its language, or its lexeme in a tier. */
const MARKED_STEM = /^(?:=.)?%(\w+)%/;

/**
 * Returns a lexeme in quotation marks, as a tsvector and a tsquery take it. No word contains a quotation mark or a backslash. `flags` are those of a
 * tsquery, with their colon.
 */
export function lexeme(partition: Partition, word: string, flags = ''): string {
  if (typeof partition === 'string') return `'${partition}${word}'${flags}`;
  const [, language] = MARKED_STEM.exec(word) ?? [];
  const possible = language === undefined ? partition : partition.filter(({ languages }) => languages.has(language));
  const alternatives = possible.map(({ name }) => lexeme(name, word, flags));
  return alternatives.length === 1 ? alternatives.join('') : `(${alternatives.join(' | ')})`;
}

/** How a word occurs in a document, as far as it affects the rank. A word can have several of these lexemes. */
export type Tier = (typeof TITLE_TIERS)[number] | 'H' | (typeof BODY_TIERS)[number];

/** In the title: the fewer words the title has, the earlier the letter. */
export const TITLE_TIERS = ['A', 'B', 'C', 'D', 'E', 'F'] as const;
/** Elsewhere: the more often for the length of the document, the later the digit. A word that occurs rarely has none. */
const BODY_TIERS = ['1', '2', '3', '4'] as const;
export const TIERS: readonly Tier[] = [...TITLE_TIERS, 'H', ...BODY_TIERS];

/** The word comes last, so that beginnings of words are found too. */
export function tierLexeme(partition: Partition, word: string, tier: Tier, flags = ''): string {
  return lexeme(partition, `=${tier}${word}`, flags);
}

/** Every document has it. */
export function anyLexeme(partition: Partition): string {
  return lexeme(partition, '');
}

/** A document whose title consists of exactly the words that the digest is made of. */
export function titleLexeme(partition: Partition, digest: string): string {
  return lexeme(partition, `==${digest}`);
}

/** A document whose vector does not record all positions of all words. */
export function gapsLexeme(partition: Partition): string {
  return lexeme(partition, '=P');
}

/** A document with more words than a vector can hold. */
export function missingLexeme(partition: Partition): string {
  return lexeme(partition, '=W');
}

/** A word that has the stem, in a document of a content type with a language. */
export function stemLexeme(partition: Partition, stem: string): string {
  return lexeme(partition, `%${stem}`);
}

/** No document has it. */
export function noLexeme(partition: Partition): string {
  return lexeme(partition, ' ');
}

/** The title tier of a title with this number of words. */
export function titleTier(words: number): Tier {
  if (words <= 3) return TITLE_TIERS[Math.max(0, words - 1)] ?? 'A';
  return words <= 5 ? 'D' : words <= 8 ? 'E' : 'F';
}

/** The length of a document, in words, at which the number of a word's occurrences counts as it is. */
const USUAL_LENGTH = 300;

/**
 * The body tier of a word that occurs `count` times in a document of `length` words; undefined if it occurs rarely for the length. The
 * count is normalized as in BM25, with b = 0.75.
 */
export function bodyTier(count: number, length: number): Tier | undefined {
  const normalized = count / (0.25 + (0.75 * length) / USUAL_LENGTH);
  if (normalized >= 8) return '4';
  if (normalized >= 4) return '3';
  if (normalized >= 2) return '2';
  // In a text of usual length, each word would have a tier.
  return normalized >= 1 && count > 1 ? '1' : undefined;
}
