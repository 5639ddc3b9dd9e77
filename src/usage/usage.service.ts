import { Injectable } from '@nestjs/common';
import { CONTENT_TYPES, ENTRIES } from '../content/content-usage.js';
import { Database } from '../database/database.js';
import type { NoParameters, Statement } from '../database/statements/statement.js';
import { EVENTS_BY_DAY } from '../events/event-days.sql.js';
import { EventRelay } from '../events/event-relay.js';
import { FORMS_USED, SUBMISSIONS } from '../forms/form-usage.js';
import { SPAM_BY_DAY } from '../forms/inbox/submission-statistics.sql.js';
import type { Caller } from '../http/caller.js';
import { firstUuidOf } from '../ids/type-id.js';
import { MEDIA_BYTES_USED } from '../media/media-bytes.js';
import type { EventType } from '../modules/module-manifest.js';
import type { Used } from '../tenants/limits.js';
import { MEMBERS } from '../people/members/member-usage.js';
import { Tenants } from '../tenants/tenants.js';
import { DELIVERIES_BY_DAY, DELIVERIES_OF_24_HOURS } from '../webhooks/statistics/delivery-hours.sql.js';
import { WEBHOOKS } from '../webhooks/webhook-usage.js';
import type { UsageDayDto, UsageDto } from './usage.dto.js';

const DAY_MS = 86_400_000;

type Count = Exclude<keyof UsageDayDto, 'date'>;

/** What the events of a day count for. A request that publishes or unpublishes an entry emits one of these events, too. */
const COUNTED: Readonly<Partial<Record<EventType, readonly Count[]>>> = {
  'entry.created': ['entries', 'entries_changed'],
  'entry.updated': ['entries_changed'],
  'entry.deleted': ['entries_changed'],
  'form.submitted': ['submissions'],
};
const COUNTED_TYPES = Object.keys(COUNTED) as EventType[];

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
    const first = Math.floor(now / DAY_MS) - days + 1;
    const starts = Array.from({ length: days }, (_, index) => new Date((first + index) * DAY_MS));
    const dates = starts.map((start) => start.toISOString().slice(0, 10));
    const [since = ''] = dates;
    const rows = new Map(dates.map((date) => [date, emptyDay(date)]));
    const add = (date: string, count: Count, number: number) => {
      const row = rows.get(date);
      if (row) row[count] += number;
    };
    const events = await this.database.query(tenantId, EVENTS_BY_DAY, { since, types: COUNTED_TYPES });
    for (const { date, type, events: number } of events) {
      for (const count of COUNTED[type] ?? []) add(date, count, number);
    }
    for (const { date, spam } of await this.database.query(tenantId, SPAM_BY_DAY, {
      dates,
      ids: starts.map(firstUuidOf),
    })) {
      add(date, 'spam', spam);
    }
    for (const { date, deliveries, failed } of await this.database.query(tenantId, DELIVERIES_BY_DAY, { since })) {
      add(date, 'deliveries', deliveries);
      add(date, 'failed_deliveries', failed);
    }
    return [...rows.values()];
  }
}

function emptyDay(date: string): UsageDayDto {
  return { date, entries: 0, entries_changed: 0, submissions: 0, spam: 0, deliveries: 0, failed_deliveries: 0 };
}
