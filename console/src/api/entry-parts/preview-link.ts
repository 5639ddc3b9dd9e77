import { type EntryAddress, entryPath } from '../entry';
import { request } from '../request';

/** Returns the address at which the entry is shown with its draft, to everybody who has it, for an hour. */
export async function createPreviewLink(address: EntryAddress): Promise<string> {
  return (await request<{ data: { url: string } }>('POST', `${entryPath(address)}/preview-links`)).data.url;
}
