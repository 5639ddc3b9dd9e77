import type { Match } from './term-reader.js';

/** Excerpts of a field. */
const MAX_EXCERPTS = 3;
/** UTF-16 units of an excerpt. It is longer only if a single match is. */
const WIDTH = 160;
/** A longer match, such as a phrase with a page of blank lines in it, is cut. Searches have at most 512 characters. */
const MAX_MATCH = 600;
/** Matches that are held at once. If there are more, the best excerpts are chosen among them, and the others are forgotten. */
const MAX_MATCHES = 2_048;
/** Matches this close to the last one may still be replaced or be joined by others. */
const UNSETTLED = 2 * WIDTH + MAX_MATCH;

/** A part of a line that may be shown. It does not end within a match. */
export interface Excerpt {
  line: number;
  from: number;
  to: number;
  matches: readonly Match[];
}

/** An excerpt with the different terms in it and the sum of their weights. */
interface Rated extends Excerpt {
  terms: ReadonlySet<number>;
  score: number;
}

/** Chooses the excerpts that show most of the matches: those with the most different terms, then with terms not shown yet, then the first. */
export class Excerpts {
  /** In order, without overlaps. */
  private matches: Match[] = [];
  private chosen: Rated[] = [];
  /** The last match of which it is settled whether it is shown. */
  private settled?: Match;

  constructor(
    /** The texts of the lines. */
    private readonly lines: readonly string[],
    private readonly weights: readonly number[],
  ) {}

  /** Adds a match that does not end before the earlier ones. Of overlapping matches, the one that contains the others stays, or the first. */
  add({ line, start, end, term }: Match): void {
    const { matches } = this;
    const kept = this.overlapping(line, start);
    const other = matches[kept];
    if (other && (other.start < start || (other.start === start && other.end >= end))) return;
    matches.length = kept;
    const isLong = end - start > MAX_MATCH;
    matches.push({ line, start, end: isLong ? wholeCharacters(this.textOf(line), start + MAX_MATCH) : end, term });
    if (matches.length >= MAX_MATCHES) this.settle();
  }

  /** Returns the best excerpts in the order of the text. */
  best(): Excerpt[] {
    return this.choose(this.matches);
  }

  /** Returns the index of the first match in the line that ends behind this place; the number of matches if there is none. */
  private overlapping(line: number, place: number): number {
    const { matches } = this;
    let [low, high] = [0, matches.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const match = matches[middle];
      if (match?.line === line && match.end > place) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private settle(): void {
    const last = this.matches.at(-1);
    const isOpen = ({ line, end }: Match) => line === last?.line && end > last.start - UNSETTLED;
    const open = this.matches.findIndex(isOpen);
    this.chosen = this.choose(this.matches.slice(0, open));
    this.settled = this.matches[open - 1];
    this.matches = this.matches.slice(open).filter((match) => !this.chosen.some((one) => overlaps(one, match)));
  }

  private choose(matches: readonly Match[]): Rated[] {
    const taken: Rated[] = [];
    let others = this.chosen;
    const shown = new Set<number>();
    while (taken.length < MAX_EXCERPTS) {
      const reserved = [...taken, ...others];
      const window = this.bestWindow(matches, reserved, shown);
      let best = window && this.excerpt(window, reserved);
      for (const other of others) if (!best || this.isBetter(other, best, shown)) best = other;
      if (!best) break;
      taken.push(best);
      others = others.filter((other) => other !== best);
      for (const term of best.terms) shown.add(term);
    }
    return taken.sort((a, b) => a.line - b.line || a.from - b.from);
  }

  /** Of the matches outside of the reserved excerpts, returns the neighbours that show most. */
  private bestWindow(
    matches: readonly Match[],
    reserved: readonly Excerpt[],
    shown: ReadonlySet<number>,
  ): Match[] | undefined {
    const free =
      reserved.length === 0 ? matches : matches.filter((match) => !reserved.some((one) => overlaps(one, match)));
    const inside = new Contents(this.weights, shown);
    let best: { score: number; fresh: number; first: number; last: number } | undefined;
    let first = 0;
    for (const [last, match] of free.entries()) {
      for (let one = free[first]; one && first < last && !fit(one, match, reserved); one = free[++first]) {
        inside.remove(one.term);
      }
      inside.add(match.term);
      const { score, fresh } = inside;
      if (!best || score > best.score || (score === best.score && fresh > best.fresh)) {
        best = { score, fresh, first, last };
      }
    }
    return best && free.slice(best.first, best.last + 1);
  }

  /** Returns the excerpt around a window: with as much text before as behind it, if the line has it. */
  private excerpt(window: readonly Match[], reserved: readonly Excerpt[]): Rated | undefined {
    const [first, last] = [window[0], window.at(-1)];
    if (!first || !last) return undefined;
    const { line } = first;
    const others = reserved.filter((one) => one.line === line);
    // Before the last settled match, an excerpt would show forgotten matches without marks.
    const settled = this.settled?.line === line ? this.settled.end : 0;
    const low = Math.max(settled, ...others.filter(({ to }) => to <= first.start).map(({ to }) => to));
    const high = Math.min(
      this.textOf(line).length,
      ...others.filter((one) => one.from >= last.end).map((one) => one.from),
    );
    const width = Math.max(WIDTH, last.end - first.start);
    let from = Math.max(low, first.start - Math.floor((width - last.end + first.start) / 2));
    let to = Math.min(high, from + width);
    from = Math.max(low, to - width);
    const near = this.matches.filter((match) => match.line === line && match.end > from && match.start < to);
    for (const { start, end } of near) {
      if (start < from) from = end;
      if (end > to) to = start;
    }
    const matches = near.filter(({ start, end }) => start >= from && end <= to);
    const terms = new Set(matches.map(({ term }) => term));
    return { line, from, to, matches, terms, score: this.weightOf(terms) };
  }

  private isBetter(a: Rated, b: Rated, shown: ReadonlySet<number>): boolean {
    const [freshOfA, freshOfB] = [this.freshOf(a, shown), this.freshOf(b, shown)];
    if (a.score !== b.score) return a.score > b.score;
    if (freshOfA !== freshOfB) return freshOfA > freshOfB;
    return a.line < b.line || (a.line === b.line && a.from < b.from);
  }

  private freshOf({ terms }: Rated, shown: ReadonlySet<number>): number {
    return this.weightOf([...terms].filter((term) => !shown.has(term)));
  }

  private weightOf(terms: Iterable<number>): number {
    let sum = 0;
    for (const term of terms) sum += this.weights[term] ?? 0;
    return sum;
  }

  private textOf(line: number): string {
    return this.lines[line] ?? '';
  }
}

/** The terms in a window that moves over the matches. */
class Contents {
  /** The weights of the different terms, and of those that are not shown yet. */
  score = 0;
  fresh = 0;
  private readonly counts: Uint32Array;

  constructor(
    private readonly weights: readonly number[],
    private readonly shown: ReadonlySet<number>,
  ) {
    this.counts = new Uint32Array(weights.length);
  }

  add(term: number): void {
    const count = this.counts[term] ?? 0;
    this.counts[term] = count + 1;
    if (count === 0) this.weigh(term, 1);
  }

  remove(term: number): void {
    const count = this.counts[term] ?? 0;
    this.counts[term] = count - 1;
    if (count === 1) this.weigh(term, -1);
  }

  private weigh(term: number, sign: 1 | -1): void {
    const weight = sign * (this.weights[term] ?? 0);
    this.score += weight;
    if (!this.shown.has(term)) this.fresh += weight;
  }
}

function overlaps(excerpt: Excerpt, { line, start, end }: Match): boolean {
  return excerpt.line === line && start < excerpt.to && end > excerpt.from;
}

/** Whether an excerpt can show both matches and what is between them. */
function fit(first: Match, last: Match, reserved: readonly Excerpt[]): boolean {
  if (first.line !== last.line || last.end - first.start > WIDTH) return false;
  return !reserved.some(({ line, from, to }) => line === last.line && from >= first.end && to <= last.start);
}

/** Returns the last place up to `end` that is not between the two halves of a surrogate pair. */
function wholeCharacters(text: string, end: number): number {
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end;
}
