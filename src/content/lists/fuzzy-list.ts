import { foreignCursor, isNumbered, type Page } from '../../lists/page.js';
import type { CorrectedSearch } from '../../search/search-correction.js';
import { readSearch, type SearchQuery } from '../../search/search-query.js';
import type { SearchedList } from './entry-list.js';
import type { EntryListRequest } from './entry-list-request.js';

/** A correction is hardly longer than the search, which has at most 512 characters. */
const MAX_LENGTH = 1_024;
/** Separates a cursor from the corrected search that it continues. */
const SEPARATOR = '.';

/** Reads the list of a request. Returns undefined if the schema is no longer current. */
type Read = (request: EntryListRequest) => Promise<SearchedList | undefined>;

/** Proposes other searches, best first, and tells whether the caller may see every new word of one. */
interface Corrections {
  of: (search: string, query: SearchQuery) => Promise<CorrectedSearch[]>;
  areSeen: (words: readonly string[]) => Promise<boolean>;
}

/**
 * Reads a list whose search is corrected if it finds nothing. The result is a list that has entries, by a correction whose new words the
 * caller may all see. That the list has entries does not tell this: with `or`, or by their stems, it may owe them to other words. A cursor
 * continues the corrected search, also if the original search finds something meanwhile.
 */
export async function readFuzzyList(
  request: EntryListRequest,
  read: Read,
  corrections: Corrections,
): Promise<SearchedList | undefined> {
  const { search = '', page } = request;
  const continued = isNumbered(page) ? undefined : correctionOf(page.cursor);
  if (continued) return readCorrected(request, continued.corrected, { ...page, cursor: continued.cursor }, read);
  const list = await read(request);
  if (!list || !isEmpty(list) || !list.sought || (!isNumbered(page) && page.cursor !== '')) return list;
  for (const { text, unseen } of await corrections.of(search, list.sought)) {
    const other = await readCorrected(request, text, page, read);
    if (!other) return undefined;
    if (!isEmpty(other) && (await corrections.areSeen(unseen))) return other;
  }
  return list;
}

async function readCorrected(
  request: EntryListRequest,
  corrected: string,
  page: Page,
  read: Read,
): Promise<SearchedList | undefined> {
  const identity = [...request.identity, ['corrected', corrected] as const];
  const list = await read({ ...request, search: corrected, page, identity });
  if (!list) return undefined;
  const { next_cursor: next, ...meta } = list.meta;
  if (next === undefined) return { ...list, meta: { ...meta, corrected } };
  const cursor = next === null ? null : `${next}${SEPARATOR}${Buffer.from(corrected).toString('base64url')}`;
  return { ...list, meta: { ...meta, next_cursor: cursor, corrected } };
}

/** Returns the corrected search that the cursor continues; undefined if it continues the search of the request. */
function correctionOf(text: string): { cursor: string; corrected: string } | undefined {
  const [cursor = '', encoded, ...others] = text.split(SEPARATOR);
  if (encoded === undefined) return undefined;
  const corrected = Buffer.from(encoded, 'base64url').toString();
  const isOurs = others.length === 0 && cursor !== '' && corrected.length <= MAX_LENGTH && readSearch(corrected);
  if (!isOurs || Buffer.from(corrected).toString('base64url') !== encoded) throw foreignCursor();
  return { cursor, corrected };
}

function isEmpty({ rows, meta }: SearchedList): boolean {
  return rows.length === 0 && (meta.total ?? 0) === 0;
}
