import { ValueError } from '../errors/problem.js';
import { FieldDefinition } from './field-definition.js';
import { Effort, patternMatchesAtOnce } from './pattern.js';
import { countCodePoints } from './text.js';

/** More errors than this help nobody; the rest of a hopeless body goes unlisted. */
const MAX_ERRORS = 1_000;

/** What may be spent on patterns at once, on the event loop: some milliseconds. The rest is for the pattern worker. */
const STEPS_AT_ONCE = 100_000;

/** A pattern that is to be looked for in a text later, since that takes too long for the event loop. */
export interface LaterMatch {
  pattern: string;
  text: string;
  /** How many errors come before its own, if it has one. */
  place: number;
  check: Check;
}

/** The errors of one body, and what its patterns may still cost. */
export class Findings {
  readonly errors: ValueError[] = [];
  later: LaterMatch[] = [];
  private allowance?: Effort;

  /** @param looksForPatterns false where values are known to match. */
  constructor(
    readonly effort = new Effort(),
    private readonly looksForPatterns = true,
  ) {}

  add(path: string, code: string, message: string): void {
    if (this.errors.length < MAX_ERRORS) this.errors.push({ path, code, message });
  }

  /** Looks for a pattern in a text. The check reports what comes of it: now, or when the findings are settled. */
  match(pattern: string, text: string, check: Check): void {
    if (!this.looksForPatterns) return;
    this.allowance ??= new Effort(STEPS_AT_ONCE);
    const matches = patternMatchesAtOnce(pattern, text, this.effort, this.allowance);
    if (matches !== 'later') check.reportMatch(matches);
    else if (this.errors.length < MAX_ERRORS) this.later.push({ pattern, text, place: this.errors.length, check });
  }

  /**
   * Puts what came of the matches that were left for later into the list of errors, each in its place; `answers` are in their order.
   * Returns the names of the fields that turned out to be wrong.
   */
  settle(answers: readonly (boolean | undefined)[]): Set<string> {
    const others = this.errors.splice(0);
    const wrong = new Set<string>();
    let next = 0;
    for (const [index, { place, check }] of this.later.entries()) {
      while (next < place) this.put(others[next++]);
      if (answers[index] === true) continue;
      check.reportMatch(answers[index]);
      wrong.add(check.definition.name);
    }
    while (next < others.length) this.put(others[next++]);
    this.later = [];
    return wrong;
  }

  private put(error: ValueError | undefined): void {
    if (error && this.errors.length < MAX_ERRORS) this.errors.push(error);
  }
}

/** One value under scrutiny: whose it is and where it stands. Field types report through it. */
export class Check {
  constructor(
    readonly definition: FieldDefinition,
    readonly path: string,
    readonly findings: Findings,
    private readonly subject = definition.name,
  ) {}

  /** Reports an error; `predicate` continues a sentence that begins with the field's name, `below` the path. */
  fault(code: string, predicate: string, below = ''): void {
    this.findings.add(this.path + below, code, `${this.subject}${below} ${predicate}.`);
  }

  /** The same for an element of a list. */
  element(index: number): Check {
    return new Check(this.definition, `${this.path}.${index}`, this.findings, `${this.subject}.${index}`);
  }

  /** Holds a number against `min` and `max`. */
  range(value: number): void {
    const { min, max } = this.definition;
    if (min !== undefined && value < min) this.fault('min', `must be at least ${min}`);
    if (max !== undefined && value > max) this.fault('max', `must be at most ${max}`);
  }

  /** Holds a text's length in code points against `min` and `max`, or a limit of the type where there is no `max`; true if it fits. */
  length(text: string, limit = Infinity): boolean {
    const { min = 0, max = limit } = this.definition;
    // A code point has one or two units, so most texts need no counting.
    if (text.length <= max && text.length >= min * 2) return true;
    const length = countCodePoints(text);
    if (length < min) this.fault('too_short', `must have at least ${characters(min)}`);
    if (length > max) this.fault('too_long', `must have at most ${characters(max)}`);
    return length >= min && length <= max;
  }

  /** Looks for the definition's `pattern` in a text. */
  pattern(text: string): void {
    const { pattern } = this.definition;
    if (pattern !== undefined) this.findings.match(pattern, text, this);
  }

  /** Reports a text that its pattern is not found in, or (undefined) that took too much to know. */
  reportMatch(matches: boolean | undefined): void {
    if (matches === false) this.fault('pattern', 'does not match the pattern of the field');
    else if (matches === undefined)
      this.fault('too_long', 'is too long to be checked against the pattern of the field');
  }
}

/** "1 character", "200 characters". */
export function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}
