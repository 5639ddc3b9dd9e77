import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const TRIES = 20;
const INTERVAL_MS = 100;

/** Connections of running services. One that has no requests keeps only its watches. */
const SERVICES = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND (application_name = 'trivet' OR application_name LIKE 'trivet watch %') LIMIT 1`;

/**
 * Returns whether no service uses the database, and `isAlone` is true too. Asks for two seconds, because a process that has just ended may
 * still have sessions.
 */
export async function hasNoService(
  client: Pick<pg.ClientBase, 'query'>,
  isAlone: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    if ((await client.query(SERVICES)).rows.length === 0 && (await isAlone())) return true;
    if (tries === TRIES) return false;
    await sleep(INTERVAL_MS);
  }
}
