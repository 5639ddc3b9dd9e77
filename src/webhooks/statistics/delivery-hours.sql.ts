import { type NoParameters, statement } from '../../database/statements/statement.js';
import { insert, part } from '../../database/statements/write.js';

/** The parts of a write that count the deliveries that ended, among the rows of the part `settled`, which returns their `status`. */
export const COUNT_HOUR = [
  part(
    'ended',
    `SELECT count(*) AS deliveries, count(*) FILTER (WHERE status = 'failed') AS failed
      FROM settled WHERE status <> 'pending' HAVING count(*) > 0`,
    { of: 'settled', returns: { deliveries: 'bigint', failed: 'bigint' } },
  ),
  insert(
    'hours',
    `INSERT INTO delivery_hours AS h (tenant_id, hour, deliveries, failed)
      SELECT :tenantId, date_trunc('hour', now(), 'UTC'), ended.deliveries, ended.failed
      FROM ended
      ON CONFLICT (tenant_id, hour) DO UPDATE SET deliveries = h.deliveries + excluded.deliveries, failed = h.failed + excluded.failed`,
  ),
] as const;

/** SQL that deletes the numbers of hours that are older than a year. */
export const PRUNE_HOURS = `aged AS (
      DELETE FROM delivery_hours WHERE tenant_id = :tenantId AND hour < now() - interval '366 days'
    )` as const;

/** The deliveries that ended in this hour and the 23 hours before it. */
export const DELIVERIES_OF_24_HOURS = statement<NoParameters, { deliveries: number }>()(
  'delivery_hours.of_24_hours',
  `SELECT coalesce(sum(deliveries), 0)::bigint AS deliveries FROM delivery_hours
    WHERE tenant_id = :tenantId AND hour > now() - interval '24 hours'`,
);

/** The deliveries that ended on each day in UTC since `since` (`YYYY-MM-DD`), and how many of them failed. Days without deliveries are missing. */
export const DELIVERIES_BY_DAY = statement<{ since: string }, { date: string; deliveries: number; failed: number }>()(
  'delivery_hours.by_day',
  `SELECT (hour AT TIME ZONE 'UTC')::date::text AS date, sum(deliveries)::bigint AS deliveries, sum(failed)::bigint AS failed
    FROM delivery_hours WHERE tenant_id = :tenantId AND hour >= :since::timestamp AT TIME ZONE 'UTC' GROUP BY date`,
);
