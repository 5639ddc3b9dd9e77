import { ValueError } from '../errors/problem.js';
import { FieldDefinition } from './field-definition.js';
import { StepBudget, patternMatchesAtOnce } from './pattern.js';
import { countCodePoints } from './text.js';
import type { ValueErrorCode } from '../errors/value-errors.js';

/** Lists at most this many errors of a body. */
const MAX_ERRORS = 1_000;

/** Steps that a request may spend on patterns on the event loop: some milliseconds. The pattern worker does the rest. */
const STEPS_AT_ONCE = 100_000;

/** A match that is deferred, because it takes too long for the event loop. */
export interface DeferredMatch {
  pattern: string;
  text: string;
  /** Number of errors that come before its own error, if it has one. */
  place: number;
  check: Check;
}

/** What a check looks for. Stored values are known to match their patterns, and may lack what became required later. */
interface Scope {
  patterns?: boolean;
  missing?: boolean;
}

/** The errors of one body, and the effort that its patterns may still take. */
export class Findings {
  readonly errors: ValueError[] = [];
  /** Whether a missing required value is an error. */
  readonly looksForMissing: boolean;
  later: DeferredMatch[] = [];
  private readonly looksForPatterns: boolean;
  private allowance?: StepBudget;

  constructor(
    readonly effort = new StepBudget(),
    { patterns = true, missing = true }: Scope = {},
  ) {
    this.looksForPatterns = patterns;
    this.looksForMissing = missing;
  }

  /** Whether further errors are not listed any more. */
  get isFull(): boolean {
    return this.errors.length >= MAX_ERRORS;
  }

  add(path: string, code: ValueErrorCode, message: string): void {
    if (this.errors.length < MAX_ERRORS) this.errors.push({ path, code, message });
  }

  /** Matches a pattern against a text. The check reports the result: now, or when the findings are settled. */
  match(pattern: string, text: string, check: Check): void {
    if (!this.looksForPatterns) return;
    this.allowance ??= new StepBudget(STEPS_AT_ONCE);
    const matches = patternMatchesAtOnce(pattern, text, this.effort, this.allowance);
    if (matches !== 'later') check.reportMatch(matches);
    else if (this.errors.length < MAX_ERRORS) this.later.push({ pattern, text, place: this.errors.length, check });
  }

  /**
   * Inserts the results of the deferred matches into the list of errors, each in its place. `answers` are in the order of the matches.
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
      wrong.add(check.field);
    }
    while (next < others.length) this.put(others[next++]);
    this.later = [];
    return wrong;
  }

  put(error: ValueError | undefined): void {
    if (error && this.errors.length < MAX_ERRORS) this.errors.push(error);
  }
}

/** The check of one value: its definition and its path. Field types report errors through it. */
export class Check {
  constructor(
    readonly definition: FieldDefinition,
    readonly path: string,
    readonly findings: Findings,
    readonly subject = definition.name,
    /** The name of the field of the record that the value belongs to. */
    readonly field = definition.name,
  ) {}

  /** Reports an error. `predicate` continues a sentence that begins with the field's name. `below` is appended to the path and the name. */
  fault(code: ValueErrorCode, predicate: string, below = ''): void {
    this.findings.add(this.path + below, code, `${this.subject}${below} ${predicate}.`);
  }

  /** Returns the check of an element of a list. */
  element(index: number): Check {
    return this.below(this.definition, index);
  }

  /** Returns the check of a value inside this one: of an element of a list, or of a field of a group. */
  below(definition: FieldDefinition, name: string | number): Check {
    return new Check(definition, `${this.path}.${name}`, this.findings, `${this.subject}.${name}`, this.field);
  }

  /** Checks a number against `min` and `max`. */
  range(value: number): void {
    const { min, max } = this.definition;
    if (min !== undefined && value < min) this.fault('min', `must be at least ${min}`);
    if (max !== undefined && value > max) this.fault('max', `must be at most ${max}`);
  }

  /**
   * Checks the length of a text in code points against `min` and `max`, or against `limit` if there is no `max`. Returns true if it fits.
   */
  length(text: string, limit = Infinity): boolean {
    const { min = 0, max = limit } = this.definition;
    // A code point has one or two UTF-16 units, so most texts need no counting.
    if (text.length <= max && text.length >= min * 2) return true;
    const length = countCodePoints(text);
    if (length < min) this.fault('too_short', `must have at least ${characters(min)}`);
    if (length > max) this.fault('too_long', `must have at most ${characters(max)}`);
    return length >= min && length <= max;
  }

  /** Matches the definition's `pattern` against a text. */
  pattern(text: string): void {
    const { pattern } = this.definition;
    if (pattern !== undefined) this.findings.match(pattern, text, this);
  }

  /** Reports a text that does not match its pattern, or (undefined) that is too costly to check. */
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
