import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { type NoParameters, serviceStatement, statement } from '../database/statements/statement.js';
import { firstUuidOf } from '../ids/type-id.js';
import { forEachTenant } from '../queues/each-tenant.js';
import { PeriodicTask } from '../queues/periodic-task.js';
import { DAYS_KEPT, PRUNE_DAYS } from './event-days.sql.js';
import { PASSED } from './subscribers/positions.sql.js';
import { Subscribers } from './subscribers/subscriber.js';

const EVERY_MS = 60_000;
/** More versions than any resource has. */
const ALL_VERSIONS = 2_147_483_647;
/** In one round each statement runs at most this many times for a tenant. The next round deletes the rest. */
const MAX_BATCHES = 100;

const TENANTS = serviceStatement<NoParameters, { id: string }>()('events.tenants', 'SELECT id FROM tenants');

interface Prune {
  before: string;
  passed: string;
}

/** An event that was deleted. The other columns are null if it had no version, or did not exist any more. */
interface PrunedEvent {
  id: string;
  resourceId: string | null;
  version: number | null;
  isDeletion: boolean | null;
}

/**
 * Deletes events with IDs below `before` and their positions, from the beginning of the feed to the position `passed`. Looks at
 * 1,000 positions at a time. Positions and IDs grow together, as far as clocks agree.
 */
const PRUNE = statement<Prune, PrunedEvent>()(
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
      RETURNING id, type, resource_id, version
    )
    SELECT o.event_id AS id, g.resource_id AS "resourceId", g.version, g.type LIKE '%.deleted' AS "isDeletion"
    FROM old o LEFT JOIN gone g ON g.id = o.event_id`,
);

/**
 * Deletes versions that nobody needs any more, of resources whose events were deleted: up to the version of the event, all if the resource
 * is gone, otherwise those before the last `:kept`. A version that an event refers to stays.
 */
const PRUNE_VERSIONS = statement<
  { resourceIds: readonly string[]; versions: readonly number[]; goneIds: readonly string[]; kept: number },
  never
>()(
  'events.prune_versions',
  `DELETE FROM versions v USING unnest(:resourceIds::uuid[], :versions::integer[]) AS g (resource_id, version)
    WHERE v.tenant_id = :tenantId AND v.resource_id = ANY (:resourceIds::uuid[]) AND v.resource_id = g.resource_id AND v.number <= g.version
      AND (g.resource_id = ANY (:goneIds::uuid[]) OR v.number <= (
        SELECT number FROM versions WHERE tenant_id = :tenantId AND resource_id = g.resource_id
        ORDER BY number DESC OFFSET :kept LIMIT 1
      ))
      AND NOT EXISTS (SELECT FROM events WHERE tenant_id = :tenantId AND id = v.event_id)`,
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
  /** The tenants whose numbers of old days this process has removed on the day `prunedOn`. */
  private readonly prunedDays = new Set<string>();
  private prunedOn = '';
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
    const tenants = await this.database.withoutTenants(TENANTS, {});
    const work = { name: EventRetention.name, database: this.database, isStopping: () => this.stopping };
    const ids = tenants.map(({ id }) => id);
    await forEachTenant(work, ids, async (tenantId) => {
      await this.pruneTenant(tenantId, before);
      await this.pruneDays(tenantId);
    });
  }

  /** Runs once a day for each tenant. */
  private async pruneDays(tenantId: string): Promise<void> {
    const today = new Date().toISOString().slice(0, 10);
    if (today !== this.prunedOn) this.prunedDays.clear();
    this.prunedOn = today;
    if (this.prunedDays.has(tenantId)) return;
    await this.database.query(tenantId, PRUNE_DAYS, { kept: DAYS_KEPT });
    this.prunedDays.add(tenantId);
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
    await this.repeat(() => this.pruneEvents(tenantId, { before: oldest, passed }));
    await this.repeat(() => this.database.query(tenantId, PRUNE_TESTS, { before: oldest }));
  }

  /** Versions go with the last event that needs them, in the same transaction. No writer waits for this. */
  private async pruneEvents(tenantId: string, limits: Prune): Promise<PrunedEvent[]> {
    const kept = this.config.versionsKept;
    return this.database.transaction(tenantId, async (transaction) => {
      const pruned = await transaction.query(tenantId, PRUNE, limits);
      const last = lastVersions(pruned);
      if (last.length > 0) {
        await transaction.query(tenantId, PRUNE_VERSIONS, {
          resourceIds: last.map(({ resourceId }) => resourceId),
          versions: last.map(({ version }) => version),
          goneIds: last.filter(({ isDeletion }) => isDeletion).map(({ resourceId }) => resourceId),
          kept: kept === 0 ? ALL_VERSIONS : kept,
        });
      }
      return pruned;
    });
  }

  /** Runs the statement until it deletes nothing, at most `MAX_BATCHES` times. */
  private async repeat(prune: () => Promise<unknown[]>): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES && !this.stopping; batch++) {
      if ((await prune()).length === 0) return;
    }
  }
}

/** The last version of each resource among the events. */
function lastVersions(events: readonly PrunedEvent[]) {
  const last = new Map<string, { resourceId: string; version: number; isDeletion: boolean }>();
  for (const { resourceId, version, isDeletion } of events) {
    if (resourceId === null || version === null) continue;
    const known = last.get(resourceId);
    const isGone = isDeletion === true || known?.isDeletion === true;
    last.set(resourceId, { resourceId, version: Math.max(version, known?.version ?? 0), isDeletion: isGone });
  }
  return [...last.values()];
}
