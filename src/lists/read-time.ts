import { Problem } from '../errors/problem.js';
import { offsetWithPlus, timestampOf } from '../fields/calendar.js';
import type { Query } from '../http/query.js';

/** Reads a parameter that is a date and time of RFC 3339; undefined if it is not sent. Throws a 400 for any other text. */
export function readTime(query: Query, name: string): Date | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const time = typeof text === 'string' ? timestampOf(offsetWithPlus(text)) : undefined;
  if (time) return time;
  throw Problem.parameter(name, `${name} must be a date and time with an offset, such as 2030-01-31T09:30:00Z.`);
}
