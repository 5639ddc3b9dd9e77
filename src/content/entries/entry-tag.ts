/** What a client demands of the version it is about to change: the header `If-Match`, if it sent one. */
export type EntryPrecondition = string | undefined;

/** The ETag of an entry's version; strong, since the answer is made of nothing else. */
export function entryTag(version: number): string {
  return `"v${version}"`;
}

/** Whether a write may go on under `If-Match` (RFC 9110, 13.1.1: strong comparison, so a weak tag never matches). */
export function holds(ifMatch: EntryPrecondition, version: number): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  return tags(ifMatch).includes(entryTag(version));
}

/** Whether the client has this version already under `If-None-Match` (weak comparison). */
export function isKnown(ifNoneMatch: string | undefined, version: number): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return tags(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === entryTag(version));
}

function tags(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
