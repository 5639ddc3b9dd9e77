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

/** Reads the header `If-None-Match` of a request that saves a draft: whether the entry must have no draft. Throws a 400 unless it is `*`. */
export function readIfNoDraft(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header.trim() !== '*') throw Problem.parameter('If-None-Match', 'If-None-Match must be * here.');
  return true;
}

/** Throws a 412 if there is a draft, which has this number. */
export function assertNoDraft(number: number | undefined): void {
  if (number !== undefined) throw new Problem('precondition_failed', 'The entry already has a draft.');
}
