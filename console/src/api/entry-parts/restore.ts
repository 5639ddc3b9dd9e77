import { type EntryAddress, versionsPath } from '../entry';
import { request } from '../request';

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
