import { Problem } from '../../errors/problem.js';
import { type Parameter, readOption } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { type Filter, readFilters } from '../../lists/filters/filters.js';
import { type Page, readPage } from '../../lists/page.js';
import { periodParameters } from '../../lists/periods.js';
import type { SortName } from '../../lists/sort-names.js';
import { STATES, type State } from './inbox.dto.js';
import { type IdRange, periodOf } from './submission-conditions.js';
import { readSort } from './submission-sort.js';

export const VERDICTS = ['ok', 'spam', 'any'] as const;
export type VerdictFilter = (typeof VERDICTS)[number];

/** What a list contains, before its names are looked up in the form. */
export interface Selection {
  sort: SortName;
  filters: readonly Filter[];
  /** The IDs of the period. */
  period?: IdRange;
  verdict: VerdictFilter;
  state?: State;
  search?: string;
  /** The parameters that determine the submissions of the list and their order. A cursor is valid only with the same ones. */
  identity: readonly (readonly [name: string, value: unknown])[];
}

export interface SubmissionListRequest extends Selection {
  page: Page;
  view: 'plain' | 'full';
}

const MAX_SEARCH_LENGTH = 512;

/** The parameters that change what a page shows, but not the list. */
const OF_PAGE = ['cursor', 'per_page', 'page', 'view', 'bom'];

/** Reads the query string of a list. Throws a 400 if a parameter is malformed. */
export function readSubmissionList(query: Query): SubmissionListRequest {
  const view = readOption(query, 'view', ['full']) === 'full' ? 'full' : 'plain';
  return { ...readSelection(query), page: readPage(query), view };
}

/** Reads what a list or an export contains. Throws a 400 if a parameter is malformed. */
export function readSelection(query: Query): Selection {
  const identity = Object.entries(query).filter(([name]) => !OF_PAGE.includes(name));
  return {
    sort: readSort(query),
    filters: readFilters(query),
    period: periodOf(query),
    verdict: readOption(query, 'verdict', VERDICTS) ?? 'ok',
    state: readOption(query, 'state', STATES),
    search: readSearchText(query),
    identity: identity.sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

function readSearchText({ search }: Query): string | undefined {
  if (search !== undefined && search.length > MAX_SEARCH_LENGTH) {
    throw Problem.parameter('search', `search must have at most ${MAX_SEARCH_LENGTH} characters.`);
  }
  return search as string | undefined;
}

const FILTER_DESCRIPTION = `Send \`filter[field]=value\` or \`filter[field][operator]=value\`. Several filters are combined with AND. At most 20
filters are allowed. OpenAPI cannot describe the second form: on this page and in generated clients, write \`{"email": "ada@example.com"}\` here.
The operators are those of *List entries*: \`eq\` (also without operator), \`ne\`, \`in\`, \`lt\`, \`lte\`, \`gt\`, \`gte\`, \`contains\`,
\`starts_with\` and \`exists\`. Values are read by the type of the field. Only the fields that the form has today can be filtered, and \`id\` and
\`created_at\`. A stored value that does not fit the type that its field has today counts as missing.`;

/** The parameters that determine what a list or an export contains. */
export const selectionParameters: Parameter[] = [
  {
    name: 'sort',
    schema: { type: 'string', default: '-created_at' },
    description:
      '`created_at`, `id` or the name of a field. A leading `-` sorts in descending order. Submissions without ' +
      'a value come last.',
  },
  {
    name: 'filter',
    parameter: 'filter[',
    style: 'deepObject',
    explode: true,
    schema: { type: 'object', additionalProperties: { type: 'string' }, example: {} },
    description: FILTER_DESCRIPTION,
  },
  {
    name: 'search',
    schema: { type: 'string', maxLength: MAX_SEARCH_LENGTH },
    description:
      'Full-text search in all values. A submission must contain all words. `"a phrase"`, `-not`, `or` and `beginning*` are supported. Case ' +
      'and accents are ignored. The order is that of `sort`.',
  },
  ...periodParameters('submissions'),
  {
    name: 'verdict',
    schema: { type: 'string', enum: [...VERDICTS] },
    description: 'Keeps submissions with this verdict. The default is `ok`. `any` keeps spam and the others.',
  },
  {
    name: 'state',
    schema: { type: 'string', enum: [...STATES] },
    description: 'Keeps submissions in this state.',
  },
];

export const viewParameter: Parameter = {
  name: 'view',
  schema: { type: 'string', enum: ['full'] },
  description: 'With `full`, each submission is shown as *Get a submission* shows it.',
};
