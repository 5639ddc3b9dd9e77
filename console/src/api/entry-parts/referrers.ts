import { type EntryAddress, entryPath } from '../entry';
import { request } from '../request';

/** A field of an entry that names another entry. */
export interface Referrer {
  readonly content_type_id: string;
  readonly entry_id: string;
  /** With the groups around it: `sections.author`. */
  readonly field: string;
}

interface ReferrerPage {
  readonly data: readonly Referrer[];
  readonly meta: { readonly next_cursor: string | null };
}

/** Referrers that are read at once. */
const PER_PAGE = '50';

/** Who refers to the entry, the newest one first. */
export function listReferrers(address: EntryAddress, cursor: string, signal?: AbortSignal): Promise<ReferrerPage> {
  const query = new URLSearchParams({ cursor, per_page: PER_PAGE });
  return request('GET', `${entryPath(address)}/referrers?${query}`, { signal });
}
