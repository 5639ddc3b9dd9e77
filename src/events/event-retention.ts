import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { type NoParameters, serviceStatement, statement } from '../database/statement.js';
import { firstUuidOf } from '../ids/type-id.js';
import { PeriodicTask } from '../queues/periodic-task.js';
import { Subscribers } from './subscriber.js';

const EVERY_MS = 60_000;
/** In one round each statement runs at most this many times for a tenant. The next round deletes the rest. */
const MAX_BATCHES = 100;

const TENANTS = serviceStatement<NoParameters, { id: string }>()('events.tenants', 'SELECT id FROM tenants');

/**
 * Returns the last position that every subscriber has passed. It is 0 if one has passed none, or if this process lacks one, because only the
 * subscriber knows which events its rows still need.
 */
const PASSED = statement<{ names: readonly string[] }, { position: string }>()(
  'events.passed',
  `SELECT coalesce(min(CASE WHEN k.name = ANY (:names) THEN coalesce((
        SELECT s.position FROM subscriber_positions s WHERE s.tenant_id = :tenantId AND s.subscriber_id = k.id
      ), 0) ELSE 0 END), 9223372036854775807)::text AS position
    FROM subscribers k`,
);

interface Prune {
  before: string;
  passed: string;
}

/**
 * Deletes events with IDs below `before` and their positions, from the beginning of the feed to the position `passed`. Looks at
 * 1,000 positions at a time. Positions and IDs grow together, as far as clocks agree.
 */
const PRUNE = statement<Prune, { id: string }>()(
  'events.prune',
  `WITH old AS (
      SELECT position, event_id FROM (
        SELECT position, event_id FROM event_positions WHERE tenant_id = :tenantId AND position <= :passed::bigint
        ORDER BY position LIMIT 1000 FOR UPDATE SKIP LOCKED
      ) AS first WHERE event_id < :before
    ), unplaced AS (
      DELETE FROM event_positions WHERE tenant_id = :tenantId AND position = ANY (ARRAY(SELECT position FROM old))
    ), gone AS (
      DELETE FROM events WHERE tenant_id = :tenantId AND id = ANY (ARRAY(SELECT event_id FROM old))
    )
    SELECT event_id AS id FROM old`,
);

/** Deletes test events, which are not in the feed, among the 1,000 oldest events. */
const PRUNE_TESTS = statement<{ before: string }, { id: string }>()(
  'events.prune_tests',
  `DELETE FROM events WHERE tenant_id = :tenantId AND id = ANY (ARRAY(
      SELECT e.id FROM (
        SELECT id, type FROM events WHERE tenant_id = :tenantId AND id < :before ORDER BY id LIMIT 1000
      ) AS e WHERE e.type = 'webhook.test'
    )) RETURNING id`,
);

/** Deletes events that are older than `EVENT_RETENTION`, and the rows that subscribers wrote for them. */
@Injectable()
export class EventRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly round = new PeriodicTask(EVERY_MS, () => this.prune());
  private stopping = false;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly subscribers: Subscribers,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role !== 'api') this.round.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    await this.round.stop();
  }

  /** Runs one round over all tenants. */
  async prune(): Promise<void> {
    const before = firstUuidOf(new Date(Date.now() - this.config.eventRetention));
    const tenants = await this.database.acrossTenants(TENANTS, {});
    for (const { id } of tenants) {
      if (this.stopping) return;
      await this.pruneTenant(id, before);
    }
  }

  private async pruneTenant(tenantId: string, before: string): Promise<void> {
    const names = this.subscribers.positioned().map(({ name }) => name);
    // Read first: what the subscribers accept from now on has later positions, and they may need it.
    const [all] = await this.database.query(tenantId, PASSED, { names });
    const passed = all?.position ?? '0';
    let oldest = before;
    for (const subscriber of this.subscribers.all()) {
      await subscriber.prune?.(tenantId, before);
      const needed = await subscriber.oldestNeeded?.(tenantId);
      if (needed !== undefined && needed < oldest) oldest = needed;
    }
    await this.repeat(() => this.database.query(tenantId, PRUNE, { before: oldest, passed }));
    await this.repeat(() => this.database.query(tenantId, PRUNE_TESTS, { before: oldest }));
  }

  /** Runs the statement until it deletes nothing, at most `MAX_BATCHES` times. */
  private async repeat(prune: () => Promise<unknown[]>): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES && !this.stopping; batch++) {
      if ((await prune()).length === 0) return;
    }
  }
}
