import type { SlicedWork } from '../../admission/sliced-work.js';
import { Problem, type ValueError } from '../../errors/problem.js';

/** Deeper structures are refused, so that later code may process values recursively. */
const MAX_DEPTH = 64;
/** At most this many errors are listed, without those of other checks. */
const MAX_ERRORS = 100;
/** What is wrong with a number that would be answered as another one. */
const INEXACT = 'a number that is out of range, or has more digits than can be kept (about 16)';
/** Stands for what cannot be stored, while the other values are checked. */
const REPLACEMENT = '\uFFFD';
/** Values that one step checks, in less than a millisecond. */
const PIECE = 4_096;

type Values = Readonly<Record<string, unknown>>;

/** An array or object whose members are being checked. */
interface Level {
  /** The names of an object's properties; undefined for an array. */
  names: readonly string[] | undefined;
  members: Values | readonly unknown[];
  count: number;
  next: number;
}

/**
 * Finds values that cannot be stored as they were sent: a NUL or a lone surrogate in text, and numbers that would become
 * others (`parseSent` makes them infinite). Returns the errors in document order, and puts storable values in their place, so that the other
 * values can be checked. Throws the errors at once if a property name cannot be stored, if structures are nested too deeply, or if there are
 * very many errors.
 */
export function* replaceUnstorableSliced(body: object): SlicedWork<ValueError[]> {
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
    if (value !== null && typeof value === 'object') {
      if (levels.length > MAX_DEPTH) {
        throw Problem.invalid([...errors, { path: pathOf(levels).slice(0, 200), code: 'too_deep', message: TOO_DEEP }]);
      }
      enter(value, levels, errors);
    } else {
      const fault = faultOfValue(value, levels);
      if (!fault) continue;
      errors.push(fault);
      const replaced = typeof value === 'string' ? value.toWellFormed().replaceAll('\0', REPLACEMENT) : 0;
      // An assignment to `__proto__` would do something else.
      Object.defineProperty(level.members, name ?? index, { value: replaced });
    }
  }
  if (errors.length >= MAX_ERRORS) throw Problem.invalid(errors);
  return errors;
}

/** Starts with the members of a value. Throws a 422 if the name of one cannot be stored. */
function enter(value: object, levels: Level[], errors: readonly ValueError[]): void {
  if (Array.isArray(value)) {
    levels.push({ names: undefined, members: value, count: value.length, next: 0 });
    return;
  }
  const names = Object.keys(value);
  const faults = names.flatMap((name) => faultOfText(name) ?? []);
  if (faults.length > 0) {
    const path = pathOf(levels) || 'body';
    const found = faults.map((fault): ValueError => ({
      path,
      code: 'text',
      message: `A property name contains ${fault}.`,
    }));
    throw Problem.invalid([...errors, ...found].slice(0, MAX_ERRORS));
  }
  levels.push({ names, members: value as Values, count: names.length, next: 0 });
}

/** Returns the error of the current member of the innermost level, if any. */
function faultOfValue(value: unknown, levels: readonly Level[]): ValueError | undefined {
  if (typeof value === 'string') {
    const fault = faultOfText(value);
    if (!fault) return undefined;
    const path = pathOf(levels);
    return { path, code: 'text', message: `${path} contains ${fault}.` };
  }
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return undefined;
    const path = pathOf(levels);
    return { path, code: 'number', message: `${path} is ${INEXACT}.` };
  }
  return undefined;
}

export const TOO_DEEP = `The body must have at most ${MAX_DEPTH} levels of nesting.`;

/** Returns the dotted path of the current member, from the outermost level. */
function pathOf(levels: readonly Level[]): string {
  return levels.reduce((path, { names, next }) => {
    const name = names?.[next - 1] ?? String(next - 1);
    return path ? `${path}.${name}` : name;
  }, '');
}

/** Returns why a text cannot be stored, or undefined. */
export function faultOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'a NUL character';
  if (!text.isWellFormed()) return 'a lone surrogate';
  return undefined;
}
