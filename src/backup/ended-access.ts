import type pg from 'pg';
import type { Manifest } from './manifest.js';

/**
 * What let people in when the backup was taken. It may have ended since: a session that was signed out, a link that was used or replaced. The
 * emails that wait contain such links.
 */
const ENDED = [
  { table: 'sessions', text: 'DELETE FROM sessions' },
  { table: 'one_time_tokens', text: 'DELETE FROM one_time_tokens' },
  {
    table: 'letters',
    text: `UPDATE letters SET status = 'canceled', content = NULL, recipient = NULL, next_attempt_at = NULL, claimed_until = NULL,
      finished_at = now() WHERE status = 'pending' AND kind IN ('invitation', 'reset')`,
  },
] as const;

/** Ends all sessions, invitations and password resets, in the transaction that has loaded the tables. */
export async function endAccess(client: pg.ClientBase, { tables }: Manifest): Promise<void> {
  for (const { table, text } of ENDED) {
    if (tables.some(({ name }) => name === table)) await client.query(text);
  }
}
