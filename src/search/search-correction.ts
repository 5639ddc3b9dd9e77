import { runAtOnce } from '../admission/sliced-work.js';
import { isDictionaryWord } from './near-words.js';
import { originsOf, UnitParts } from './origins.js';
import { isExactTerm, readSearch, type SearchQuery, type SoughtWord } from './search-query.js';

/** Searches with more words are not corrected. */
const MAX_WORDS = 5;

/** Corrections that are worth trying. */
const MAX_CORRECTIONS = 5;

/** A word of a search that can be corrected. */
export interface Correctable {
  word: SoughtWord;
  asItStands: boolean;
  /** Where the search includes it, in UTF-16 units. */
  places: { start: number; end: number }[];
}

/**
 * Returns the words of a search that can be corrected, each once. Excluded words, beginnings (`comp*`) and names with signs stay as they
 * are. None if the search has more than five words in all.
 */
export function correctableWords(query: SearchQuery): Correctable[] {
  const terms = query.flat();
  const found = new Map<string, Correctable>();
  if (terms.reduce((sum, { words }) => sum + words.length, 0) > MAX_WORDS) return [];
  for (const term of terms.filter(({ excluded }) => !excluded)) {
    const origins = runAtOnce(originsOf(term.text, new UnitParts()));
    for (const word of term.words) {
      const [spelling = ''] = word.spellings;
      if (word.isPrefix || !isDictionaryWord(spelling)) continue;
      const place = { start: term.from + origins.start(word.start), end: term.from + origins.end(word.end) };
      const known = found.get(spelling);
      if (known) known.places.push(place);
      found.set(spelling, {
        word,
        asItStands: isExactTerm(term) && (known?.asItStands ?? true),
        places: known?.places ?? [place],
      });
    }
  }
  return [...found.values()];
}

/** A word that may be meant instead of another one. */
export interface CorrectionCandidate {
  instead: Correctable;
  word: string;
  distance: number;
  /** About how many entries have it, up to a limit. */
  entries: number;
  /** Whether it is known that the reader may see one of them. */
  isSeen: boolean;
}

/** A text of a search to try instead. */
export interface CorrectedSearch {
  text: string;
  /** Its new words of which it is not known yet whether the reader may see them. */
  unseen: readonly string[];
}

/** Words that are corrected together. */
interface Correction {
  candidates: readonly CorrectionCandidate[];
  distance: number;
  entries: number;
}

const NONE: Correction = { candidates: [], distance: 0, entries: 1 };

/** Returns the best corrections, each of which replaces one word, best first: fewest edits, then most entries, then by the alphabet. */
export function correctionsOfOne(search: string, candidates: readonly CorrectionCandidate[]): CorrectedSearch[] {
  return searchesOf(search, best(candidates.map((one) => adding(NONE, one))));
}

/** Returns the best corrections, each of which replaces every word that has candidates. */
export function correctionsOfAll(search: string, candidates: readonly CorrectionCandidate[]): CorrectedSearch[] {
  const words = new Set(candidates.map(({ instead }) => instead));
  let corrections = [NONE];
  for (const word of words) {
    const own = candidates.filter(({ instead }) => instead === word);
    // The best combinations consist of the best parts.
    corrections = best(corrections.flatMap((before) => own.map((one) => adding(before, one))));
  }
  return words.size > 0 ? searchesOf(search, corrections) : [];
}

function adding(before: Correction, candidate: CorrectionCandidate): Correction {
  return {
    candidates: [...before.candidates, candidate],
    distance: before.distance + candidate.distance,
    entries: before.entries * candidate.entries,
  };
}

function best(corrections: readonly Correction[]): Correction[] {
  const wordsOf = ({ candidates }: Correction) => candidates.map(({ word }) => word).join(' ');
  return [...corrections]
    .sort((a, b) => a.distance - b.distance || b.entries - a.entries || (wordsOf(a) < wordsOf(b) ? -1 : 1))
    .slice(0, MAX_CORRECTIONS);
}

function searchesOf(search: string, corrections: readonly Correction[]): CorrectedSearch[] {
  const form = formOf(search);
  const searches = corrections.map((one) => ({ text: replaced(search, one), unseen: unseenOf(one) }));
  // A word such as `or` may mean something else in its place.
  return searches.filter(({ text }) => formOf(text) === form);
}

function unseenOf({ candidates }: Correction): string[] {
  return candidates.flatMap(({ word, isSeen }) => (isSeen ? [] : word));
}

/** Replaces the words in the search. Everything else stays as it is. */
function replaced(search: string, { candidates }: Correction): string {
  const changes = candidates
    .flatMap(({ instead, word }) => instead.places.map((place) => ({ ...place, word })))
    .sort((a, b) => a.start - b.start);
  let text = '';
  let from = 0;
  for (const { start, end, word } of changes) {
    text += search.slice(from, start) + word;
    from = end;
  }
  return text + search.slice(from);
}

/** The form of a search: everything but which words it seeks. */
function formOf(search: string): string {
  const form = (readSearch(search) ?? []).map((terms) =>
    terms.map(({ excluded, quoted, words }) => [excluded, quoted, words.map(({ isPrefix }) => isPrefix)]),
  );
  return JSON.stringify(form);
}
