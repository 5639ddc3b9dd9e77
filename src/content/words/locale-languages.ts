import { loadStemmer, SEARCH_LANGUAGES, type SearchLanguage, type Stemmer } from '../../search/stemmer.js';

/** Norwegian has two written forms. Both have the stems of one. */
const OTHER_CODES: Readonly<Record<string, SearchLanguage>> = { nb: 'no', nn: 'no' };

/** The language of whose words a locale has stems: `de` of `de-CH`. Undefined if none is known. */
export function languageOfLocale(code: string): SearchLanguage | undefined {
  const [language = ''] = code.split('-');
  return OTHER_CODES[language] ?? SEARCH_LANGUAGES.find((one) => one === language);
}

const stemmers = new Map<SearchLanguage, Promise<Stemmer>>();

/**
 * A stemmer for texts among which there may be other languages: each stem begins with its language, so that equal stems of two languages are two. One
 * for each language, so that it can be a key.
 */
export function markedStemmer(language: SearchLanguage): Promise<Stemmer> {
  const known = stemmers.get(language) ?? load(language);
  stemmers.set(language, known);
  return known;
}

async function load(language: SearchLanguage): Promise<Stemmer> {
  const stemmer = await loadStemmer(language);
  return (word) => {
    const stem = stemmer(word);
    return stem === undefined ? undefined : `${language}%${stem}`;
  };
}
