import { ValidateBy } from 'class-validator';
import { Problem } from '../errors/problem.js';
import { boundOf, type Edge, offsetWithPlus } from '../fields/formats/calendar.js';
import type { Parameter } from '../http/parameters.js';
import type { Query } from '../http/query.js';

const BOUND = { anyOf: ['date-time', 'date'].map((format) => ({ type: 'string' as const, format })) };
const EXPECTED = 'must be a date and time with an offset, such as 2026-01-31T09:30:00Z, or a day, such as 2026-01-31';

/** What a day means at the end of a period, for descriptions. */
export const DAY_AT_END = 'A day (`2026-01-31`) is included with all of its times in UTC.';

/** The parameters `from` and `to` of a list. `what` is what it keeps. */
export function periodParameters(what: string): Parameter[] {
  return [
    boundParameter(
      'from',
      `Keeps ${what} of this time (RFC 3339) or later. A day (\`2026-01-31\`) begins at midnight in UTC.`,
    ),
    boundParameter('to', `Keeps ${what} of this time (RFC 3339) or earlier. ${DAY_AT_END}`),
  ];
}

export function boundParameter(name: string, description: string): Parameter {
  return { name, schema: BOUND, description };
}

/** Reads the parameters `from` and `to`, which are both included. Throws a 400 for a text that is no time. */
export function readPeriod(query: Query): { from: Date | undefined; to: Date | undefined } {
  return { from: dateOf(readBound(query, 'from', 'start')), to: dateOf(readBound(query, 'to', 'end')) };
}

/** Returns the instant (see `instantOf`) of a parameter; undefined if it is not sent. Throws a 400 for a text that is no time. */
export function readBound(query: Query, name: string, edge: Edge): string | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const instant = typeof text === 'string' ? boundOf(offsetWithPlus(text), edge) : undefined;
  if (instant !== undefined) return instant;
  throw Problem.parameter(name, `${name} ${EXPECTED}.`);
}

/** For a property of a body that `dateOfBound` reads. */
export function IsBound(name: string): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && boundOf(value, 'start') !== undefined;
  const defaultMessage = () => `${name} ${EXPECTED}`;
  return ValidateBy({ name: 'isIso8601', validator: { validate, defaultMessage } });
}

/** Returns the time of a valid bound, to the millisecond. */
export function dateOfBound(text: string, edge: Edge): Date {
  return dateOf(boundOf(text, edge) ?? text);
}

function dateOf(instant: string): Date;
function dateOf(instant: string | undefined): Date | undefined;
function dateOf(instant: string | undefined): Date | undefined {
  return instant === undefined ? undefined : new Date(`${instant}Z`);
}
