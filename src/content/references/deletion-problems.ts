import { Problem } from '../../errors/problem.js';
import { MAX_REFERRERS } from './referential-actions.sql.js';

/** How a problem names what is deleted, and what references lead to. */
export const ENTRY = { subject: 'The entry', object: 'it' };
export const TYPE = { subject: 'The content type', object: 'its entries' };

/** The 409 of a deletion that references refuse. `referrers` counts them, up to one more than `MAX_REFERRERS`. */
export function refused({ subject, object }: typeof ENTRY, referrers: number): Problem {
  const count = referrers > MAX_REFERRERS ? `at least ${(MAX_REFERRERS + 1).toLocaleString('en')}` : String(referrers);
  const [refer, references] = referrers === 1 ? ['entry refers', 'reference'] : ['entries refer', 'references'];
  return new Problem(
    'conflict',
    `${subject} was not deleted: ${count} ${refer} to ${object}, and on_delete is refuse. Remove the ${references} first.`,
  );
}

/** The 409 of a deletion that would have to clear more than `MAX_REFERRERS` entries. */
export function tooMany({ subject, object }: typeof ENTRY): Problem {
  const max = MAX_REFERRERS.toLocaleString('en');
  const detail = `${subject} was not deleted: more than ${max} entries refer to ${object}, and on_delete is clear. Remove references first.`;
  return new Problem('conflict', detail);
}

/** The 503 of a deletion that waited for a lock for too long. */
export function busy(): Problem {
  return Problem.unavailable('The entry, or a content type that refers to it, is being changed. Try again later.', 5);
}
