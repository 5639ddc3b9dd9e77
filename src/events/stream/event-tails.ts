import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { outsideUnitOfWork } from '../../database/unit-of-work.js';
import { type NoParameters, serviceStatement, statement } from '../../database/statements/statement.js';
import { isPartAway } from '../../errors/database-problem.js';
import { CoalescingRunner } from '../../queues/coalescing-runner.js';
import { PeriodicTask } from '../../queues/periodic-task.js';
import { EventRecorder } from '../event-recorder.js';
import { EventRelay } from '../event-relay.js';
import { FeedPages } from './feed-pages.js';
import { TenantTail } from './tenant-tail.js';

/** How often the ends of the feeds are looked up, for events that other processes have relayed. One query finds all of them. */
const LOOK_MS = 300;
/** How long commits of a process that relays nothing are collected, as those of workers are. */
const GATHER_MS = 40;
/** Events of a tenant that are read together. */
const PAGE = 100;
/** The bytes of events that are held for all readers, and at most for those of one tenant. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_BYTES_OF_TENANT = 1024 * 1024;

/** The last position that was assigned in the tenant's feed. */
const END = statement<NoParameters, { position: string }>()(
  'events.end',
  'SELECT position::text FROM event_counters WHERE tenant_id = :tenantId',
);

/** The ends of several feeds, and whether events wait to be added to them. */
const ENDS = serviceStatement<{ ids: readonly string[] }, { tenantId: string; position: string; isPending: boolean }>()(
  'events.ends',
  `SELECT t.id AS "tenantId", coalesce((SELECT c.position FROM event_counters c WHERE c.tenant_id = t.id), 0)::text AS position,
      EXISTS (SELECT 1 FROM pending_events p WHERE p.tenant_id = t.id) AS "isPending"
    FROM tenants t WHERE t.id = ANY (:ids::text[])`,
);

/**
 * Follows the feeds of the tenants that have readers in this process. An event that this process relays is read at once, others within a
 * fraction of a second. No tail is kept, and nothing is queried, while there are no readers.
 */
@Injectable()
export class EventTails implements OnModuleInit, OnModuleDestroy {
  private readonly tails = new Map<string, TenantTail>();
  /** The ends of feeds in which events waited to be relayed at the last look. */
  private stuck = new Map<string, string>();
  private readonly gathering = new Map<string, NodeJS.Timeout>();
  private readonly reads = new CoalescingRunner(Infinity);
  private readonly ends = new CoalescingRunner(Infinity);
  /** The end of each feed when it was last asked for. */
  private readonly found = new Map<string, bigint>();
  private readonly looks = new PeriodicTask(LOOK_MS, () => this.look());
  private stopping = false;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly recorder: EventRecorder,
    private readonly relay: EventRelay,
    private readonly pages: FeedPages,
  ) {}

  onModuleInit(): void {
    this.relay.onRelayed((tenantId) => this.read(tenantId));
    if (this.config.role === 'api') this.recorder.onCommitted((tenantId) => this.gather(tenantId));
    if (this.config.role !== 'worker') this.looks.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    for (const timer of this.gathering.values()) clearTimeout(timer);
    await this.looks.stop();
  }

  /** Returns the tail of the tenant, which begins at the present end of its feed if it has no reader yet. */
  async join(tenantId: string, wake: () => void): Promise<{ tail: TenantTail; leave: () => void }> {
    let tail = this.tails.get(tenantId);
    if (!tail) {
      const end = await this.endOf(tenantId);
      // Another reader may have come meanwhile.
      tail = this.tails.get(tenantId) ?? new TenantTail(end);
      this.tails.set(tenantId, tail);
    }
    const joined = tail;
    const remove = joined.join(wake);
    const leave = () => {
      remove();
      if (joined.isUnused && this.tails.get(tenantId) === joined) this.tails.delete(tenantId);
    };
    return { tail: joined, leave };
  }

  /**
   * The end of the feed, when all events that are committed now have their positions. After a restart, many clients connect at once: they share
   * the queries.
   */
  async endOf(tenantId: string): Promise<bigint> {
    await outsideUnitOfWork(() => this.ends.run(tenantId, () => this.findEnd(tenantId)));
    return this.found.get(tenantId) ?? 0n;
  }

  private async findEnd(tenantId: string): Promise<void> {
    // A subscriber that fails must not fail the reader.
    await this.relay.catchUp(tenantId).catch(() => undefined);
    const [end] = await this.database.query(tenantId, END, {});
    this.found.set(tenantId, BigInt(end?.position ?? 0));
  }

  private gather(tenantId: string): void {
    if (this.stopping || !this.tails.has(tenantId) || this.gathering.has(tenantId)) return;
    const relay = () => {
      this.gathering.delete(tenantId);
      this.catchUp(tenantId);
    };
    this.gathering.set(tenantId, setTimeout(relay, GATHER_MS));
  }

  private catchUp(tenantId: string): void {
    // A batch calls `onRelayed`. Another process may have relayed the events, or the look after this one tries again.
    outsideUnitOfWork(() => this.relay.catchUp(tenantId)).then(
      () => this.read(tenantId),
      () => undefined,
    );
  }

  private async look(): Promise<void> {
    if (this.tails.size === 0) return;
    const ids = [...this.tails.keys()];
    const ends = await this.database.acrossTenants(ENDS, { ids }).catch((error: unknown) => {
      // The feeds on the other servers are read on.
      if (isPartAway(error)) for (const id of ids) this.catchUp(id);
      // While the database is away, the readers wait. Other tasks log it.
      return [];
    });
    const stuck = new Map<string, string>();
    for (const { tenantId, position, isPending } of ends) {
      const tail = this.tails.get(tenantId);
      if (tail && BigInt(position) > tail.position) this.read(tenantId);
      if (!isPending) continue;
      // Usually a worker is about to relay them.
      if (this.stuck.get(tenantId) === position) this.catchUp(tenantId);
      else stuck.set(tenantId, position);
    }
    this.stuck = stuck;
  }

  private read(tenantId: string): void {
    if (this.stopping || !this.tails.has(tenantId)) return;
    void outsideUnitOfWork(() => this.reads.run(tenantId, () => this.readOn(tenantId))).catch(() => undefined);
  }

  private async readOn(tenantId: string): Promise<void> {
    for (let tail = this.tails.get(tenantId); tail && !this.stopping; tail = this.tails.get(tenantId)) {
      const page = await this.pages.ofTail(tenantId, tail.position, PAGE);
      // Another tail may have taken its place meanwhile.
      if (this.tails.get(tenantId) !== tail) continue;
      tail.add(page, Math.min(MAX_BYTES_OF_TENANT, MAX_BYTES / this.tails.size));
      if (!page.isFull) return;
    }
  }
}
