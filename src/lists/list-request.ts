import { Problem } from '../errors/problem.js';
import type { Parameter } from '../http/parameters.js';
import type { Query } from '../http/query.js';

/** No person searches for more characters. */
const MAX_SEARCH_LENGTH = 512;

/** The parameters that determine the rows of a list and their order. A cursor is valid only with the same ones. */
export type ListIdentity = readonly (readonly [name: string, value: unknown])[];

/** Returns the parameters but those that change what a page shows. */
export function listIdentity(query: Query, ofPage: readonly string[]): ListIdentity {
  const parameters = Object.entries(query).filter(([name]) => !ofPage.includes(name));
  return parameters.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Reads `search` as it was sent. Throws a 400 if it is too long. */
export function readSearchText({ search }: Query): string | undefined {
  if (search !== undefined && search.length > MAX_SEARCH_LENGTH) {
    throw Problem.parameter('search', `search must have at most ${MAX_SEARCH_LENGTH} characters.`);
  }
  return search as string | undefined;
}

export function searchParameter(description: string): Parameter {
  return { name: 'search', schema: { type: 'string', maxLength: MAX_SEARCH_LENGTH }, description };
}

/** The parameters `filter[…]`. */
export function filterParameter(description: string): Parameter {
  return {
    name: 'filter',
    parameter: 'filter[',
    style: 'deepObject',
    explode: true,
    schema: {
      type: 'object',
      // Generated clients cannot send objects in an object.
      additionalProperties: { type: 'string' },
      // Swagger UI prefills this value, which filters nothing.
      example: {},
    },
    description,
  };
}
