import { type EntryAddress, entryPath } from '../entry';
import { request } from '../request';

/** Somebody who has an entry open. */
interface Present {
  /** Of a member, or of a key. */
  readonly name: string;
  readonly is_me: boolean;
}

/** Says for half a minute that the caller has the entry open. */
export async function announcePresence(address: EntryAddress, signal: AbortSignal): Promise<void> {
  await request('PUT', presencePath(address), { isQuiet: true, signal });
}

/** The names of the others who have the entry open, those first who are there longest. */
export async function listOthers(address: EntryAddress, signal: AbortSignal): Promise<readonly string[]> {
  const { data } = await request<{ data: Present[] }>('GET', presencePath(address), { isQuiet: true, signal });
  return [...new Set(data.flatMap(({ name, is_me: isMe }) => (isMe ? [] : [name])))];
}

/** Also while the page goes. What fails is forgotten by the service within half a minute. */
export function leavePresence(address: EntryAddress): void {
  request('DELETE', presencePath(address), { isQuiet: true, keepalive: true }).catch(() => undefined);
}

function presencePath(address: EntryAddress): string {
  return `${entryPath(address)}/presence`;
}
