import { typesPath } from './content-types';
import { request } from './request';

export interface Entry {
  readonly id: string;
  readonly content_type_id: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly status: 'draft' | 'published';
  readonly created_at: string;
  readonly updated_at: string;
  /** HTML of which only `<mark>` is an element. */
  readonly highlights?: Readonly<Record<string, readonly string[]>>;
}

interface EntryPage {
  readonly data: readonly Entry[];
  readonly meta: {
    readonly next_cursor: string | null;
    /** The search that was made in place of one that found nothing. */
    readonly corrected?: string;
  };
  /** Entries referred to, by their IDs. */
  readonly included?: Readonly<Record<string, Entry>>;
}

/** Parameters of the list, as the API names them. */
export type EntryQuery = Readonly<Record<string, string>>;

/** The most IDs that one condition may name. */
export const MAX_IDS = 100;

export function entriesPath(tenantId: string, type: string): string {
  return `${typesPath(tenantId)}/${encodeURIComponent(type)}/entries`;
}

export function listEntries(
  tenantId: string,
  type: string,
  query: EntryQuery,
  signal?: AbortSignal,
): Promise<EntryPage> {
  return request('GET', `${entriesPath(tenantId, type)}?${new URLSearchParams(query)}`, { signal });
}

/** The entries with these IDs, of which there are at most `MAX_IDS`. */
export async function entriesWithIds(
  tenantId: string,
  type: string,
  ids: readonly string[],
  query: EntryQuery = {},
  signal?: AbortSignal,
): Promise<EntryPage> {
  const where = JSON.stringify({ id: { in: ids } });
  return listEntries(tenantId, type, { cursor: '', per_page: String(MAX_IDS), ...query, where }, signal);
}

/** The number of all entries of the type. */
export async function countEntries(tenantId: string, type: string, signal?: AbortSignal): Promise<number> {
  const path = `${entriesPath(tenantId, type)}?page=1&per_page=1&select=`;
  return (await request<{ meta: { total: number } }>('GET', path, { signal })).meta.total;
}

/** How many fields of other entries lead to the entry. */
export async function countReferrers(
  tenantId: string,
  { content_type_id: type, id }: Pick<Entry, 'id' | 'content_type_id'>,
  signal?: AbortSignal,
): Promise<number> {
  const path = `${entriesPath(tenantId, type)}/${id}/referrers?page=1&per_page=1`;
  return (await request<{ meta: { total: number } }>('GET', path, { signal })).meta.total;
}

/** Publishes the draft of an entry: all of it, or what it has in one language. */
export async function publishDraft(tenantId: string, type: string, id: string, locale?: string): Promise<void> {
  const query = locale === undefined ? '' : `?${new URLSearchParams({ locale })}`;
  await request('POST', `${entriesPath(tenantId, type)}/${id}/draft/publish${query}`);
}

/** An entry that a search over several content types found. */
export interface FoundEntry {
  readonly id: string;
  readonly content_type_id: string;
  readonly status: Entry['status'];
  readonly title: string | null;
}

interface EntrySearch {
  readonly search: string;
  readonly types?: readonly string[];
  readonly count: number;
  /** Looks at what is shown in this language. */
  readonly locale?: string | undefined;
}

/** Finds entries of these content types, or of all, as somebody types, the best first. */
export async function searchEntries(
  tenantId: string,
  { search, types, count, locale }: EntrySearch,
  signal?: AbortSignal,
): Promise<readonly FoundEntry[]> {
  const query = new URLSearchParams({
    search,
    ...(types && { types: types.join(',') }),
    per_page: String(count),
    ...(locale !== undefined && { locale }),
  });
  const path = `/v1/content/${encodeURIComponent(tenantId)}/search?${query}`;
  return (await request<{ data: readonly FoundEntry[] }>('GET', path, { signal })).data;
}
