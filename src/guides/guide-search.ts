import { loadStemmer, type Stemmer } from '../search/stemmer.js';

/** A part of a page: everything below one heading. */
interface GuideSection {
  /** The path of the page below `/guides/`, and its title. */
  readonly path: string;
  readonly title: string;
  /** The heading and its `id`; empty for the beginning of the page. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

/** What `scripts/guides/search-index.mjs` writes. */
export interface SearchIndex {
  /** The page around the results. */
  readonly template: string;
  readonly sections: readonly GuideSection[];
  /** By stem: numbers of sections, each followed by the weight of the word in it. */
  readonly words: Readonly<Record<string, readonly number[]>>;
}

/** A section that a search finds. `isMatch` tells whether a word of its text is one of those sought. */
export interface FoundSection extends GuideSection {
  readonly isMatch: (word: string) => boolean;
}

const WORD = /[\p{L}\p{N}_]+/gu;
const MAX_WORDS = 12;
const MAX_RESULTS = 20;
/** More sections of one page would hide other pages. */
const MAX_OF_A_PAGE = 3;
/** A word that more sections than this share have (`the`) need not be in a result. */
const FREQUENT = 0.2;

interface SoughtWord {
  /** How much each section that has the word gets for it. */
  readonly scores: ReadonlyMap<number, number>;
  readonly isFrequent: boolean;
}

/** The search of the guides, in memory. A search looks up its words, and reads nothing else of the texts. */
export class GuideSearch {
  private readonly known: readonly string[];

  private constructor(
    private readonly index: SearchIndex,
    private readonly stemmer: Stemmer,
  ) {
    this.known = Object.keys(index.words);
  }

  static async of(index: SearchIndex): Promise<GuideSearch> {
    return new GuideSearch(index, await loadStemmer('en'));
  }

  get template(): string {
    return this.index.template;
  }

  /** Returns the best sections that have all words of the query, or else some of them. The last word may be the beginning of one. */
  find(query: string): FoundSection[] {
    const words = [...query.toLowerCase().matchAll(WORD)].slice(0, MAX_WORDS).map(([word]) => word);
    const stems = words.map((word) => this.stemOf(word));
    const sought = stems.map((stem, place) => this.lookUp(stem, place === stems.length - 1 ? words[place] : undefined));
    const required = sought.filter(({ isFrequent }) => !isFrequent);
    const scores = new Map<number, number>();
    for (const word of sought) {
      for (const [section, score] of word.scores) scores.set(section, (scores.get(section) ?? 0) + score);
    }
    const hasAll = [...scores.keys()].filter((section) => required.every((word) => word.scores.has(section)));
    const found = (hasAll.length > 0 ? hasAll : [...scores.keys()]).sort(
      (a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || a - b,
    );
    const last = words.at(-1) ?? '';
    const isMatch = (word: string) => {
      const lower = word.toLowerCase();
      return stems.includes(this.stemOf(lower)) || lower.startsWith(last);
    };
    return this.spread(found).map((section) => ({ ...section, isMatch }));
  }

  /** Finds a word by its stem. `beginning` also finds words that begin with it, which count less. */
  private lookUp(stem: string, beginning?: string): SoughtWord {
    const scores = new Map<number, number>();
    const alike = beginning && beginning.length > 1 ? this.known.filter((word) => word.startsWith(beginning)) : [];
    for (const word of new Set([stem, ...alike])) {
      const postings = Object.hasOwn(this.index.words, word) ? (this.index.words[word] ?? []) : [];
      const rarity = Math.log(1 + (2 * this.index.sections.length) / (postings.length + 1)) * (word === stem ? 1 : 0.4);
      for (let at = 0; at < postings.length; at += 2) {
        const [section = 0, weight = 0] = postings.slice(at, at + 2);
        scores.set(section, Math.max(scores.get(section) ?? 0, weight * rarity));
      }
    }
    return { scores, isFrequent: scores.size > this.index.sections.length * FREQUENT };
  }

  private spread(found: readonly number[]): GuideSection[] {
    const ofPage = new Map<string, number>();
    const chosen: GuideSection[] = [];
    for (const number of found) {
      const section = this.index.sections[number];
      if (!section || chosen.length === MAX_RESULTS) break;
      const count = ofPage.get(section.path) ?? 0;
      ofPage.set(section.path, count + 1);
      if (count < MAX_OF_A_PAGE) chosen.push(section);
    }
    return chosen;
  }

  private stemOf(word: string): string {
    return this.stemmer(word) ?? word;
  }
}
