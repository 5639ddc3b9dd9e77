import { digitsOf, publicIdOf, uuidOf } from '../public-id.sql.js';
import { counterOfType } from './entry-counts.sql.js';

/*
 * How a list looks through a reference. It either starts at an entry of the list and reads its references, or at the entries referred to
 * and reads who refers to them. Subqueries with OFFSET 0 are not turned into joins of whole tables.
 */

/** Entries referred to of which the referrers are looked up, even if the list has fewer entries. */
const MIN_REFERRED = 5_000;

/** SQL for the number of entries referred to up to which looking up their referrers costs less than testing the entries of the list. */
export function maxReferred(): string {
  return `greatest(${MIN_REFERRED}, ${counterOfType('drafts + published')})`;
}

/** SQL that is true if the reference in one of the index rows `v` leads to an entry `r.id` that passes a test, and null otherwise. */
export function referenceTest(rows: string, tests: readonly string[]): string {
  // The length excludes the keys of a field that is no reference any more.
  return `(SELECT true FROM entry_values v
      CROSS JOIN LATERAL (SELECT ${digitsOf('v.sort_key')} AS digits OFFSET 0) d
      CROSS JOIN LATERAL (SELECT ${uuidOf('d.digits')} AS id OFFSET 0) r
      WHERE ${rows} AND length(v.sort_key) = 30 AND (${tests.join(' OR ')}) LIMIT 1)`;
}

/** SQL that selects the IDs of the entries whose index rows `v` refer to one of the entries that `ids` selects. */
export function referrersSql(ids: string, rows: string): string {
  return `SELECT v.entry_id AS id FROM (${ids}) t
      CROSS JOIN LATERAL (SELECT uuid_send(t.id) AS bytes OFFSET 0) b
      CROSS JOIN LATERAL (SELECT ${publicIdOf('b.bytes')} AS id OFFSET 0) k
      CROSS JOIN LATERAL (SELECT v.entry_id FROM entry_values v WHERE ${rows} AND v.sort_key = k.id OFFSET 0) v`;
}
