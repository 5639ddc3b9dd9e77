import type { Entry } from '../../../api/entries';
import { type Draft, type EntryAddress, getEntry, type Versioned } from '../../../api/entry';
import { whenLeft } from './leaving';

/** An entry as it is live, and with the values that wait beside it. */
export interface LoadedEntry {
  readonly live: Versioned<Entry>;
  readonly draft?: Versioned<Draft>;
}

/** The tag of an entry that is shown with its draft. */
const WITH_DRAFT = /-(d\d+)"$/;

/** The tag of both. */
export function tagWithDraft({ live, draft }: LoadedEntry): string {
  return draft ? `${live.tag.slice(0, -1)}-${draft.tag.slice(1)}` : live.tag;
}

/** Reads an entry with its draft, once nothing is being saved there any more by a page that was left. */
export async function loadEntry(
  address: EntryAddress,
  seesDrafts: boolean,
  signal?: AbortSignal,
): Promise<LoadedEntry> {
  await whenLeft(address.id);
  const [live, shown] = await Promise.all([
    getEntry(address, { signal }),
    seesDrafts ? getEntry(address, { isPreview: true, signal }) : undefined,
  ]);
  // The draft itself is a 404 where there is none, which browsers report as an error of the page.
  const [, tag] = WITH_DRAFT.exec(shown?.tag ?? '') ?? [];
  // Readers do not see values of a language that is taken off.
  const isOfLocale = shown && address.locale !== undefined;
  if (!shown || tag === undefined) return { live: isOfLocale ? { ...live, data: shown.data } : live };
  return { live, draft: { data: { id: address.id, fields: shown.data.fields }, tag: `"${tag}"` } };
}
