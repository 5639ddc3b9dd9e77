import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { configuredKeys } from '../access/configured-keys.js';
import type { UsableKey } from '../access/usable-key.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { forEachTenant } from '../queues/each-tenant.js';
import { PeriodicTask } from '../queues/periodic-task.js';
import { STORE_USES } from './keys.sql.js';

const MINUTE_MS = 60_000;
const EVERY_MS = 3_000;

/** Stores when keys were last used, to the minute. A key is written at most once a minute, with the others of its tenant. */
@Injectable()
export class KeyUses implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly configured: ReadonlyMap<string, readonly string[]>;
  /** The minutes that are not stored yet, by tenant and key. */
  private pending = new Map<string, Map<string, number>>();
  private readonly rounds = new PeriodicTask(EVERY_MS, () => this.store());

  constructor(
    config: Config,
    private readonly database: Database,
  ) {
    this.configured = new Map(
      config.tenants.map((tenant) => [tenant.id, configuredKeys(tenant).map(({ id }) => id)] as const),
    );
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  /** Stores what is left, as far as the database can be reached. All at once, because the end would wait for each tenant that hangs. */
  async onModuleDestroy(): Promise<void> {
    await this.rounds.stop();
    await Promise.allSettled([...this.pending].map(([tenantId, uses]) => this.storeOf(tenantId, uses)));
  }

  /** Part of every request with a key: it must cost nothing that can be measured. */
  note(key: UsableKey): void {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (key.usedMinute === minute) return;
    key.usedMinute = minute;
    const { tenantId } = key.caller;
    const uses = this.pending.get(tenantId) ?? new Map<string, number>();
    this.pending.set(tenantId, uses.set(key.id, minute));
  }

  private async store(): Promise<void> {
    const { pending } = this;
    this.pending = new Map();
    await forEachTenant({ name: KeyUses.name, database: this.database }, [...pending.keys()], async (tenantId) => {
      await this.storeOf(tenantId, pending.get(tenantId)!);
      pending.delete(tenantId);
    });
    for (const [tenantId, uses] of pending) this.keep(tenantId, uses);
  }

  private async storeOf(tenantId: string, uses: ReadonlyMap<string, number>): Promise<void> {
    const ids = [...uses.keys()];
    const times = [...uses.values()].map((minute) => new Date(minute * MINUTE_MS).toISOString());
    await this.database.query(tenantId, STORE_USES, { ids, times, configured: this.configured.get(tenantId) ?? [] });
  }

  /** Later uses have replaced earlier ones. */
  private keep(tenantId: string, uses: ReadonlyMap<string, number>): void {
    this.pending.set(tenantId, new Map([...uses, ...(this.pending.get(tenantId) ?? [])]));
  }
}
