import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { forEachTenant } from '../../queues/each-tenant.js';
import { PeriodicTask } from '../../queues/periodic-task.js';
import { STORE_MEMBER_USES } from '../members/members.sql.js';
import { STORE_SESSION_USES } from './sessions.sql.js';

const MINUTE_MS = 60_000;
const EVERY_MS = 3_000;

/** A member, by the tenant and the UUID. */
interface UsedMember {
  tenantId: string;
  id: string;
}

/** Stores when sessions were used and members last seen, to the minute. Both are written at most once a minute. */
@Injectable()
export class SessionUses implements OnApplicationBootstrap, OnModuleDestroy {
  /** The sessions that were used in this process in the present minute, with the tenants. */
  private noted = new Map<string, Set<string>>();
  private notedMinute = 0;
  private sessions = new Map<string, string>();
  private members = new Map<string, Map<string, string>>();
  private readonly rounds = new PeriodicTask(EVERY_MS, () => this.store());

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  /** Stores what is left, as far as the database can be reached. */
  async onModuleDestroy(): Promise<void> {
    await this.rounds.stop();
    await this.store().catch(() => undefined);
  }

  /**
   * Part of every request in a session. `member` is whose membership is used, if the request concerns a tenant. Returns whether it is the first one
   * of the minute in this tenant, or in none.
   */
  note(sessionId: string, member?: UsedMember): boolean {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (minute !== this.notedMinute) {
      this.notedMinute = minute;
      this.noted = new Map();
    }
    const tenants = this.noted.get(sessionId);
    const tenantId = member?.tenantId ?? '';
    if (tenants?.has(tenantId)) return false;
    if (tenants) tenants.add(tenantId);
    else this.noted.set(sessionId, new Set([tenantId]));
    const time = new Date(minute * MINUTE_MS).toISOString();
    this.sessions.set(sessionId, time);
    if (member) {
      const members = this.members.get(member.tenantId) ?? new Map<string, string>();
      this.members.set(member.tenantId, members.set(member.id, time));
    }
    return true;
  }

  private async store(): Promise<void> {
    const { sessions, members } = this;
    if (sessions.size === 0) return;
    this.sessions = new Map();
    this.members = new Map();
    await this.database.withoutTenants(STORE_SESSION_USES, {
      ids: [...sessions.keys()],
      times: [...sessions.values()],
    });
    // What cannot be stored now is stored with a later use.
    await forEachTenant({ name: SessionUses.name, database: this.database }, [...members.keys()], async (tenantId) => {
      const used = members.get(tenantId)!;
      await this.database.query(tenantId, STORE_MEMBER_USES, { ids: [...used.keys()], times: [...used.values()] });
    });
  }
}
