import { type EntryAddress, entryPath } from '../entry';
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

interface Restoration {
  readonly to: 'live' | 'draft';
  readonly tag: string | undefined;
  /** Only the values of this language. */
  readonly locale?: string | undefined;
}

/**
 * Makes the values those of the version: in the entry, or in the draft, which is replaced. With a tag, only if what is replaced is still that
 * version of the entry or of the draft; without one, only if there is no draft.
 */
export async function restoreVersion(
  address: EntryAddress,
  version: number,
  { to, tag, locale }: Restoration,
): Promise<void> {
  const query = new URLSearchParams({ to, ...(locale !== undefined && { locale }) });
  await request('POST', `${versionsPath(address)}/${version}/restore?${query}`, {
    headers: tag !== undefined ? { 'If-Match': tag } : to === 'draft' ? { 'If-None-Match': '*' } : {},
  });
}

function versionsPath(address: EntryAddress): string {
  return `${entryPath(address)}/versions`;
}
