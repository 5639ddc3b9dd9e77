import { Problem } from '../../errors/problem.js';
import type { Query } from '../../http/query.js';
import { type LocaleRequest, readLocale } from '../locales/locale-request.js';

const MAX_PATHS = 10;
/** More names than a path of references can have with the groups around them. */
const MAX_NAMES = 30;
/** References in a path of `include`. */
export const MAX_INCLUDE_LEVELS = 3;
const MAX_LENGTH = 8_192;

/** What a request says about the entries that it is shown, before the names are looked up in the content types. */
export interface ReadingRequest {
  /** The paths of `include`, as names of reference fields and of the groups around them. Undefined if it was not sent. */
  include?: readonly (readonly string[])[];
  /** The paths of `select`. Undefined if it was not sent. */
  select?: readonly (readonly string[])[];
  /** Undefined if it was not sent. */
  locale?: LocaleRequest;
}

/** The names of the parameters that `readReading` reads. */
export const READING_PARAMETERS = ['include', 'select'];

/** Reads `include`, `select` and the locale. Returns undefined if none was sent, and throws a 400 if there are too many paths or levels. */
export function readReading(query: Query): ReadingRequest | undefined {
  const include = readPaths(query, 'include');
  const select = readPaths(query, 'select');
  if (include && include.length > MAX_PATHS) {
    throw Problem.parameter('include', `include must name at most ${MAX_PATHS} paths.`);
  }
  if (include?.some((path) => path.length > MAX_NAMES)) throw tooManyLevels();
  const locale = readLocale(query);
  return include || select || locale ? { include, select, locale } : undefined;
}

export function tooManyLevels(): Problem {
  return Problem.parameter('include', `A path of include must have at most ${MAX_INCLUDE_LEVELS} levels.`);
}

function readPaths(query: Query, parameter: string): string[][] | undefined {
  const text = query[parameter] as string | undefined;
  if (text === undefined) return undefined;
  if (text.length > MAX_LENGTH) {
    throw Problem.parameter(parameter, `${parameter} must have at most ${MAX_LENGTH} characters.`);
  }
  return text === '' ? [] : text.split(',').map((path) => path.split('.'));
}
