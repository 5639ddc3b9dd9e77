import { Problem } from '../../errors/problem.js';
import type { Parameter } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { readSearchText, searchParameter } from '../../lists/list-request.js';
import { readInteger } from '../../lists/page.js';
import { readLocale } from '../locales/locale-request.js';
import type { ContentSearchRequest } from './content-search.service.js';

const DEFAULT_PER_PAGE = 10;
const MAX_PER_PAGE = 50;
const MAX_NAMES = 100;

export const contentSearchParameters: Parameter[] = [
  {
    ...searchParameter(
      'The words, as in *List entries*: `"a phrase"`, `-not`, `or` and `beginning*` are supported. A blank text finds nothing.',
    ),
    required: true,
  },
  {
    name: 'types',
    schema: { type: 'string' },
    description: `Finds only entries of these content types: up to ${MAX_NAMES} slugs or IDs, separated by commas. An unknown one is 400.`,
  },
  {
    name: 'locale',
    schema: { type: 'string' },
    description:
      'The locale whose values are searched and shown, such as `de`, with its fallbacks. Without it, or with `*`, they are those of the default locale.',
  },
  {
    name: 'fallback',
    schema: { type: 'string', enum: ['none'] },
    description: 'With `none`, only own values of the locale are searched and shown.',
  },
  {
    name: 'per_page',
    schema: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE, default: DEFAULT_PER_PAGE },
    description: 'The number of entries.',
  },
];

/** Throws a 400 if a parameter is malformed. */
export function readContentSearch(query: Query): ContentSearchRequest {
  const search = readSearchText(query);
  if (search === undefined) throw Problem.parameter('search', 'search is required.');
  const types = (query['types'] as string | undefined)?.split(',');
  if (types && types.length > MAX_NAMES) {
    throw Problem.parameter('types', `types must have at most ${MAX_NAMES} names.`);
  }
  return {
    search,
    types,
    locale: readLocale(query),
    perPage: readInteger(query, 'per_page', DEFAULT_PER_PAGE, MAX_PER_PAGE),
  };
}
