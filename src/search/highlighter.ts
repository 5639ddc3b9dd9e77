import type { SlicedWork } from '../admission/sliced-work.js';
import { Excerpts } from './excerpts.js';
import { fragmentOf } from './fragments.js';
import { UnitParts } from './origins.js';
import type { SearchQuery } from './search-query.js';
import { SoughtTerms } from './sought-terms.js';
import type { Stemmer } from './stemmer.js';
import { TermReader } from './term-reader.js';
import { readWords } from './words.js';

/** Shows where texts match a search. */
export class Highlighter {
  private readonly sought: SoughtTerms;
  private readonly weights: readonly number[];
  private readonly unitParts = new UnitParts();

  /** With `stem`, a word also matches if its stem is that of a sought word that stands alone, without quotation marks. */
  constructor(query: SearchQuery, stem?: Stemmer) {
    this.sought = new SoughtTerms(query, stem);
    this.weights = this.sought.terms.map(({ weight }) => weight);
  }

  /** Whether the search includes a word. If not, there are no fragments. */
  get seeksWords(): boolean {
    return this.weights.length > 0;
  }

  /**
   * Returns up to three fragments of a field, as HTML, in the order of its lines; none if nothing matches. Takes linear time, and memory
   * for some thousand matches at most.
   */
  *fragments(lines: readonly string[]): SlicedWork<string[]> {
    const excerpts = new Excerpts(lines, this.weights);
    const reader = new TermReader(this.sought, this.unitParts, (match) => excerpts.add(match));
    for (const line of lines) {
      reader.beginLine();
      yield* readWords(line, reader);
    }
    return excerpts.best().map((excerpt) => fragmentOf(lines[excerpt.line] ?? '', excerpt));
  }
}
