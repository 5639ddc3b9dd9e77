import { Problem } from '../../errors/problem.js';

/** The ETags that permit a write; undefined if every version does. */
export type Precondition = readonly string[] | undefined;

/** The ETag of a resource's version. It is strong because the response depends on nothing else (but see `shownUnder`). */
export function versionEtag(version: number): string {
  return `"v${version}"`;
}

/** The ETag of a version whose response depends on something else too. `text` has letters and digits. */
export function shownUnder(etag: string, text: string): string {
  return etag.replace(/"$/, `.${text}"`);
}

const SHOWN_UNDER = /^"(v\d+)\.\w+"$/;
const ETAG = '(?:W/)?"[^"]*"';
const ETAGS = new RegExp(`^\\s*${ETAG}(?:\\s*,\\s*${ETAG})*\\s*$`);

/** Reads the header `If-Match` (RFC 9110, 13.1.1). Throws a 400 if it is neither `*` nor a list of ETags in quotation marks. */
export function readIfMatch(header: string | undefined): Precondition {
  if (header === undefined || header.trim() === '*') return undefined;
  if (!ETAGS.test(header)) {
    const message = `If-Match must be * or an ETag with its quotation marks, as the response returned it: If-Match: "v3".`;
    throw Problem.parameter('If-Match', message);
  }
  return (header.match(new RegExp(ETAG, 'g')) ?? []).map((etag) => etag.replace(SHOWN_UNDER, '"$1"'));
}

/**
 * Throws a 412 unless the precondition permits a write of this version. The comparison is strong, so a weak ETag never matches. `noun` is
 * what the message calls the resource.
 */
export function assertPermitted(precondition: Precondition, version: number, noun: string): void {
  if (precondition === undefined || precondition.includes(versionEtag(version))) return;
  throw new Problem('precondition_failed', `The ${noun} has changed since the version that If-Match names.`);
}
