import { type Entry, type EntryQuery, listEntries } from '../../api/entries';
import type { ListState } from '../../lists/list-address';
import { translationQuery } from './translation';

/**
 * The API lists what is not published in two parts: entries that are drafts, and published ones with changes beside them. `Drafts only` shows one
 * part after the other.
 */
const PARTS = {
  all: {},
  drafts: { 'filter[status]': 'draft' },
  changes: { 'filter[status]': 'published', has_draft: 'true' },
} as const satisfies Record<string, EntryQuery>;

/** Where a list goes on. */
interface Place {
  readonly part: keyof typeof PARTS;
  readonly cursor: string;
}

interface PartPage {
  readonly entries: readonly Entry[];
  /** Undefined at the end of the list. */
  readonly next: Place | undefined;
  /** The search that was made in place of one that found nothing. */
  readonly corrected: string | undefined;
}

interface ListRequest {
  readonly tenantId: string;
  readonly slug: string;
  readonly query: EntryQuery;
  readonly signal: AbortSignal;
}

export const FIRST_OF_ALL: Place = { part: 'all', cursor: '' };
export const FIRST_OF_DRAFTS: Place = { part: 'drafts', cursor: '' };

/** Entries that a list shows at first, and that it adds. */
const FIRST_PAGE = '50';
const NEXT_PAGE = '100';

/** What the list and its export ask for. */
export function entryQueryOf({ search, sort, where, translation }: ListState): EntryQuery {
  return {
    ...(search !== '' && { search }),
    ...(sort !== '' && { sort }),
    ...(where !== '' && { where }),
    ...translationQuery(translation),
  };
}

/** Reads a page of the list. Where the drafts end, the first changes follow at once. */
export async function readPart(request: ListRequest, { part, cursor }: Place): Promise<PartPage> {
  const { tenantId, slug, query, signal } = request;
  const perPage = cursor === '' ? FIRST_PAGE : NEXT_PAGE;
  const page = await listEntries(tenantId, slug, { ...query, ...PARTS[part], cursor, per_page: perPage }, signal);
  const { next_cursor: next, corrected } = page.meta;
  if (next !== null) return { entries: page.data, next: { part, cursor: next }, corrected };
  if (part !== 'drafts') return { entries: page.data, next: undefined, corrected };
  const rest = await readPart(request, { part: 'changes', cursor: '' });
  return { ...rest, entries: [...page.data, ...rest.entries] };
}
