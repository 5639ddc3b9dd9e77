import { type AuditParameter, recordChange } from '../../audit/record-changes.js';
import { statement } from '../../database/statements/statement.js';
import { insert, part, write } from '../../database/statements/write.js';
import { putJob } from '../../scheduled-jobs/scheduled-jobs.sql.js';
import { isErased } from '../../events/feed/event-data.sql.js';
import { REPLAY } from '../job-kinds.js';
import { EVERY_TYPE, type SubscribedType } from '../subscriptions/subscribed-events.js';
import { type DeliverableType, TEST_EVENT } from '../deliveries/delivery-status.js';

/** Which events a replay sends. */
export interface ReplayRange {
  types: readonly SubscribedType[];
  since: Date;
  until: Date;
}

interface PageOfEvents extends ReplayRange {
  afterId: string;
  /** The ID before which the events of the range were created. */
  endId: string;
  limit: number;
}

/** Events of a range, among the next events by ID. */
interface EventsPage {
  /** The number of events that were looked at. */
  found: number;
  /** The last of them; null if there was none. */
  lastId: string | null;
  /** The IDs of those that are of the types and in the range, and their types; null if there is none. */
  ids: string[] | null;
  types: DeliverableType[] | null;
}

/** Reads only the size of the events' data, so that a page of many events is read in milliseconds. Events that were erased cannot be sent. */
export const NEXT_IN_RANGE = statement<PageOfEvents, EventsPage>()(
  'replays.next_in_range',
  `WITH page AS (
      SELECT id, type, occurred_at BETWEEN :since AND :until AND type <> '${TEST_EVENT}'
        AND ('${EVERY_TYPE}' = ANY (:types::text[]) OR type = ANY (:types::text[]))
        AND coalesce(NOT ${isErased('e')}, true) AS is_in
      FROM events e WHERE tenant_id = :tenantId AND id > :afterId::uuid AND id < :endId::uuid ORDER BY id LIMIT :limit::integer
    )
    SELECT count(*)::integer AS found, (array_agg(id ORDER BY id DESC))[1] AS "lastId",
      array_agg(id ORDER BY id) FILTER (WHERE is_in) AS ids, array_agg(type ORDER BY id) FILTER (WHERE is_in) AS types
    FROM page`,
);

interface NewReplay extends ReplayRange, AuditParameter {
  id: string;
  webhookId: string;
  /** JSON text. */
  filters: string | null;
  afterId: string;
  remaining: number;
  /** Maximum number of unfinished replays of a webhook. */
  most: number;
}

/** Adds a replay, and the work that carries it out. Returns no row if the webhook has too many. */
export const ADD_REPLAY = write<NewReplay, { id: string }>()(
  'replays.add',
  [
    part(
      'room',
      `SELECT 1 FROM webhook_replays WHERE tenant_id = :tenantId AND webhook_id = :webhookId::uuid HAVING count(*) < :most::integer`,
    ),
    insert(
      'replay',
      `INSERT INTO webhook_replays (tenant_id, id, webhook_id, types, filters, since, until, after_id, remaining)
      SELECT :tenantId, :id::uuid, :webhookId::uuid, :types::text[], :filters::text::json, :since::timestamptz, :until::timestamptz,
        :afterId::uuid, :remaining::integer
      FROM room
      RETURNING id`,
      { returns: { id: 'uuid' } },
    ),
    putJob('replay', { kind: REPLAY, key: 'replay.id', at: 'now()' }),
    recordChange('replay'),
  ],
  { columns: 'id', of: 'replay' },
);

export interface ReplayRow {
  webhookId: string;
  types: SubscribedType[];
  /** JSON text of `WebhookFilters`. */
  filters: string | null;
  since: string;
  until: string;
  afterId: string;
  remaining: number;
}

/** Returns no row if the replay or its webhook does not exist, or the webhook is inactive. */
export const LOCK_REPLAY = statement<{ id: string }, ReplayRow>()(
  'replays.lock',
  `SELECT webhook_id AS "webhookId", types, filters::text, since, until, after_id AS "afterId", remaining
    FROM webhook_replays r WHERE r.tenant_id = :tenantId AND r.id = :id
      AND EXISTS (SELECT 1 FROM webhooks w WHERE w.tenant_id = :tenantId AND w.id = r.webhook_id AND w.active)
    FOR UPDATE OF r`,
);

/** Counts the due deliveries of a webhook, up to `:most`. */
export const COUNT_DUE = statement<{ webhookId: string; most: number }, { total: number }>()(
  'replays.count_due',
  `SELECT count(*)::integer AS total FROM (
      SELECT 1 FROM deliveries d WHERE d.tenant_id = :tenantId AND d.webhook_id = :webhookId
        AND d.status = 'pending' AND d.next_attempt_at <= now() ORDER BY d.next_attempt_at LIMIT :most::integer
    ) AS due`,
);

/** The ID of such a delivery is its `event_id` too, because the ID of the event is that of the first delivery. */
export const ADD_REPLAYED = write<
  { ids: readonly string[]; webhookId: string; eventIds: readonly string[]; eventTypes: readonly string[] },
  never
>()('replays.add_deliveries', [
  insert(
    'added',
    `INSERT INTO deliveries (tenant_id, id, webhook_id, event_id, replay_of, event_type, status, attempts, next_attempt_at, created_at)
      SELECT :tenantId, d.id, :webhookId::uuid, d.id, d.event_id, d.event_type, 'pending', 0, now(), now()
      FROM unnest(:ids::uuid[], :eventIds::uuid[], :eventTypes::text[]) AS d (id, event_id, event_type)`,
  ),
]);

export const ADVANCE_REPLAY = statement<{ id: string; afterId: string; remaining: number }, never>()(
  'replays.advance',
  `UPDATE webhook_replays SET after_id = :afterId::uuid, remaining = :remaining::integer
    WHERE tenant_id = :tenantId AND id = :id`,
);

export const REMOVE_REPLAY = statement<{ id: string }, never>()(
  'replays.remove',
  'DELETE FROM webhook_replays WHERE tenant_id = :tenantId AND id = :id',
);
