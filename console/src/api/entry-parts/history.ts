import { type EntryAddress, versionsPath } from '../entry';
import { request } from '../request';

/** A state of an entry, without its values. */
export interface Version {
  readonly version: number;
  readonly action: 'created' | 'updated' | 'published' | 'unpublished' | 'restored' | 'scheduled';
  readonly status: 'draft' | 'published';
  /** The names of the fields that differ from the version before. */
  readonly changed: readonly string[];
  /** Who made it; `schedule` if nobody did. */
  readonly by?: string;
  readonly at: string;
}

interface VersionPage {
  readonly data: readonly Version[];
  readonly meta: { readonly next_cursor: string | null };
}

/** A field whose values differ. No value: it was empty. */
export interface Difference {
  readonly field: string;
  /** The language of the values, of a field that is translated. */
  readonly locale?: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Versions that are read at once. */
const PER_PAGE = '50';

/** The newest one first. */
export function listVersions(address: EntryAddress, cursor: string, signal?: AbortSignal): Promise<VersionPage> {
  return request('GET', `${versionsPath(address)}?${new URLSearchParams({ cursor, per_page: PER_PAGE })}`, { signal });
}

/** Compares with the version before, or with the version `from`. */
export async function compareVersions(
  address: EntryAddress,
  version: number,
  from?: number,
  signal?: AbortSignal,
): Promise<readonly Difference[]> {
  const query = from === undefined ? '' : `?from=${from}`;
  const path = `${versionsPath(address)}/${version}/diff${query}`;
  return (await request<{ data: Difference[] }>('GET', path, { signal })).data;
}
