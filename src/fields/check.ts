import { ValueError } from '../errors/problem.js';
import { FieldDefinition } from './field-definition.js';
import { StepBudget, patternMatchesAtOnce } from './patterns/pattern.js';
import type { ValueErrorCode } from '../errors/value-errors.js';

/** Lists at most this many errors of a body. */
const MAX_ERRORS = 1_000;

/** Steps that a request may spend on patterns on the event loop: some milliseconds. The pattern worker does the rest. */
const STEPS_AT_ONCE = 100_000;

/** A match that is deferred, because it takes too long for the event loop. */
interface DeferredMatch {
  pattern: string;
  text: string;
  /** Number of errors that come before its own error, if it has one. */
  place: number;
  check: Check;
  report: ReportMatch;
}

/** Reports the result of a match if it is an error. Undefined: the match exceeds the effort. */
type ReportMatch = (check: Check, matches: boolean | undefined) => void;

/** What a check looks for. Stored values are known to match their patterns, and may lack what is required, if it became so later or was not needed yet. */
interface Scope {
  patterns?: boolean;
  missing?: boolean;
}

/** The validation of one body: the errors that were found, and the effort that its patterns may still take. */
export class Validation {
  readonly errors: ValueError[] = [];
  /** Whether a missing required value is an error. */
  readonly looksForMissing: boolean;
  deferred: DeferredMatch[] = [];
  /** Number of errors, those that are not listed included. */
  errorCount = 0;
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
    this.addError({ path, code, message });
  }

  addError(error: ValueError): void {
    this.errorCount++;
    this.list(error);
  }

  /** Matches a pattern against a text. The result is reported now, or by `resolve`. */
  match(pattern: string, text: string, check: Check, report: ReportMatch): void {
    if (!this.looksForPatterns) return;
    this.allowance ??= new StepBudget(STEPS_AT_ONCE);
    const matches = patternMatchesAtOnce(pattern, text, this.effort, this.allowance);
    if (matches !== 'later') report(check, matches);
    else if (this.errors.length < MAX_ERRORS)
      this.deferred.push({ pattern, text, place: this.errors.length, check, report });
  }

  /**
   * Inserts the results of the deferred matches into the list of errors, each in its place. `answers` are in the order of the matches.
   * Returns the names of the fields that turned out to be wrong.
   */
  resolve(answers: readonly (boolean | undefined)[]): Set<string> {
    const others = this.errors.splice(0);
    const wrong = new Set<string>();
    let next = 0;
    for (const [index, { place, check, report }] of this.deferred.entries()) {
      while (next < place) this.list(others[next++]);
      if (answers[index] === true) continue;
      report(check, answers[index]);
      wrong.add(check.field);
    }
    while (next < others.length) this.list(others[next++]);
    this.deferred = [];
    return wrong;
  }

  private list(error: ValueError | undefined): void {
    if (error && this.errors.length < MAX_ERRORS) this.errors.push(error);
  }
}

/** The check of one value: its definition and its path. Field types report errors through it. */
export class Check {
  constructor(
    readonly definition: FieldDefinition,
    readonly path: string,
    readonly validation: Validation,
    readonly subject = definition.name,
    /** The name of the field of the record that the value belongs to. */
    readonly field = definition.name,
  ) {}

  /** Reports an error. `predicate` continues a sentence that begins with the field's name. `below` is appended to the path and the name. */
  fault(code: ValueErrorCode, predicate: string, below = ''): void {
    this.validation.add(this.path + below, code, `${this.subject}${below} ${predicate}.`);
  }

  /** Returns the check of an element of a list. */
  element(index: number): Check {
    return this.below(this.definition, index);
  }

  /** Returns the check of a value inside this one: of an element of a list, or of a field of a group. */
  below(definition: FieldDefinition, name: string | number): Check {
    return new Check(definition, `${this.path}.${name}`, this.validation, `${this.subject}.${name}`, this.field);
  }
}
