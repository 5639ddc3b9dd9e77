import type pg from 'pg';
import { type NoParameters, serviceStatement, statement } from '../../database/statements/statement.js';

/** A worker marks its subscribers every minute. */
const SEEN_RECENTLY = `(seen_at IS NOT NULL AND seen_at > now() - interval '3 minutes')` as const;

interface SubscriberReport {
  name: string;
  startsFrom: string;
  /** ISO 8601; null if no worker has had the subscriber. */
  seenAt: string | null;
  isRunning: boolean;
  /** The number of tenants with events that the subscriber has not passed. */
  tenantsBehind: number;
}

const REPORT = serviceStatement<NoParameters, SubscriberReport>()(
  'subscribers.report',
  `SELECT s.name, s.starts_from AS "startsFrom", ${SEEN_RECENTLY} AS "isRunning",
      to_char(s.seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "seenAt",
      coalesce(b.tenants, 0)::integer AS "tenantsBehind"
    FROM subscribers s LEFT JOIN (
      SELECT k.id, count(*) AS tenants FROM subscribers k CROSS JOIN event_counters c
      LEFT JOIN subscriber_positions p ON p.tenant_id = c.tenant_id AND p.subscriber_id = k.id
      WHERE c.position > coalesce(p.position, 0) GROUP BY k.id
    ) AS b ON b.id = s.id ORDER BY s.name`,
);

const RETIRE = serviceStatement<{ name: string }, { id: string }>()(
  'subscribers.retire',
  `DELETE FROM subscribers WHERE name = :name AND NOT ${SEEN_RECENTLY} RETURNING id`,
);

const TENANTS_WITH_POSITION = serviceStatement<{ id: string }, { tenantId: string }>()(
  'subscribers.tenants_with_position',
  'SELECT tenant_id AS "tenantId" FROM subscriber_positions WHERE subscriber_id = :id',
);

const REMOVE_POSITION = statement<{ id: string }, never>()(
  'subscribers.remove_position',
  'DELETE FROM subscriber_positions WHERE tenant_id = :tenantId AND subscriber_id = :id',
);

/** Lists and retires subscribers over the connection of a command. */
export class Retirement {
  constructor(private readonly client: pg.ClientBase) {}

  async report(): Promise<SubscriberReport[]> {
    return (await this.client.query<SubscriberReport>(REPORT.text)).rows;
  }

  /**
   * Makes the service forget the subscriber, so that no events are kept for it any more. Returns false if it is unknown, or if a worker has
   * had it in the last three minutes. If it is added again later, it starts again as a new one.
   */
  async retire(name: string): Promise<boolean> {
    const { rows } = await this.client.query<{ id: string }>(RETIRE.text, RETIRE.bind({ name }));
    const [retired] = rows;
    if (!retired) return false;
    const { text, bind } = TENANTS_WITH_POSITION;
    const tenants = await this.client.query<{ tenantId: string }>(text, bind(retired));
    for (const { tenantId } of tenants.rows) {
      await this.client.query(REMOVE_POSITION.text, REMOVE_POSITION.bind(tenantId, retired));
    }
    return true;
  }
}
