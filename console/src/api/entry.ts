import { type Entry, entriesPath } from './entries';
import { request, requestTagged } from './request';

export type EntryFields = Readonly<Record<string, unknown>>;

/** Values that are saved beside those of an entry. */
export interface Draft {
  readonly id: string;
  /** The entry's values with those of the draft on top. A key that may not read drafts does not get them. */
  readonly fields?: EntryFields;
}

/** A resource, and its version for `If-Match`. */
export interface Versioned<T> {
  readonly data: T;
  readonly tag: string;
}

/** An entry by its address: the content type's ID or slug, and the entry's ID. */
export interface EntryAddress {
  readonly tenantId: string;
  readonly type: string;
  readonly id: string;
}

/** Answers to writes lack one of the times of an entry without it. */
const FULL = 'view=full';

export function entryPath({ tenantId, type, id }: EntryAddress): string {
  return `${entriesPath(tenantId, type)}/${encodeURIComponent(id)}`;
}

interface Reading {
  /** Shows the values of the draft, if there is one. The tag then names both versions: `"v7-d3"`. */
  readonly isPreview?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export function getEntry(address: EntryAddress, { isPreview, signal }: Reading = {}): Promise<Versioned<Entry>> {
  return versioned('GET', entryPath(address) + (isPreview ? '?preview=true' : ''), { ...(signal && { signal }) });
}

interface Creation {
  readonly fields: EntryFields;
  readonly status: Entry['status'];
  /** The same for each try, so that one that was lost on its way back is not repeated. */
  readonly key: string;
}

/** Creates an entry. A draft may lack required values. */
export function createEntry(
  tenantId: string,
  type: string,
  { fields, status, key }: Creation,
): Promise<Versioned<Entry>> {
  const query = status === 'draft' ? `incomplete=true&${FULL}` : FULL;
  const headers = { 'Idempotency-Key': key };
  return versioned('POST', `${entriesPath(tenantId, type)}?${query}`, { body: { fields, status }, headers });
}

/** Saves values in the draft, which must have this version. Null: there must be no draft. Undefined: there may be any. */
export function saveDraft(
  address: EntryAddress,
  fields: EntryFields,
  tag: string | null | undefined,
): Promise<Versioned<Draft>> {
  const headers: Record<string, string> =
    tag === undefined ? {} : tag === null ? { 'If-None-Match': '*' } : { 'If-Match': tag };
  return versioned('PATCH', `${entryPath(address)}/draft`, { body: { fields }, headers });
}

interface Folding {
  readonly tag: string;
  /** Whether the draft's values win over those that somebody else changed in the entry. */
  readonly force?: boolean;
}

/** Makes the draft's values those of the entry, with (`publish`) or without making them public. */
export function foldDraft(
  address: EntryAddress,
  how: 'apply' | 'publish',
  { tag, force }: Folding,
): Promise<Versioned<Entry>> {
  const query = force ? `force=true&${FULL}` : FULL;
  return versioned('POST', `${entryPath(address)}/draft/${how}?${query}`, { headers: { 'If-Match': tag } });
}

export function setStatus(address: EntryAddress, status: Entry['status']): Promise<Versioned<Entry>> {
  return versioned('PATCH', `${entryPath(address)}?${FULL}`, { body: { status } });
}

export async function discardDraft(address: EntryAddress, tag: string): Promise<void> {
  await request('DELETE', `${entryPath(address)}/draft`, { headers: { 'If-Match': tag } });
}

export async function deleteEntry(address: EntryAddress): Promise<void> {
  await request('DELETE', entryPath(address));
}

async function versioned<T>(...[method, path, options]: Parameters<typeof request>): Promise<Versioned<T>> {
  const { body, tag } = await requestTagged<{ data: T }>(method, path, options);
  return { data: body.data, tag };
}
