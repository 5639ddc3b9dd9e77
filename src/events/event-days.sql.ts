import { statement } from '../database/statement.js';
import type { EventType } from '../rooms/room.js';

/** How long the numbers of days are kept: a year, and today. */
export const DAYS_KEPT = 366;

/** SQL that counts the events of the common table expression `events` by their days in UTC. */
export function countDays<const Events extends string>(events: Events) {
  return `days AS (
      INSERT INTO event_days AS d (tenant_id, day, type, events)
      SELECT :tenantId, (occurred_at AT TIME ZONE 'UTC')::date AS day, type, count(*) FROM ${events} GROUP BY day, type
      ON CONFLICT (tenant_id, day, type) DO UPDATE SET events = d.events + excluded.events
    )` as const;
}

/** Returns the number of events of each day since `since` (`YYYY-MM-DD`) and type. Days without events are missing. */
export const EVENTS_BY_DAY = statement<
  { since: string; types: readonly EventType[] },
  { date: string; type: EventType; events: number }
>()(
  'event_days.since',
  `SELECT day::text AS date, type, events FROM event_days
    WHERE tenant_id = :tenantId AND day >= :since::date AND type = ANY (:types::text[])`,
);

export const PRUNE_DAYS = statement<{ kept: number }, never>()(
  'event_days.prune',
  `DELETE FROM event_days WHERE tenant_id = :tenantId AND day < (now() AT TIME ZONE 'UTC')::date - :kept::int`,
);
