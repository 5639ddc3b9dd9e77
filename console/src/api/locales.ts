import { typesPath } from './content-types';
import { type EntryAddress, entryPath, type Versioned } from './entry';
import { request, requestTagged } from './request';

export interface Locale {
  readonly code: string;
  readonly name: string;
  /** The language whose value is shown where this one has none. Null: nothing is shown. */
  readonly fallback: string | null;
}

/** The languages of a tenant. */
export interface Locales {
  readonly default: string;
  readonly locales: readonly Locale[];
}

/** What there is of an entry in a language. */
export interface EntryLocale {
  readonly code: string;
  readonly live: boolean;
  /** The number of fields with a value of its own. */
  readonly values: number;
  /** The names of the fields without one. */
  readonly missing: readonly string[];
  readonly draft: boolean;
  readonly updated_at: string | null;
}

/** The numbers of entries of a content type in a language. */
export interface LocaleCount {
  readonly code: string;
  readonly live: number;
  readonly missing: number;
  readonly behind: number;
}

interface Data<T> {
  readonly data: T;
}

export function localesPath(tenantId: string): string {
  return `/v1/locales/${encodeURIComponent(tenantId)}`;
}

export async function getLocales(tenantId: string, signal?: AbortSignal): Promise<Versioned<Locales>> {
  const { body, tag } = await requestTagged<Data<Locales>>('GET', localesPath(tenantId), { signal });
  return { data: body.data, tag };
}

/** Replaces the languages, if they are still those of the tag. Entries follow before the answer comes. */
export async function setLocales(tenantId: string, locales: Locales, tag: string): Promise<void> {
  await request('PUT', localesPath(tenantId), { body: locales, headers: { 'If-Match': tag }, isLong: true });
}

export async function listEntryLocales(address: EntryAddress, signal?: AbortSignal): Promise<readonly EntryLocale[]> {
  return (await request<Data<EntryLocale[]>>('GET', `${entryPath(address)}/locales`, { signal })).data;
}

/** Takes a language of an entry off, or brings it back. */
export async function setEntryLocale(address: EntryAddress, code: string, isLive: boolean): Promise<void> {
  await request('PUT', `${entryPath(address)}/locales/${encodeURIComponent(code)}`, { body: { live: isLive } });
}

export async function countLocales(
  tenantId: string,
  type: string,
  signal?: AbortSignal,
): Promise<readonly LocaleCount[]> {
  const path = `${typesPath(tenantId)}/${encodeURIComponent(type)}/locales`;
  return (await request<Data<LocaleCount[]>>('GET', path, { signal })).data;
}
