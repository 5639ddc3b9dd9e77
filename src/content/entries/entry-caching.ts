import { createHash } from 'node:crypto';
import { isMarked } from '../../fields/formats/media-url.js';
import { shownUnder, versionEtag } from '../../http/responses/etag.js';
import { privateHeaders } from '../../http/responses/etag-headers.js';
import { publicHeaders } from '../../http/responses/public-headers.js';

/** How clients and caches may keep a response. */
interface Caching {
  headers: Readonly<Record<string, string>> | undefined;
  /** The response is 304 if `If-None-Match` names this ETag; undefined: never. */
  comparable?: string;
}

/** What the caching of a response depends on besides what it shows. */
interface Circumstances {
  /** Whether it is the same for everybody. */
  isPublic: boolean;
  /** How long caches keep what everybody can read, in seconds. */
  maxAge: number;
  /** Differs if the URLs of files do (`FileUrls.tagOf`). */
  urlTag: string;
}

/** The other entries that a response shows, in these versions. */
interface Included {
  versions: readonly (readonly [id: string, version: number])[];
}

/** A list as its ETag sees it. The version of the type stands for the form of its entries. */
interface ShownList {
  type: { id: string; version: number; isPublic: boolean };
  rows: readonly { id: string; version: number }[];
  meta: object;
  /** The numbers of the drafts that the list shows; undefined if it shows none. */
  preview?: { numbers: ReadonlyMap<string, number> };
  reading?: { included?: Included };
}

/** The caching of a list. `isWhole`: it shows entries in their plain shape. `highlighted` is the search whose matches it shows, if it does. */
export function listCaching(
  { isPublic, maxAge, urlTag }: Circumstances,
  list: ShownList,
  { isPlain, highlighted }: { isPlain: boolean; highlighted: string | undefined },
): Caching {
  const { included } = list.reading ?? {};
  const page = listEtag(list, urlTag, highlighted);
  const etag = included ? includingEtag(page, included) : page;
  const isWhole = isPlain && !included;
  if (list.preview || (!isWhole && !isPublic)) return { headers: unstored(etag) };
  if (isPublic) return { headers: publicHeaders(etag, maxAge), ...(isWhole && { comparable: etag }) };
  // A cache that keeps the list for everybody must not keep this one.
  return {
    headers: list.type.isPublic
      ? { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, X-Trivet-Console' }
      : undefined,
  };
}

/** The caching of an entry, which may show other entries, or media values that change apart from it. `locale` differs by the locales it shows. */
export function entryCaching(
  { isPublic, maxAge, urlTag }: Circumstances,
  entry: { version: number; fields: string },
  { isPlain, included, locale }: { isPlain: boolean; included: Included | undefined; locale: string },
): Caching {
  const etag = entryEtag(entry, urlTag, locale);
  if (isPlain && !included) {
    return { headers: isPublic ? publicHeaders(etag, maxAge) : privateHeaders(etag), comparable: etag };
  }
  // With a key, the tag is that of the entry, for If-Match. A cache must not take an earlier response for this one.
  return { headers: isPublic ? publicHeaders(includingEtag(etag, included), maxAge) : unstored(etag) };
}

/** The headers of an entry with the values of its draft on top. */
export function previewHeaders(version: number, draftNumber: number | undefined): Readonly<Record<string, string>> {
  return unstored(draftNumber === undefined ? versionEtag(version) : `"v${version}-d${draftNumber}"`);
}

/** The response is never 304, so storing it is useless. */
function unstored(etag: string): Readonly<Record<string, string>> {
  return { ETag: etag, 'Cache-Control': 'no-store' };
}

/** If the entry names files, the ETag changes with their URLs. `If-Match` knows it by the version. */
function entryEtag({ version, fields }: { version: number; fields: string }, urlTag: string, locale: string): string {
  const text = (isMarked(fields) ? urlTag : '') + locale;
  return text === '' ? versionEtag(version) : shownUnder(versionEtag(version), text);
}

/** It is weak because a large entry may change between reading the page and sending the entry. */
function listEtag({ type, rows, meta, preview }: ShownList, urlTag: string, highlighted: string | undefined): string {
  const parts = [urlTag, type.id, type.version, rows.map(({ id, version }) => [id, version]), meta];
  if (preview) parts.push([...preview.numbers].sort());
  if (highlighted !== undefined) parts.push(highlighted);
  return weakEtag(parts);
}

/** It is weak for the same reason. */
function includingEtag(etag: string, included: Included | undefined): string {
  return weakEtag([etag, included?.versions ?? []]);
}

function weakEtag(parts: readonly unknown[]): string {
  return `W/"${createHash('sha1').update(JSON.stringify(parts)).digest('base64url')}"`;
}
