import { statement } from '../database/statements/statement.js';
import { insert, part } from '../database/statements/write.js';
import type { EventType } from '../modules/module-manifest.js';

/** How long the numbers of days are kept: a year, and today. */
export const DAYS_KEPT = 366;

/** The parts of a write that count the events of the part `events` by their days in UTC. It has their `occurred_at` and `type`. */
export function countDays<const Events extends string>(events: Events) {
  return [
    part(
      'types_of_days',
      `SELECT (occurred_at AT TIME ZONE 'UTC')::date AS day, type, count(*) AS events FROM ${events} GROUP BY day, type`,
      { of: events, returns: { day: 'date', type: 'text', events: 'bigint' }, isMany: true },
    ),
    insert(
      'days',
      `INSERT INTO event_days AS d (tenant_id, day, type, events)
      SELECT :tenantId, types_of_days.day, types_of_days.type, types_of_days.events
      FROM types_of_days
      ON CONFLICT (tenant_id, day, type) DO UPDATE SET events = d.events + excluded.events`,
    ),
  ] as const;
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
