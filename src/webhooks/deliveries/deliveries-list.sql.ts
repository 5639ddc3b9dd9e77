import { type AuditParameter, recordChange } from '../../audit/record-changes.js';
import { Bindings, type Composed } from '../../database/statements/bindings.js';
import { statement } from '../../database/statements/statement.js';
import { insert, part, write } from '../../database/statements/write.js';
import { isErased } from '../../events/feed/event-data.sql.js';
import type { DeliveryRow } from './delivery-presenter.js';
import type { DeliverableType, DeliveryStatus } from './delivery-status.js';

const COLUMNS = `d.id, d.webhook_id AS "webhookId", coalesce(d.replay_of, d.event_id) AS "eventId", d.event_id AS place, d.event_type AS "eventType", d.status,
      d.created_at AS "createdAt", d.next_attempt_at AS "nextAttemptAt", d.finished_at AS "finishedAt"`;

/** The latest attempts of the delivery `d` as the JSON that clients receive. `tenantId` is the parameter that contains the tenant's ID. */
function attemptsOf<const TenantId extends string>(tenantId: TenantId) {
  return `(SELECT coalesce(json_agg(a), '[]') FROM (
      SELECT to_char(attempted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS attempted_at,
        duration_ms, status, error, response
      FROM delivery_attempts WHERE tenant_id = ${tenantId} AND delivery_id = d.id ORDER BY id DESC LIMIT 50
    ) AS a) AS attempts` as const;
}

/** The criteria of a list of a webhook's deliveries. */
export interface DeliveryFilter {
  status: DeliveryStatus | undefined;
  type: DeliverableType | undefined;
}

/** A page of a webhook's deliveries, newest event first. `after` is the `place` of the last delivery before the page. */
export function pageOfDeliveries(
  webhookId: string,
  filter: DeliveryFilter,
  { after, limit, offset = 0 }: { after?: string; limit: number; offset?: number },
): Composed {
  const bindings = new Bindings();
  const conditions = conditionsOf(bindings, webhookId, filter);
  if (after !== undefined) conditions.push(`d.event_id < ${bindings.add(after)}`);
  const text = `SELECT ${COLUMNS}, ${attemptsOf('$1')} FROM (
      SELECT * FROM deliveries d WHERE ${conditions.join(' AND ')}
      ORDER BY d.event_id DESC LIMIT ${bindings.add(limit)} OFFSET ${bindings.add(offset)}
    ) AS d ORDER BY d.event_id DESC`;
  return { text, values: bindings.values };
}

export function countOfDeliveries(webhookId: string, filter: DeliveryFilter): Composed {
  const bindings = new Bindings();
  const conditions = conditionsOf(bindings, webhookId, filter);
  return {
    text: `SELECT count(*) AS total FROM deliveries d WHERE ${conditions.join(' AND ')}`,
    values: bindings.values,
  };
}

function conditionsOf(bindings: Bindings, webhookId: string, { status, type }: DeliveryFilter): string[] {
  const conditions = ['d.tenant_id = $1', `d.webhook_id = ${bindings.add(webhookId)}`];
  // The status is a literal, because the planner uses a partial index only for a constant.
  if (status !== undefined) conditions.push(`d.status = '${status}'`);
  if (type !== undefined) conditions.push(`d.event_type = ${bindings.add(type)}`);
  return conditions;
}

/** True if the event of the delivery `d` still exists, and was not erased. */
const HAS_EVENT =
  `(SELECT true FROM events e WHERE e.tenant_id = :tenantId AND e.id = coalesce(d.replay_of, d.event_id) AND NOT ${isErased('e')} LIMIT 1)` as const;

/** Returns no row if the delivery or its event does not exist. A running attempt remains the only one. The delivery leaves its chain. */
export const REDELIVER = write<AuditParameter & { webhookId: string; deliveryId: string }, DeliveryRow>()(
  'deliveries.redeliver',
  [
    part(
      'delivery',
      `UPDATE deliveries d SET status = 'pending', attempts = 0, next_attempt_at = now(), finished_at = NULL, resource = NULL, turn = NULL
    WHERE d.tenant_id = :tenantId AND d.webhook_id = :webhookId AND d.id = :deliveryId
      AND ${HAS_EVENT}
    RETURNING ${COLUMNS}, ${attemptsOf(':tenantId')}`,
    ),
    recordChange('delivery'),
  ],
  { columns: '*', of: 'delivery' },
);

export const FIND_DELIVERY = statement<{ webhookId: string; deliveryId: string }, { type: DeliverableType }>()(
  'deliveries.find',
  `SELECT event_type AS type FROM deliveries
    WHERE tenant_id = :tenantId AND webhook_id = :webhookId AND id = :deliveryId`,
);

interface Failures {
  webhookId: string;
  /** The first and the last time at which the deliveries failed or were canceled. */
  since: Date;
  until: Date;
}

/** The event types of deliveries that failed or were canceled. */
export const FAILED_TYPES = statement<Failures, { type: DeliverableType }>()(
  'deliveries.failed_types',
  `SELECT DISTINCT event_type AS type FROM deliveries
    WHERE tenant_id = :tenantId AND webhook_id = :webhookId AND status IN ('failed', 'canceled')
      AND finished_at BETWEEN :since AND :until`,
);

/** Makes deliveries pending that failed or were canceled, at most 1,000 at a time. */
export const REDELIVER_FAILED = write<Failures & AuditParameter, { id: string }>()(
  'deliveries.redeliver_failed',
  [
    part(
      'redelivered',
      `UPDATE deliveries SET status = 'pending', attempts = 0, next_attempt_at = now(), finished_at = NULL, resource = NULL, turn = NULL
    WHERE tenant_id = :tenantId AND id = ANY (ARRAY(
      SELECT d.id FROM deliveries d
      WHERE d.tenant_id = :tenantId AND d.webhook_id = :webhookId AND d.status IN ('failed', 'canceled')
        AND d.finished_at BETWEEN :since AND :until
        AND ${HAS_EVENT}
      ORDER BY d.event_id LIMIT 1000 FOR UPDATE OF d SKIP LOCKED))
    RETURNING id`,
      { returns: { id: 'uuid' }, isMany: true },
    ),
    part('first', 'SELECT 1 FROM redelivered LIMIT 1', { of: 'redelivered' }),
    recordChange('first'),
  ],
  { columns: 'id', of: 'redelivered' },
);

interface TestDelivery extends AuditParameter {
  webhookId: string;
  deliveryId: string;
  eventId: string;
  type: DeliverableType;
  /** JSON text. */
  data: string;
  occurredAt: Date;
}

/** Adds an event for one webhook only, and its delivery. */
export const SEND_TEST = write<TestDelivery, DeliveryRow>()(
  'deliveries.send_test',
  [
    insert(
      'event',
      `INSERT INTO events (tenant_id, id, type, data, occurred_at)
      VALUES (:tenantId, :eventId, :type, :data, :occurredAt)`,
    ),
    insert(
      'delivery',
      `INSERT INTO deliveries AS d (tenant_id, id, webhook_id, event_id, event_type, status, attempts, next_attempt_at, created_at)
      VALUES (:tenantId, :deliveryId, :webhookId, :eventId, :type, 'pending', 0, now(), now())
      RETURNING ${COLUMNS}, '[]'::json AS attempts`,
    ),
    recordChange('delivery'),
  ],
  { columns: '*', of: 'delivery' },
);
