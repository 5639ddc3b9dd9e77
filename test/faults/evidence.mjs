/** Reads the final state from PostgreSQL: rows, events and deliveries, under the IDs that the API shows. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { using } from '../../bench/postgres.mjs';
import { keyOfEvent } from './ledger.mjs';

/**
 * Counts the unfinished work. All counts are 0 when everything is done. An hour after a webhook failed, the service looks whether it still
 * fails; the scenario does not wait for that.
 */
const UNFINISHED = `SELECT
  (SELECT count(*) FROM pending_events)::int AS events,
  (SELECT count(*) FROM deliveries WHERE status = 'pending')::int AS deliveries,
  (SELECT count(*) FROM mails WHERE status = 'pending')::int AS mails,
  (SELECT count(*) FROM scheduled_jobs WHERE kind <> 'webhook_failing')::int AS schedules,
  (SELECT count(*) FROM pg_stat_activity WHERE application_name = 'trivet' AND state <> 'idle')::int AS statements`;

/** Entries store their values in versions. */
const EVENTS = `SELECT e.id, e.type, coalesce(e.data, v.data::json) AS data FROM events e
  LEFT JOIN versions v ON v.tenant_id = e.tenant_id AND v.resource_id = e.resource_id AND v.number = e.version
  WHERE e.tenant_id = $1`;

export async function unfinished(url) {
  return using(url, async (client) => (await client.query(UNFINISHED)).rows[0]);
}

/** Does what time does while no process runs: the claims of dead workers end. */
export async function expireClaims(url) {
  await using(url, async (client) => {
    for (const table of ['mails', 'deliveries'])
      await client.query(`UPDATE ${table} SET claimed_until = now() WHERE claimed_until > now()`);
  });
}

export async function gather({ url, dist, tenantId }) {
  const { formatId } = await import(pathToFileURL(join(dist, 'ids/type-id.js')).href);
  return using(url, async (client) => {
    const read = async (sql) => (await client.query(sql, [tenantId])).rows;
    const events = (await read(EVENTS)).map(({ id, type, data }) => ({
      id: formatId('evt', id),
      type,
      key: keyOfEvent({ type, data }),
    }));
    const entries = await read(`SELECT id, fields->>'title' AS title FROM entries WHERE tenant_id = $1`);
    const submissions = await read(`SELECT s.id, s.fields->>'message' AS message, f.notify_email IS NOT NULL AS notifies
      FROM submissions s JOIN forms f ON f.tenant_id = $1 AND f.id = s.form_id WHERE s.tenant_id = $1`);
    const mails = await read('SELECT submission_id, digest_id FROM mails WHERE tenant_id = $1');
    const deliveries = await read(`SELECT webhook_id, event_id, status FROM deliveries WHERE tenant_id = $1`);
    return {
      events,
      entries: new Map(entries.map(({ id, title }) => [formatId('ent', id), title])),
      submissions: submissions.map(({ id, message, notifies }) => ({ id: formatId('sub', id), message, notifies })),
      /** The email that each submission should be in. */
      mails: new Map(
        mails.map(({ submission_id, digest_id }) => [
          formatId('sub', submission_id),
          digest_id === null ? formatId('sub', submission_id) : `digest.${formatId('sub', digest_id)}`,
        ]),
      ),
      deliveries: deliveries.map(({ webhook_id, event_id, status }) => ({
        webhookId: formatId('wh', webhook_id),
        eventId: formatId('evt', event_id),
        status,
      })),
    };
  });
}
