import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiQuery, type ApiQueryOptions } from '@nestjs/swagger';
import { NoProblemResponse, ProblemResponses } from '../errors/problem-responses.js';
import { Problem, type ProblemCode } from '../errors/problem.js';
import { listed, suggestion } from '../validation/suggestion.js';
import { faultOfText } from './bodies/storable-values.js';
import type { Query } from './query.js';

export const PARAMETERS = Symbol('query parameters');

/** One query parameter of a route. `parameter` replaces `name` in the check; `filter[` allows every name that starts with it. */
export type Parameter = ApiQueryOptions & { name: string; parameter?: string };

/** Declares and documents the query parameters of a route. Any other one gets 400, unless the route `IgnoresOtherParameters`. */
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

export const OTHER_PARAMETERS = Symbol('other query parameters');

/**
 * Lets what people open by a link ignore undeclared parameters: newsletters and social networks add some to the links that they show. It stands
 * above the route's other decorators.
 */
export const IgnoresOtherParameters = (): MethodDecorator =>
  applyDecorators(NoProblemResponse('unknown_parameter'), SetMetadata(OTHER_PARAMETERS, true));

/** Reads a parameter that is `true` or `false`; undefined if it is not sent. Throws a 400 for any other value. */
export function readFlag(query: Query, name: string): boolean | undefined {
  const value = query[name];
  if (value !== undefined && value !== 'true' && value !== 'false') {
    throw Problem.parameter(name, `${name} must be true or false.`);
  }
  return value === undefined ? undefined : value === 'true';
}

/** Reads a parameter that is one of `options`; undefined if it is not sent. Throws a 400 for any other value. */
export function readOption<const Option extends string>(
  query: Query,
  name: string,
  options: readonly Option[],
): Option | undefined {
  const value = query[name] as string | undefined;
  if (value === undefined) return undefined;
  const option = options.find((one) => one === value);
  if (option === undefined) throw Problem.parameter(name, `${name} must be ${options.join(' or ')}.`);
  return option;
}

/** Reads a parameter that names some of `options`, separated by commas; undefined if it is not sent. Throws a 400 for any other value. */
export function readOptions<const Option extends string>(
  query: Query,
  name: string,
  options: readonly Option[],
): Option[] | undefined {
  const value = query[name] as string | undefined;
  if (value === undefined) return undefined;
  const chosen = options.filter((one) => value.split(',').includes(one));
  if (chosen.length === value.split(',').length) return chosen;
  throw Problem.parameter(name, `${name} must be ${options.join(', ')}, or several of them, separated by commas.`);
}

/** What other services call a parameter. It is suggested where the endpoint has it. */
const SYNONYMS: Record<string, string> = {
  limit: 'per_page',
  page_size: 'per_page',
  pagesize: 'per_page',
  size: 'per_page',
  count: 'per_page',
  offset: 'page',
  skip: 'page',
  after: 'cursor',
  starting_after: 'cursor',
  q: 'search',
  query: 'search',
  order: 'sort',
  order_by: 'sort',
  orderby: 'sort',
  sort_by: 'sort',
};

/** Throws 400 for a parameter that is not in `names`, is repeated, is not valid UTF-8, or contains text that cannot be stored. */
export function checkParameters(query: Query, names: readonly string[], url = ''): void {
  const errors: { path: string; code: ProblemCode; message: string }[] = [];
  for (const [name, value] of Object.entries(query)) {
    const known = names.some((allowed) => (allowed.endsWith('[') ? name.startsWith(allowed) : name === allowed));
    if (!known) errors.push(unknown(name, names));
    else if (typeof value !== 'string') errors.push(fault(name, 'invalid_parameter', 'must be sent only once'));
    else if (faultOfText(value)) errors.push(fault(name, 'invalid_parameter', `contains ${faultOfText(value)}`));
    // Decoding replaced invalid UTF-8, unless the client sent the replacement character itself.
    else if (value.includes('\ufffd') && !/%EF%BF%BD/i.test(url)) {
      errors.push(fault(name, 'invalid_parameter', 'is not valid UTF-8'));
    }
  }
  const [first] = errors;
  if (!first) return;
  const detail = first.code === 'unknown_parameter' ? `${first.message} ${allOf(names)}` : first.message;
  throw new Problem(first.code, detail, errors);
}

function unknown(name: string, names: readonly string[]): ReturnType<typeof fault> {
  const error = fault(name, 'unknown_parameter', 'is not a parameter of this endpoint');
  return { ...error, message: `${error.message}${meant(name, names)}` };
}

function meant(name: string, names: readonly string[]): string {
  const lowerCase = name.toLowerCase();
  const synonym = Object.hasOwn(SYNONYMS, lowerCase) ? SYNONYMS[lowerCase] : undefined;
  if (synonym !== undefined && names.includes(synonym)) return ` Did you mean ${synonym}?`;
  const prefix = prefixes(names).find((one) => name.toLowerCase().startsWith(one.slice(0, -1)));
  if (prefix !== undefined) return ` Write ${prefix}field]=value.`;
  const similar = suggestion(
    name,
    names.filter((one) => !one.endsWith('[')),
  );
  const [filter] = prefixes(names);
  if (similar || filter === undefined || !/^[A-Za-z]\w{0,63}$/.test(name)) return similar;
  return ` To filter by a field of this name, write ${filter}${name}]=value.`;
}

/** The beginnings of the parameters that name a field: `filter[`. */
function prefixes(names: readonly string[]): string[] {
  return names.filter((name) => name.endsWith('['));
}

function allOf(names: readonly string[]): string {
  if (names.length === 0) return 'This endpoint has no query parameters.';
  return `Its parameters are ${listed(names.map((name) => (name.endsWith('[') ? `${name}field]` : name)))}.`;
}

function fault(name: string, code: ProblemCode, what: string): { path: string; code: ProblemCode; message: string } {
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  return { path: shown, code, message: `${shown} ${what}.` };
}
