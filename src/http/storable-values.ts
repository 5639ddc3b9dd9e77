import type { Steps } from '../admission/steps.js';
import type { ValueError } from '../errors/problem.js';

/** Deeper structures are refused: everything that walks a value later may then do so recursively. */
const MAX_DEPTH = 64;
/** More faults than a person would read are not listed. */
const MAX_ERRORS = 100;
/** Values that one step looks at: less than a millisecond. */
const PIECE = 4_096;

type Values = Readonly<Record<string, unknown>>;

/** An array or object whose members are being looked at. */
interface Level {
  /** The names of an object's properties; undefined for an array. */
  names: readonly string[] | undefined;
  members: Values | readonly unknown[];
  count: number;
  next: number;
}

/**
 * Finds values that can't be stored as they were sent: text that is not valid UTF-8 or that PostgreSQL can't store (a NUL, a lone
 * surrogate), in values and in property names; numbers out of range; structures that are too deep. Lists them in the order of the document.
 */
export function* findUnstorableSteps(body: object): Steps<ValueError[]> {
  const errors: ValueError[] = [];
  const levels: Level[] = [];
  enter(body, levels, errors);
  let seen = 0;
  for (let level = levels.at(-1); level && errors.length < MAX_ERRORS; level = levels.at(-1)) {
    if (++seen % PIECE === 0) yield;
    if (level.next === level.count) {
      levels.pop();
      continue;
    }
    const index = level.next++;
    const name = level.names?.[index];
    const value = name === undefined ? (level.members as unknown[])[index] : (level.members as Values)[name];
    if (value !== null && typeof value === 'object' && levels.length <= MAX_DEPTH) {
      enter(value, levels, errors);
    } else {
      const fault = faultOfValue(value, levels);
      if (fault) errors.push(fault);
    }
  }
  return errors;
}

/** Begins with the members of a value; those whose names are wrong are reported and left out. */
function enter(value: object, levels: Level[], errors: ValueError[]): void {
  if (Array.isArray(value)) {
    levels.push({ names: undefined, members: value, count: value.length, next: 0 });
    return;
  }
  let names = Object.keys(value);
  if (names.some(faultOfText)) {
    const path = pathOf(levels) || 'body';
    for (const name of names.toReversed()) {
      const fault = faultOfText(name);
      if (fault && errors.length < MAX_ERRORS) {
        errors.push({ path, code: 'text', message: `A property name contains ${fault}.` });
      }
    }
    names = names.filter((name) => !faultOfText(name));
  }
  levels.push({ names, members: value as Values, count: names.length, next: 0 });
}

/** What is wrong with the current member of the innermost level. */
function faultOfValue(value: unknown, levels: readonly Level[]): ValueError | undefined {
  if (typeof value === 'string') {
    const fault = faultOfText(value);
    if (!fault) return undefined;
    const path = pathOf(levels);
    return { path, code: 'text', message: `${path} contains ${fault}.` };
  }
  if (typeof value === 'number') {
    // `1e400` is JSON, but would be written back as null.
    if (Number.isFinite(value)) return undefined;
    const path = pathOf(levels);
    return { path, code: 'number', message: `${path} is a number that is out of range.` };
  }
  if (value === null || typeof value !== 'object') return undefined;
  return { path: pathOf(levels).slice(0, 200), code: 'too_deep', message: TOO_DEEP };
}

export const TOO_DEEP = `The body must have at most ${MAX_DEPTH} levels of nesting.`;

/** The names and numbers of the current members, from the outermost level on. */
function pathOf(levels: readonly Level[]): string {
  return levels.reduce((path, { names, next }) => {
    const name = names?.[next - 1] ?? String(next - 1);
    return path ? `${path}.${name}` : name;
  }, '');
}

/** What is wrong with a text, or undefined. */
export function faultOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'a NUL character';
  if (!text.isWellFormed()) return 'a lone surrogate';
  return undefined;
}
