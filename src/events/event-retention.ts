import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { type NoParameters, serviceStatement, type Statement, statement } from '../database/statement.js';
import { firstUuidOf } from '../ids/type-id.js';
import { PeriodicTask } from '../queues/periodic-task.js';
import { Subscribers } from './subscriber.js';

const EVERY_MS = 60_000;
/** In one round each statement runs at most this many times for a tenant. The next round deletes the rest. */
const MAX_BATCHES = 100;

const TENANTS = serviceStatement<NoParameters, { id: string }>()('events.tenants', 'SELECT id FROM tenants');

/** Deletes some of the oldest events, with IDs below `before`. Keeps the oldest pending event and all newer events. */
const PRUNE = statement<{ before: string }, { id: string }>()(
  'events.prune',
  `WITH old AS (
      SELECT e.id FROM events e WHERE e.tenant_id = :tenantId AND e.id < :before
        AND e.id < coalesce((SELECT event_id FROM pending_events WHERE tenant_id = :tenantId ORDER BY event_id LIMIT 1), :before)
      ORDER BY e.id LIMIT 1000 FOR UPDATE OF e SKIP LOCKED
    )
    DELETE FROM events WHERE tenant_id = :tenantId AND id = ANY (ARRAY(SELECT id FROM old)) RETURNING id`,
);

/** Deletes the lowest positions whose events no longer exist. Positions and IDs grow together, as far as clocks agree. */
const PRUNE_POSITIONS = statement<{ before: string }, { position: number }>()(
  'events.prune_positions',
  `DELETE FROM event_positions WHERE tenant_id = :tenantId AND position = ANY (ARRAY(
      SELECT p.position FROM (
        SELECT position, event_id FROM event_positions WHERE tenant_id = :tenantId ORDER BY position LIMIT 1000
      ) AS p
      WHERE p.event_id < :before
        AND (SELECT true FROM events e WHERE e.tenant_id = :tenantId AND e.id = p.event_id LIMIT 1) IS NULL
    )) RETURNING position`,
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
    let oldest = before;
    for (const subscriber of this.subscribers.all()) {
      await subscriber.prune?.(tenantId, before);
      const needed = await subscriber.oldestNeeded?.(tenantId);
      if (needed !== undefined && needed < oldest) oldest = needed;
    }
    for (const prune of [PRUNE, PRUNE_POSITIONS]) await this.repeat(prune, tenantId, oldest);
  }

  /** Runs the statement until it deletes nothing, at most `MAX_BATCHES` times. */
  private async repeat(prune: Statement<{ before: string }, unknown>, tenantId: string, before: string): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES && !this.stopping; batch++) {
      if ((await this.database.query(tenantId, prune, { before })).length === 0) return;
    }
  }
}
