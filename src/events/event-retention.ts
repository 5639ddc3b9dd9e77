import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database, type Statement } from '../database/database.js';
import { firstUuidOf } from '../ids/type-id.js';
import { Periodically } from '../queues/periodically.js';
import { Subscribers } from './subscriber.js';

const EVERY_MS = 60_000;
/** So many statements for each tenant and round at most; what is left is for the next. */
const MAX_BATCHES = 100;

/** Deletes some of the oldest events. Keeps the oldest pending event and everything newer. */
const PRUNE = {
  name: 'events.prune',
  text: `WITH old AS (
      SELECT e.id FROM events e WHERE e.tenant_id = $1 AND e.id < $2
        AND e.id < coalesce((SELECT event_id FROM pending_events WHERE tenant_id = $1 ORDER BY event_id LIMIT 1), $2)
      ORDER BY e.id LIMIT 1000 FOR UPDATE OF e SKIP LOCKED
    )
    DELETE FROM events WHERE tenant_id = $1 AND id = ANY (ARRAY(SELECT id FROM old)) RETURNING id`,
};

/** Deletes those of the lowest positions whose events are gone. Positions and ids grow together, as far as clocks agree. */
const PRUNE_POSITIONS = {
  name: 'events.prune_positions',
  text: `DELETE FROM event_positions WHERE tenant_id = $1 AND position = ANY (ARRAY(
      SELECT p.position FROM (
        SELECT position, event_id FROM event_positions WHERE tenant_id = $1 ORDER BY position LIMIT 1000
      ) AS p
      WHERE p.event_id < $2 AND (SELECT true FROM events e WHERE e.tenant_id = $1 AND e.id = p.event_id LIMIT 1) IS NULL
    )) RETURNING position`,
};

/** Deletes events that are older than `EVENT_RETENTION`, and what subscribers made of them. */
@Injectable()
export class EventRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly round = new Periodically(EVERY_MS, () => this.prune());
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

  /** One round over all tenants. */
  async prune(): Promise<void> {
    const before = firstUuidOf(new Date(Date.now() - this.config.eventRetention));
    const tenants = await this.database.acrossTenants<{ id: string }>('SELECT id FROM tenants');
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
    for (const statement of [PRUNE, PRUNE_POSITIONS]) await this.repeat(statement, tenantId, oldest);
  }

  /** Until nothing is left to delete, or the round has had its share. */
  private async repeat(statement: Statement, tenantId: string, oldest: string): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES && !this.stopping; batch++) {
      if ((await this.database.query(tenantId, statement, [oldest])).length === 0) return;
    }
  }
}
