import { createHash } from 'node:crypto';
import { isMarked } from '../../fields/media-url.js';
import { shownUnder, versionEtag } from '../../http/etag.js';

/** The ETag of an entry. If it names files, it changes with the base of their URLs. `If-Match` knows it by the version. */
export function entryEtag({ version, fields }: { version: number; fields: string }, base: string): string {
  if (!isMarked(fields)) return versionEtag(version);
  return shownUnder(versionEtag(version), createHash('sha1').update(base).digest('hex').slice(0, 8));
}

/** The ETag of an entry with the values of its draft on top. */
export function previewEtag(version: number, draftNumber: number | undefined): string {
  return draftNumber === undefined ? versionEtag(version) : `"v${version}-d${draftNumber}"`;
}

/** The headers of a preview. Its response is never 304, so storing it is useless. */
export function unstored(etag: string): { ETag: string; 'Cache-Control': string } {
  return { ETag: etag, 'Cache-Control': 'no-store' };
}

/** A list as its ETag sees it. The version of the type stands for the form of its entries. */
interface TaggedList {
  type: { id: string; version: number };
  rows: readonly { id: string; version: number }[];
  meta: object;
  /** The numbers of the drafts that the list shows; undefined if it shows none. */
  preview?: { numbers: ReadonlyMap<string, number> };
}

/**
 * The ETag of a page whose files are shown under the base. It is weak because a large entry may change between reading the page and sending the entry. `highlighted` is the
 * search whose matches the page shows, if it does.
 */
export function entryListEtag({ type, rows, meta, preview }: TaggedList, base: string, highlighted?: string): string {
  const parts = [base, type.id, type.version, rows.map(({ id, version }) => [id, version]), meta];
  if (preview) parts.push([...preview.numbers].sort());
  if (highlighted !== undefined) parts.push(highlighted);
  return `W/"${createHash('sha1').update(JSON.stringify(parts)).digest('base64url')}"`;
}

/** The ETag of a response that also shows other entries, in these versions. It is weak for the same reason. */
export function includingEtag(etag: string, included: readonly (readonly [id: string, version: number])[]): string {
  return `W/"${createHash('sha1')
    .update(JSON.stringify([etag, included]))
    .digest('base64url')}"`;
}
