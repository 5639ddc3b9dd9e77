import { statement } from '../../database/statements/statement.js';

interface PageOfDeliveries {
  webhookId: string;
  /** `event_id` of the deliveries, exclusive. */
  fromId: string;
  beforeId: string;
  since: Date;
  limit: number;
}

/** What the deliveries of a page add to the statistics. */
interface StatsPage {
  found: number;
  /** The `event_id` of the oldest delivery of the page; null if there was none. */
  lastId: string | null;
  delivered: number;
  failed: number;
  /** ISO 8601. */
  lastSuccessAt: string | null;
  lastFailureAt: string | null;
}

/** Looks at the next deliveries of a webhook, newest first, and counts those that ended at `since` or later. */
export const STATS_PAGE = statement<PageOfDeliveries, StatsPage>()(
  'stats.page',
  `WITH page AS (
      SELECT event_id, status, finished_at FROM deliveries
      WHERE tenant_id = :tenantId AND webhook_id = :webhookId AND event_id > :fromId::uuid AND event_id < :beforeId::uuid
      ORDER BY event_id DESC LIMIT :limit::integer
    )
    SELECT count(*)::integer AS found, (SELECT event_id FROM page ORDER BY event_id LIMIT 1) AS "lastId",
      (count(*) FILTER (WHERE status = 'succeeded' AND finished_at >= :since))::integer AS delivered,
      (count(*) FILTER (WHERE status = 'failed' AND finished_at >= :since))::integer AS failed,
      max(finished_at) FILTER (WHERE status = 'succeeded') AS "lastSuccessAt",
      max(finished_at) FILTER (WHERE status = 'failed') AS "lastFailureAt"
    FROM page`,
);

export const COUNT_PENDING = statement<{ webhookId: string; most: number }, { total: number }>()(
  'stats.pending',
  `SELECT count(*)::integer AS total FROM (
      SELECT 1 FROM deliveries d WHERE d.tenant_id = :tenantId AND d.webhook_id = :webhookId AND d.status = 'pending'
      ORDER BY d.next_attempt_at LIMIT :most::integer
    ) AS pending`,
);

interface Durations {
  p50Ms: number | null;
  p95Ms: number | null;
  lastFailureAt: string | null;
}

/** The durations of the attempts since a time, of the newest deliveries of a webhook. */
export const DURATIONS = statement<PageOfDeliveries, Durations>()(
  'stats.durations',
  `WITH page AS (
      SELECT id FROM deliveries
      WHERE tenant_id = :tenantId AND webhook_id = :webhookId AND event_id > :fromId::uuid AND event_id < :beforeId::uuid
        AND (attempts > 0 OR status <> 'pending')
      ORDER BY event_id DESC LIMIT :limit::integer
    )
    SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY a.duration_ms) AS "p50Ms",
      percentile_disc(0.95) WITHIN GROUP (ORDER BY a.duration_ms) AS "p95Ms",
      max(a.attempted_at) FILTER (WHERE a.error IS NOT NULL OR a.status IS NULL OR a.status NOT BETWEEN 200 AND 299) AS "lastFailureAt"
    FROM page p CROSS JOIN LATERAL (
      SELECT attempted_at, duration_ms, status, error FROM delivery_attempts
      WHERE tenant_id = :tenantId AND delivery_id = p.id ORDER BY id DESC LIMIT 10
    ) AS a WHERE a.attempted_at >= :since`,
);
