import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiQuery, type ApiQueryOptions } from '@nestjs/swagger';
import { ProblemResponses } from '../errors/problem-responses.js';
import { Problem, type ProblemCode } from '../errors/problem.js';
import { faultOfText } from './storable-values.js';
import type { Query } from './query.js';

export const PARAMETERS = Symbol('query parameters');

/** One query parameter of a route. `parameter` replaces `name` in the check; `filter[` allows every name that starts with it. */
export type Parameter = ApiQueryOptions & { name: string; parameter?: string };

/** Declares and documents the query parameters of a route. Any other one gets 400. */
export function Parameters(...parameters: Parameter[]): MethodDecorator {
  return applyDecorators(
    SetMetadata(
      PARAMETERS,
      parameters.map(({ name, parameter }) => parameter ?? name),
    ),
    ...parameters.map(({ parameter: _parameter, ...options }) => ApiQuery({ required: false, ...options })),
    ProblemResponses('invalid_parameter', 'unknown_parameter'),
  );
}

/** Throws 400 for a parameter that is not in `names`, is repeated, is not valid UTF-8, or contains text that cannot be stored. */
export function checkParameters(query: Query, names: readonly string[], url = ''): void {
  const errors: { path: string; code: ProblemCode; message: string }[] = [];
  for (const [name, value] of Object.entries(query)) {
    const known = names.some((allowed) => (allowed.endsWith('[') ? name.startsWith(allowed) : name === allowed));
    if (!known) errors.push(fault(name, 'unknown_parameter', 'is not a parameter of this endpoint'));
    else if (typeof value !== 'string') errors.push(fault(name, 'invalid_parameter', 'must be sent only once'));
    else if (faultOfText(value)) errors.push(fault(name, 'invalid_parameter', `contains ${faultOfText(value)}`));
    // Decoding replaced invalid UTF-8, unless the client sent the replacement character itself.
    else if (value.includes('\ufffd') && !/%EF%BF%BD/i.test(url)) {
      errors.push(fault(name, 'invalid_parameter', 'is not valid UTF-8'));
    }
  }
  const [first] = errors;
  if (first) throw new Problem(first.code, first.message, errors);
}

function fault(name: string, code: ProblemCode, what: string): { path: string; code: ProblemCode; message: string } {
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  return { path: shown, code, message: `${shown} ${what}.` };
}
