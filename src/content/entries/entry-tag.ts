/** The header `If-Match` of a write, if it was sent. */
export type EntryPrecondition = string | undefined;

/** The ETag of an entry's version. It is strong because the response depends on nothing else. */
export function entryEtag(version: number): string {
  return `"v${version}"`;
}

/** Whether `If-Match` permits a write (RFC 9110, 13.1.1: strong comparison, so a weak tag never matches). */
export function holds(ifMatch: EntryPrecondition, version: number): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  return tags(ifMatch).includes(entryEtag(version));
}

function tags(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
