import { type NoParameters, statement } from '../database/statements/statement.js';
import { insert, write } from '../database/statements/write.js';
import { EVENT_DATA, JOIN_VERSION } from '../events/feed/event-data.sql.js';
import { claimDue, hasDueStatement, workStatements } from './work.sql.js';

/** A claimed row, with its event. */
export interface WorkClaim {
  id: string;
  attempts: number;
  claimedUntil: string;
  /** Null if the event is no longer stored; so are the values below. */
  type: string | null;
  occurredAt: string;
  /** JSON text. */
  data: string;
}

/** The statements of a `WorkSubscriber` with this table. */
export function subscriberStatements(table: string) {
  const key = 'event_id';
  return {
    ...workStatements<'done'>(table, { table, key }),
    hasDue: hasDueStatement(table, { table }),
    add: write<{ ids: readonly string[] }, never>()(`${table}.add`, [
      insert(
        'added',
        `INSERT INTO ${table} (tenant_id, event_id, status, attempts, next_attempt_at, created_at)
      SELECT :tenantId, e.id, 'pending', 0, now(), now()
      FROM unnest(:ids::uuid[]) AS e (id)
      ON CONFLICT DO NOTHING`,
      ),
    ]),
    claim: statement<{ limit: number; leaseMs: number }, WorkClaim>()(
      `${table}.claim`,
      `WITH ${claimDue({ table })}
        SELECT c.event_id AS id, c.attempts, c.claimed_until AS "claimedUntil", e.type, e.occurred_at AS "occurredAt", ${EVENT_DATA} AS data
        FROM claimed c LEFT JOIN LATERAL (
          SELECT type, occurred_at, data, resource_id, version FROM events WHERE tenant_id = :tenantId AND id = c.event_id LIMIT 1
        ) AS e ON true ${JOIN_VERSION}`,
    ),
    oldestPending: statement<NoParameters, { id: string }>()(
      `${table}.oldest_pending`,
      `SELECT event_id AS id FROM ${table} WHERE tenant_id = :tenantId AND status = 'pending' ORDER BY event_id LIMIT 1`,
    ),
    pendingOf: statement<{ ids: readonly string[] }, { id: string }>()(
      `${table}.pending_of`,
      `SELECT event_id AS id FROM ${table} WHERE tenant_id = :tenantId AND event_id = ANY (:ids::uuid[]) AND status = 'pending'`,
    ),
    /** Deletes finished rows of events below the ID `before`, at most 1,000 at a time. */
    prune: statement<{ before: string }, { id: string }>()(
      `${table}.prune`,
      `DELETE FROM ${table} WHERE tenant_id = :tenantId AND event_id = ANY (ARRAY(
          SELECT event_id FROM ${table} WHERE tenant_id = :tenantId AND event_id < :before AND status <> 'pending'
          ORDER BY event_id LIMIT 1000 FOR UPDATE SKIP LOCKED
        )) RETURNING event_id AS id`,
    ),
  };
}
