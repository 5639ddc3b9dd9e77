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

/** Entries of a content type, which is named by its ID or slug. */
export interface EntryPlace {
  readonly tenantId: string;
  readonly type: string;
  /** The language whose own values are read and written. Without it, the default one. */
  readonly locale?: string | undefined;
}

export interface EntryAddress extends EntryPlace {
  readonly id: string;
}

/** Answers to writes lack one of the times of an entry without it. */
const FULL = { view: 'full' };
/** What an answer may say after the version of the entry. `If-Match` does without it. */
const SHOWN_UNDER = /\.\w+"$/;

export function entryPath({ tenantId, type, id }: EntryAddress): string {
  return `${entriesPath(tenantId, type)}/${encodeURIComponent(id)}`;
}

export function versionsPath(address: EntryAddress): string {
  return `${entryPath(address)}/versions`;
}

interface Reading {
  /** Shows the values of the draft, if there is one. The tag then names both versions: `"v7-d3"`. */
  readonly isPreview?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export function getEntry(address: EntryAddress, { isPreview, signal }: Reading = {}): Promise<Versioned<Entry>> {
  const own = address.locale !== undefined && { locale: address.locale, fallback: 'none' };
  const query = queryOf({ ...(isPreview && { preview: 'true' }), ...own });
  return versioned('GET', entryPath(address) + query, { ...(signal && { signal }) });
}

interface Creation {
  readonly fields: EntryFields;
  readonly status: Entry['status'];
  /** The same for each try, so that one that was lost on its way back is not repeated. */
  readonly key: string;
}

/** Creates an entry. A draft may lack required values. */
export function createEntry(
  { tenantId, type, locale }: EntryPlace,
  { fields, status, key }: Creation,
): Promise<Versioned<Entry>> {
  const query = queryOf({ ...(status === 'draft' && { incomplete: 'true' }), ...FULL, ...inLocale(locale) });
  const headers = { 'Idempotency-Key': key };
  return versioned('POST', entriesPath(tenantId, type) + query, { body: { fields, status }, headers });
}

/** Saves values in the draft, which must have this version. Null: there must be no draft. Undefined: there may be any. */
export function saveDraft(
  address: EntryAddress,
  fields: EntryFields,
  tag: string | null | undefined,
): Promise<Versioned<Draft>> {
  const headers: Record<string, string> =
    tag === undefined ? {} : tag === null ? { 'If-None-Match': '*' } : { 'If-Match': tag };
  const path = `${entryPath(address)}/draft${queryOf(inLocale(address.locale))}`;
  return versioned('PATCH', path, { body: { fields }, headers });
}

interface Folding {
  /** That of the draft. Undefined: there is none, or there may be any. */
  readonly tag: string | undefined;
  /** Whether the draft's values win over those that somebody else changed in the entry. */
  readonly force?: boolean;
  /** Only these languages are published. */
  readonly locales?: readonly string[] | undefined;
}

/** Makes the draft's values those of the entry, with (`publish`) or without making them public. The answer is in the default language. */
export function foldDraft(
  address: EntryAddress,
  how: 'apply' | 'publish',
  { tag, force, locales }: Folding,
): Promise<Versioned<Entry>> {
  const query = queryOf({ ...(force && { force: 'true' }), ...FULL, ...inLocale(locales?.join(',')) });
  const headers = { ...(tag !== undefined && { 'If-Match': tag }) };
  return versioned('POST', `${entryPath(address)}/draft/${how}${query}`, { headers });
}

export function setStatus(address: EntryAddress, status: Entry['status']): Promise<Versioned<Entry>> {
  return versioned('PATCH', entryPath(address) + queryOf({ ...FULL, ...inLocale(address.locale) }), {
    body: { status },
  });
}

/** Of all languages, or of one. */
export async function discardDraft(address: EntryAddress, tag: string, locale?: string): Promise<void> {
  const path = `${entryPath(address)}/draft${queryOf(inLocale(locale))}`;
  await request('DELETE', path, { headers: { 'If-Match': tag } });
}

export async function deleteEntry(address: EntryAddress): Promise<void> {
  await request('DELETE', entryPath(address));
}

function inLocale(locale: string | undefined): Readonly<Record<string, string>> {
  return locale === undefined ? {} : { locale };
}

function queryOf(parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString();
  return query === '' ? '' : `?${query}`;
}

/** What answers show in a language: values of others where it has none, which are left out. */
interface Shown {
  readonly fields?: EntryFields;
  readonly fallbacks?: Readonly<Record<string, string>>;
}

async function versioned<T extends Shown>(
  ...[method, path, options]: Parameters<typeof request>
): Promise<Versioned<T>> {
  const { body, tag } = await requestTagged<{ data: T }>(method, path, options);
  const { fields, fallbacks } = body.data;
  const version = tag.replace(SHOWN_UNDER, '"');
  if (!fields || !fallbacks) return { data: body.data, tag: version };
  const own = Object.entries(fields).filter(([name]) => !Object.hasOwn(fallbacks, name));
  return { data: { ...body.data, fields: Object.fromEntries(own) }, tag: version };
}
