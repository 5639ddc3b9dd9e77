import { Problem } from '../../errors/problem.js';
import type { Query } from '../../http/query.js';
import { readBound } from '../../lists/periods.js';
import { eventTypes } from '../../modules/installed-modules.js';

/** The events that a reader wants. */
export interface EventSelection {
  /** What cursors are bound to. */
  readonly list: string;
  /** Undefined: all types. */
  readonly types: ReadonlySet<string> | undefined;
  /** The content types (UUIDs) that the reader sees; undefined: all. */
  readonly visibleTypes?: ReadonlySet<string> | undefined;
}

/** A time further ahead than the clocks of clients may be is an error. */
const MAX_AHEAD_MS = 120_000;

/** Reads `types` and `filter[type]`, which are two notations of the same. */
export function readEventSelection(query: Query): EventSelection {
  const [name = 'types', other] = ['types', 'filter[type]'].filter((one) => query[one] !== undefined);
  if (other) throw Problem.parameter(other, `${name} and ${other} cannot be used together.`);
  const value = query[name];
  if (typeof value !== 'string') return { list: 'events ', types: undefined };
  const types = name === 'types' ? value.split(',') : [value];
  const known: readonly string[] = eventTypes();
  const unknown = types.find((type) => !known.includes(type));
  if (unknown !== undefined) {
    const what = name === 'types' ? 'must be a comma-separated list of' : 'must be one of';
    throw Problem.parameter(name, `${name} ${what} ${known.join(', ')}.`);
  }
  const distinct = [...new Set(types)].sort();
  return { list: `events ${distinct.join(',')}`, types: new Set(distinct) };
}

/** Reads `since`; undefined if it is not sent. Throws 400 if it is no time, is in the future, or comes with a cursor. */
export function readSince(query: Query): Date | undefined {
  if (query['since'] === undefined) return undefined;
  if (query['cursor'] !== undefined) throw Problem.parameter('since', 'since and cursor cannot be used together.');
  const time = new Date(`${readBound(query, 'since', 'start')}Z`);
  if (time.getTime() > Date.now() + MAX_AHEAD_MS) throw Problem.parameter('since', 'since must not be in the future.');
  return time;
}
