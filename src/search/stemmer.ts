import { foldWords } from './fold-words.js';

/** The languages of which words have stems (ISO 639-1). */
export const SEARCH_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'no', 'da', 'fi'] as const;

export type SearchLanguage = (typeof SEARCH_LANGUAGES)[number];

/**
 * Returns the stem of a word that is written in lower case, with its accents. The stem has none, so that it is the same however the word
 * is written. Undefined if the word has no stem: a number, or a word in another script.
 */
export type Stemmer = (word: string) => string | undefined;

/** The stems by which a word of a search is found, as a stemmer takes it: those of several languages if texts may be in any of them. */
export type SoughtStems = (word: string) => string | readonly string[] | undefined;

/** The Snowball algorithms. They are loaded when the first content type with their language is used. */
const ALGORITHMS: Record<SearchLanguage, () => Promise<(word: string) => string>> = {
  // The English module of @orama/stemmers cuts `connection` to `connec`.
  en: async () => (await import('stemr')).stem,
  de: async () => inGerman((await import('@orama/stemmers/german')).stemmer),
  fr: async () => (await import('@orama/stemmers/french')).stemmer,
  es: async () => (await import('@orama/stemmers/spanish')).stemmer,
  it: async () => (await import('@orama/stemmers/italian')).stemmer,
  pt: async () => (await import('@orama/stemmers/portuguese')).stemmer,
  nl: async () => (await import('@orama/stemmers/dutch')).stemmer,
  sv: async () => (await import('@orama/stemmers/swedish')).stemmer,
  no: async () => (await import('@orama/stemmers/norwegian')).stemmer,
  da: async () => (await import('@orama/stemmers/danish')).stemmer,
  fi: async () => (await import('@orama/stemmers/finnish')).stemmer,
};

const LATIN = /^\p{Script=Latin}+$/u;

export async function loadStemmer(language: SearchLanguage): Promise<Stemmer> {
  const algorithm = await ALGORITHMS[language]();
  return (word) => (LATIN.test(word) ? foldWords(algorithm(word)) || undefined : undefined);
}

/** Vowels that can be spelled out: `Häuser` and `Haeuser` have one stem. `ue` after a vowel or q is something else (`neue`, `Quelle`). */
const SPELLED_OUT = /ae|oe|(?<![aeiouyäöüq])ue/g;
const UMLAUTS: Record<string, string> = { ae: 'ä', oe: 'ö', ue: 'ü' };

function inGerman(algorithm: (word: string) => string): (word: string) => string {
  return (word) => algorithm(word.replace(SPELLED_OUT, (vowel) => UMLAUTS[vowel] ?? vowel));
}
