import { ValueError } from '../errors/problem.js';
import { FieldDefinition } from './field-definition.js';
import { Effort, patternMatches } from './pattern.js';
import { countCodePoints } from './text.js';

/** More errors than this help nobody; the rest of a hopeless body goes unlisted. */
const MAX_ERRORS = 1_000;

/** The errors of one body, and what its patterns may still cost. */
export class Findings {
  readonly errors: ValueError[] = [];
  readonly effort = new Effort();

  add(path: string, code: string, message: string): void {
    if (this.errors.length < MAX_ERRORS) this.errors.push({ path, code, message });
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
    if (pattern === undefined) return;
    const matches = patternMatches(pattern, text, this.findings.effort);
    if (matches === false) this.fault('pattern', 'does not match the pattern of the field');
    if (matches === undefined) this.fault('too_long', 'is too long to be checked against the pattern of the field');
  }
}

/** "1 character", "200 characters". */
export function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}
