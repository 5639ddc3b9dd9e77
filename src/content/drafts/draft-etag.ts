import { Problem } from '../../errors/problem.js';
import { type Precondition, readIfMatch } from '../../http/responses/etag.js';

/** The ETags that permit a change of a draft, `*` for every draft that exists, or undefined for any state. */
export type DraftPrecondition = Precondition | '*';

/** The ETag of a draft. Its number never restarts for an entry, so no two drafts of an entry have the same ETag. */
export function draftEtag(number: number): string {
  return `"d${number}"`;
}

/** Reads the header `If-Match` (see `readIfMatch`). */
export function readDraftIfMatch(header: string | undefined): DraftPrecondition {
  return header?.trim() === '*' ? '*' : readIfMatch(header);
}

/** Throws a 412 unless the precondition permits a change of the draft with this number; undefined if there is no draft. */
export function assertDraftPermitted(precondition: DraftPrecondition, number: number | undefined): void {
  if (precondition === undefined) return;
  if (number === undefined)
    throw new Problem('precondition_failed', 'The entry has no draft that If-Match could name.');
  if (precondition === '*' || precondition.includes(draftEtag(number))) return;
  throw new Problem('precondition_failed', 'The draft has changed since the version that If-Match names.');
}
