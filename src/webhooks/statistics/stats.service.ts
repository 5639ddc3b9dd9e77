import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { Caller } from '../../http/caller.js';
import { firstUuidOf } from '../../ids/type-id.js';
import type { WebhookStatsDto } from './stats.dto.js';
import { COUNT_PENDING, DURATIONS, STATS_PAGE } from './stats.sql.js';
import { WebhooksService } from '../webhooks.service.js';

const HOUR_MS = 3_600_000;
/** Maximum number of deliveries that are counted. */
const MAX_COUNTED = 1_000_000;
const PAGE = 50_000;
/** Number of deliveries whose attempts are read for the durations. */
const SAMPLE = 2_000;
/** Pauses between attempts vary by a fifth. */
const JITTER = 1.2;

/** Reads the statistics of a webhook from its deliveries. */
@Injectable()
export class StatsService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  async read(caller: Caller, webhookId: string, hours: number): Promise<WebhookStatsDto> {
    const { tenantId } = caller;
    const { failingSince, lastFailedAt } = await this.webhooks.get(caller, webhookId);
    const now = new Date();
    const since = new Date(now.getTime() - hours * HOUR_MS);
    // A delivery may end as long after its event as its attempts take.
    const retries = this.config.webhookRetrySchedule.reduce((sum, pause) => sum + pause * JITTER, 0);
    const range = {
      webhookId,
      fromId: firstUuidOf(new Date(since.getTime() - retries - HOUR_MS)),
      beforeId: firstUuidOf(new Date(now.getTime() + HOUR_MS)),
      since,
    };
    const counted = await this.count(tenantId, range);
    const [pending] = await this.database.query(tenantId, COUNT_PENDING, { webhookId, most: MAX_COUNTED });
    const [durations] = await this.database.query(tenantId, DURATIONS, { ...range, limit: SAMPLE });
    return {
      delivered: counted.delivered,
      failed: counted.failed,
      pending: pending?.total ?? 0,
      p50_ms: durations?.p50Ms ?? null,
      p95_ms: durations?.p95Ms ?? null,
      last_success_at: counted.lastSuccessAt,
      last_failure_at: latest(
        counted.lastFailureAt,
        durations?.lastFailureAt ?? null,
        lastFailedAt?.toISOString() ?? null,
      ),
      failing_since: failingSince?.toISOString() ?? null,
    };
  }

  /** Counts page by page, so that no statement is long. */
  private async count(tenantId: string, range: { webhookId: string; fromId: string; beforeId: string; since: Date }) {
    const total = {
      delivered: 0,
      failed: 0,
      lastSuccessAt: null as string | null,
      lastFailureAt: null as string | null,
    };
    let { beforeId } = range;
    for (let looked = 0; looked < MAX_COUNTED;) {
      const [page] = await this.database.query(tenantId, STATS_PAGE, { ...range, beforeId, limit: PAGE });
      if (!page?.lastId) break;
      total.delivered += page.delivered;
      total.failed += page.failed;
      total.lastSuccessAt = latest(total.lastSuccessAt, page.lastSuccessAt);
      total.lastFailureAt = latest(total.lastFailureAt, page.lastFailureAt);
      if (page.found < PAGE) break;
      looked += page.found;
      beforeId = page.lastId;
    }
    return total;
  }
}

/** Returns the latest of the times, which are ISO 8601 in UTC. */
function latest(...times: readonly (string | null)[]): string | null {
  return times.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null);
}
