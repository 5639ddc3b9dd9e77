import { type Parameter, readOption, readOptions } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { type Filter, readFilters } from '../../lists/filters/filters.js';
import { operatorNames } from '../../lists/filters/operators.js';
import { type Page, readPage } from '../../lists/page.js';
import {
  filterParameter,
  type ListIdentity,
  listIdentity,
  readSearchText,
  searchParameter,
} from '../../lists/list-request.js';
import { periodParameters } from '../../lists/periods.js';
import { readSortNames, type SortName } from '../../lists/sort-names.js';
import { STATES, type State } from './inbox.dto.js';
import { periodOf } from './submission-names.js';
import type { IdRange, Verdict } from './submission-rows.js';

const VERDICTS = ['ok', 'spam', 'any'] as const;

/** What a list contains, before its names are looked up in the form. */
export interface Selection {
  sort: SortName;
  filters: readonly Filter[];
  /** The IDs of the period. */
  period?: IdRange;
  verdicts: readonly Verdict[];
  /** In one of these states. */
  states?: readonly State[];
  search?: string;
  identity: ListIdentity;
}

interface SubmissionListRequest extends Selection {
  page: Page;
  view: 'plain' | 'full';
}

/** The parameters that change what a page shows, but not the list. */
const OF_PAGE = ['cursor', 'per_page', 'page', 'view', 'bom'];

/** Reads the query string of a list. Throws a 400 if a parameter is malformed. */
export function readSubmissionList(query: Query): SubmissionListRequest {
  const view = readOption(query, 'view', ['full']) === 'full' ? 'full' : 'plain';
  return { ...readSelection(query), page: readPage(query), view };
}

/** Reads what a list or an export contains. Throws a 400 if a parameter is malformed. */
export function readSelection(query: Query): Selection {
  const verdict = readOption(query, 'verdict', VERDICTS) ?? 'ok';
  return {
    sort: readSortNames(query, 1)?.[0] ?? { name: 'created_at', descending: true },
    filters: readFilters(query),
    period: periodOf(query),
    verdicts: verdict === 'any' ? ['ok', 'spam'] : [verdict],
    states: readStates(query),
    search: readSearchText(query),
    identity: listIdentity(query, OF_PAGE),
  };
}

/** All of them limit nothing. */
function readStates(query: Query): State[] | undefined {
  const states = readOptions(query, 'state', STATES);
  return states?.length === STATES.length ? undefined : states;
}

const FILTER_DESCRIPTION = `Send \`filter[field]=value\` or \`filter[field][operator]=value\`. Several filters are combined with AND. At most 20
filters are allowed. OpenAPI cannot describe the second form: on this page and in generated clients, write \`{"email": "ada@example.com"}\` here.
The operators are those of *List entries*: ${operatorNames()}. Values are read by the type of the field. Only the fields that the form has today can be filtered, and \`id\` and
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
  filterParameter(FILTER_DESCRIPTION),
  searchParameter(
    'Full-text search in all values. A submission must contain all words. `"a phrase"`, `-not`, `or` and `beginning*` are supported. Case ' +
      'and accents are ignored. The order is that of `sort`.',
  ),
  ...periodParameters('submissions'),
  {
    name: 'verdict',
    schema: { type: 'string', enum: [...VERDICTS] },
    description: 'Keeps submissions with this verdict. The default is `ok`. `any` keeps spam and the others.',
  },
  {
    name: 'state',
    schema: { type: 'array', items: { type: 'string', enum: [...STATES] }, minItems: 1, uniqueItems: true },
    style: 'form',
    explode: false,
    description:
      'Keeps submissions in this state, or in one of these, separated by commas: `new,read` is what is not done.',
  },
];

export const viewParameter: Parameter = {
  name: 'view',
  schema: { type: 'string', enum: ['full'] },
  description: 'With `full`, each submission is shown as *Get a submission* shows it.',
};
