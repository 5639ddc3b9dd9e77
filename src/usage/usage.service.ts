import { Injectable } from '@nestjs/common';
import { CONTENT_TYPES, ENTRIES } from '../content/content-usage.js';
import { Database } from '../database/database.js';
import type { NoParameters, Statement } from '../database/statements/statement.js';
import { EVENTS_BY_DAY } from '../events/event-days.sql.js';
import { EventRelay } from '../events/event-relay.js';
import { FORMS_USED, SUBMISSIONS } from '../forms/form-usage.js';
import type { Caller } from '../http/caller.js';
import { MEDIA_BYTES_USED } from '../media/media-bytes.js';
import type { EventType } from '../modules/module-manifest.js';
import type { Used } from '../tenants/limits.js';
import { MEMBERS } from '../people/members/member-usage.js';
import { Tenants } from '../tenants/tenants.js';
import { DELIVERIES_BY_DAY, DELIVERIES_OF_24_HOURS } from '../webhooks/statistics/delivery-hours.sql.js';
import { WEBHOOKS } from '../webhooks/webhook-usage.js';
import type { UsageDayDto, UsageDto } from './usage.dto.js';

const DAY_MS = 86_400_000;

/** The events that say that something was added. */
const ADDED = { 'entry.created': 'entries', 'form.submitted': 'submissions' } as const satisfies Partial<
  Record<EventType, keyof UsageDayDto>
>;

/** Reads the counters of a tenant. */
@Injectable()
export class UsageService {
  constructor(
    private readonly database: Database,
    private readonly tenants: Tenants,
    private readonly relay: EventRelay,
  ) {}

  async read({ tenantId }: Caller): Promise<UsageDto> {
    const used = async (statement: Statement<NoParameters, Used>) => {
      const [row] = await this.database.query(tenantId, statement, {});
      return row?.used ?? 0;
    };
    const [ended] = await this.database.query(tenantId, DELIVERIES_OF_24_HOURS, {});
    return {
      entries: await used(ENTRIES.used),
      submissions: await used(SUBMISSIONS.used),
      media_bytes: await used(MEDIA_BYTES_USED),
      content_types: await used(CONTENT_TYPES.used),
      forms: await used(FORMS_USED),
      webhooks: await used(WEBHOOKS.used),
      users: await used(MEMBERS.used),
      deliveries_24h: ended?.deliveries ?? 0,
      limits: this.tenants.find(tenantId)?.limits ?? {},
    };
  }

  /** Returns a row for each of the last days, today last. */
  async history({ tenantId }: Caller, days: number, now = Date.now()): Promise<UsageDayDto[]> {
    // Events are counted when they are relayed.
    await this.relay.catchUp(tenantId);
    const rows = new Map<string, UsageDayDto>();
    for (let ago = days - 1; ago >= 0; ago--) {
      const date = new Date(now - ago * DAY_MS).toISOString().slice(0, 10);
      rows.set(date, { date, entries: 0, submissions: 0, deliveries: 0 });
    }
    const [since = ''] = rows.keys();
    const types = Object.keys(ADDED) as (keyof typeof ADDED)[];
    for (const { date, type, events } of await this.database.query(tenantId, EVENTS_BY_DAY, { since, types })) {
      const row = rows.get(date);
      if (row) row[ADDED[type as keyof typeof ADDED]] = events;
    }
    for (const { date, deliveries } of await this.database.query(tenantId, DELIVERIES_BY_DAY, { since })) {
      const row = rows.get(date);
      if (row) row.deliveries = deliveries;
    }
    return [...rows.values()];
  }
}
