/** The ETags that permit a write; undefined if every version does. */
export type EntryPrecondition = readonly string[] | undefined;

/** The ETag of an entry's version. It is strong because the response depends on nothing else. */
export function entryEtag(version: number): string {
  return `"v${version}"`;
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
