import { type EntryAddress, entryPath } from '../entry';
import { request } from '../request';

/** Returns the address at which the entry is shown with its draft, in its language, to everybody who has it, for an hour. */
export async function createPreviewLink(address: EntryAddress): Promise<string> {
  const { url } = (await request<{ data: { url: string } }>('POST', `${entryPath(address)}/preview-links`)).data;
  return address.locale === undefined ? url : `${url}?${new URLSearchParams({ locale: address.locale })}`;
}
