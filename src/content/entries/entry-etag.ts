import { createHash } from 'node:crypto';

/** The ETags that permit a write; undefined if every version does. */
export type EntryPrecondition = readonly string[] | undefined;

/** The ETag of an entry's version. It is strong because the response depends on nothing else. */
export function entryEtag(version: number): string {
  return `"v${version}"`;
}

/** A list as its ETag sees it. The version of the type stands for the form of its entries. */
interface TaggedList {
  type: { id: string; version: number };
  rows: readonly { id: string; version: number }[];
  meta: object;
}

/** The ETag of a page. It is weak because a large entry may change between reading the page and sending the entry. */
export function entryListEtag({ type, rows, meta }: TaggedList): string {
  const parts = [type.id, type.version, rows.map(({ id, version }) => [id, version]), meta];
  return `W/"${createHash('sha1').update(JSON.stringify(parts)).digest('base64url')}"`;
}

/** Reads the header `If-Match` (RFC 9110, 13.1.1). */
export function readIfMatch(header: string | undefined): EntryPrecondition {
  if (header === undefined || header.trim() === '*') return undefined;
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}

/** Whether the precondition permits a write of this version. The comparison is strong, so a weak ETag never matches. */
export function isPermitted(precondition: EntryPrecondition, version: number): boolean {
  return precondition === undefined || precondition.includes(entryEtag(version));
}
