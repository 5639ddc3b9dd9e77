import { createHash } from 'node:crypto';
import { Problem } from '../../errors/problem.js';

/** The ETags that permit a write; undefined if every version does. */
export type EntryPrecondition = readonly string[] | undefined;

/** The ETag of an entry's version. It is strong because the response depends on nothing else. */
export function entryEtag(version: number): string {
  return `"v${version}"`;
}

/** The ETag of an entry with the values of its draft on top. */
export function previewEtag(version: number, draftNumber: number | undefined): string {
  return draftNumber === undefined ? entryEtag(version) : `"v${version}-d${draftNumber}"`;
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
 * The ETag of a page. It is weak because a large entry may change between reading the page and sending the entry. `highlighted` is the
 * search whose matches the page shows, if it does.
 */
export function entryListEtag({ type, rows, meta, preview }: TaggedList, highlighted?: string): string {
  const parts = [type.id, type.version, rows.map(({ id, version }) => [id, version]), meta];
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

const ETAG = '(?:W/)?"[^"]*"';
const ETAGS = new RegExp(`^\\s*${ETAG}(?:\\s*,\\s*${ETAG})*\\s*$`);

/** Reads the header `If-Match` (RFC 9110, 13.1.1). Throws a 400 if it is neither `*` nor a list of ETags in quotation marks. */
export function readIfMatch(header: string | undefined): EntryPrecondition {
  if (header === undefined || header.trim() === '*') return undefined;
  if (!ETAGS.test(header)) {
    const message = `If-Match must be * or an ETag with its quotation marks, as the response returned it: If-Match: "v3".`;
    throw Problem.parameter('If-Match', message);
  }
  return header.match(new RegExp(ETAG, 'g')) ?? [];
}

/** Whether the precondition permits a write of this version. The comparison is strong, so a weak ETag never matches. */
function isPermitted(precondition: EntryPrecondition, version: number): boolean {
  return precondition === undefined || precondition.includes(entryEtag(version));
}

/** Throws a 412 unless the precondition permits a write of this version. */
export function assertPermitted(precondition: EntryPrecondition, version: number): void {
  if (isPermitted(precondition, version)) return;
  throw new Problem('precondition_failed', 'The entry has changed since the version that If-Match names.');
}
