import type { Statement } from '../database/database.js';

/** The statements behind the endpoints of deliveries. `$1` is the tenant, `$2` the webhook. */

const COLUMNS = `d.id, d.webhook_id, d.event_id, d.event_type, d.status, d.created_at, d.next_attempt_at, d.finished_at`;

/** The latest attempts of the delivery `d` as JSON. */
const ATTEMPTS = `(SELECT coalesce(json_agg(a), '[]') FROM (
    SELECT to_char(attempted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS attempted_at,
      duration_ms, status, error, response
    FROM delivery_attempts WHERE tenant_id = $1 AND delivery_id = d.id ORDER BY id DESC LIMIT 50
  ) AS a) AS attempts`;

/** Which of a webhook's deliveries a list is about. */
export interface DeliveryFilter {
  status?: string;
  type?: string;
}

/** A page, newest event first, and the values of its parameters after the tenant. */
export function pageOfDeliveries(
  webhookId: string,
  filter: DeliveryFilter,
  page: { after?: string; limit: number; offset: number },
): { statement: Statement; values: (string | number)[] } {
  const { where, values, name } = condition(webhookId, filter);
  const bind = (value: string | number) => `$${values.push(value) + 1}`;
  const after = page.after === undefined ? '' : ` AND d.event_id < ${bind(page.after)}`;
  const text = `SELECT ${COLUMNS}, ${ATTEMPTS} FROM (
      SELECT ${COLUMNS} FROM deliveries d WHERE ${where}${after}
      ORDER BY d.event_id DESC LIMIT ${bind(page.limit)} OFFSET ${bind(page.offset)}
    ) AS d ORDER BY d.event_id DESC`;
  return { statement: { name: `deliveries.page${name}${after && '.after'}`, text }, values };
}

export function countOfDeliveries(
  webhookId: string,
  filter: DeliveryFilter,
): { statement: Statement; values: (string | number)[] } {
  const { where, values, name } = condition(webhookId, filter);
  const text = `SELECT count(*) AS total FROM deliveries d WHERE ${where}`;
  return { statement: { name: `deliveries.count${name}`, text }, values };
}

function condition(webhookId: string, { status, type }: DeliveryFilter) {
  const values: (string | number)[] = [webhookId];
  let where = 'd.tenant_id = $1 AND d.webhook_id = $2';
  let name = '';
  if (status !== undefined) {
    // Spelled out, so that the planner finds the partial indexes; it is one of ours.
    where += ` AND d.status = '${status}'`;
    name += `.${status}`;
  }
  if (type !== undefined) {
    values.push(type);
    where += ` AND d.event_type = $${values.length + 1}`;
    name += '.type';
  }
  return { where, values, name };
}

/** Whether the event of the delivery `d` is still kept. */
const HAS_EVENT = `(SELECT true FROM events e WHERE e.tenant_id = $1 AND e.id = d.event_id LIMIT 1)`;

/** No row when the delivery is not there or its event is no longer kept. An attempt under way stays the only one. */
export const REDELIVER = {
  name: 'deliveries.redeliver',
  text: `UPDATE deliveries d SET status = 'pending', attempts = 0, next_attempt_at = now(), finished_at = NULL
    WHERE d.tenant_id = $1 AND d.webhook_id = $2 AND d.id = $3
      AND ${HAS_EVENT}
    RETURNING ${COLUMNS}, ${ATTEMPTS}`,
};

export const FIND_DELIVERY = {
  name: 'deliveries.find',
  text: `SELECT event_type AS type FROM deliveries WHERE tenant_id = $1 AND webhook_id = $2 AND id = $3`,
};

/** The types of what failed from `$3` to `$4`. */
export const FAILED_TYPES = {
  name: 'deliveries.failed_types',
  text: `SELECT DISTINCT event_type AS type FROM deliveries
    WHERE tenant_id = $1 AND webhook_id = $2 AND status IN ('failed', 'canceled') AND finished_at BETWEEN $3 AND $4`,
};

/** Some of what failed from `$3` to `$4`. */
export const REDELIVER_FAILED = {
  name: 'deliveries.redeliver_failed',
  text: `UPDATE deliveries SET status = 'pending', attempts = 0, next_attempt_at = now(), finished_at = NULL
    WHERE tenant_id = $1 AND id = ANY (ARRAY(
      SELECT d.id FROM deliveries d
      WHERE d.tenant_id = $1 AND d.webhook_id = $2 AND d.status IN ('failed', 'canceled') AND d.finished_at BETWEEN $3 AND $4
        AND ${HAS_EVENT}
      ORDER BY d.event_id LIMIT 1000 FOR UPDATE OF d SKIP LOCKED))
    RETURNING id`,
};

/** An event for one webhook alone, and its delivery. */
export const SEND_TEST = {
  name: 'deliveries.send_test',
  text: `WITH event AS (
      INSERT INTO events (tenant_id, id, type, data, occurred_at) VALUES ($1, $4, $5, $6, $7)
    )
    INSERT INTO deliveries AS d
      (tenant_id, id, webhook_id, event_id, event_type, status, attempts, next_attempt_at, created_at)
    VALUES ($1, $3, $2, $4, $5, 'pending', 0, now(), now())
    RETURNING ${COLUMNS}, '[]'::json AS attempts`,
};
