import { Injectable } from '@nestjs/common';
import { auditOf } from '../../audit/record-changes.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { EventRelay } from '../../events/event-relay.js';
import type { Caller } from '../../http/caller.js';
import { newUuid } from '../../ids/type-id.js';
import { SharedQueue } from '../../queues/shared-queue.js';
import type { EventType } from '../../modules/module-manifest.js';
import { assertMayReadEvents } from '../event-scopes.js';
import { nextInRange, startOf } from './replay-range.js';
import { ADD_REPLAY, type ReplayRange } from './replays.sql.js';
import { EVERY_TYPE, subscribesTo, type SubscribedType } from '../subscriptions/subscribed-events.js';
import type { WebhookFilters } from '../options/webhook-filters.js';
import { changeOfWebhook, WebhooksService } from '../webhooks.service.js';

/** Maximum number of events that a replay sends. */
const MAX_EVENTS = 100_000;
/** Maximum number of events that are looked at for a replay. */
const MAX_LOOKED = 1_000_000;
const PAGE = 5_000;
/** Maximum number of unfinished replays of a webhook. */
const MAX_REPLAYS = 10;

/** What a request for a replay asks for. */
interface ReplayRequest {
  from: Date;
  /** By default, until now. */
  to: Date | undefined;
  /** By default, all types of the webhook. */
  types: readonly EventType[] | undefined;
  /** Only counts. */
  isDry: boolean;
}

/** Sends events of the past to a webhook again. The deliveries are written by `ReplayWorker`. */
@Injectable()
export class ReplaysService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly database: Database,
    private readonly relay: EventRelay,
    private readonly queue: SharedQueue,
  ) {}

  /**
   * Returns the number of events. Throws a 403 if the key may not read them, a 409 if the webhook is inactive or has too many unfinished
   * replays, and a 422 if the range is
   * wrong or has too many events.
   */
  async replay(caller: Caller, webhookId: string, { from, to, types, isDry }: ReplayRequest): Promise<number> {
    const { tenantId } = caller;
    if (to && to < from) {
      throw Problem.invalid([{ path: 'to', code: 'range', message: 'to must not be before from.' }]);
    }
    const webhook = await this.webhooks.get(caller, webhookId);
    if (!webhook.active) throw new Problem('conflict', 'The webhook is inactive. Set active to true first.');
    const range = { types: typesOf(webhook.events, types), since: from, until: earlier(to, new Date()) };
    assertMayReadEvents(caller, range.types);
    // An event that was not relayed yet will be delivered anyway.
    await this.relay.catchUp(tenantId);
    const remaining = await this.count(tenantId, { webhookId, ...range }, webhook.filters);
    if (remaining === 0 || isDry) return remaining;
    const added = await this.database.query(tenantId, ADD_REPLAY, {
      ...range,
      id: newUuid(),
      webhookId,
      filters: webhook.filters && JSON.stringify(webhook.filters),
      afterId: startOf(from),
      remaining,
      most: MAX_REPLAYS,
      audit: auditOf(caller, changeOfWebhook('replayed', webhookId)),
    });
    if (added.length === 0) {
      throw new Problem('conflict', `The webhook has ${MAX_REPLAYS} replays that are not finished. Wait for them.`);
    }
    this.queue.wake(tenantId);
    return remaining;
  }

  /** Counts page by page, so that no statement is long. */
  private async count(
    tenantId: string,
    range: ReplayRange & { webhookId: string },
    filters: WebhookFilters | null,
  ): Promise<number> {
    let [count, looked, afterId] = [0, 0, startOf(range.since)];
    for (;;) {
      const page = await nextInRange(this.database, tenantId, range, filters, { afterId, limit: PAGE });
      count += page.events.length;
      looked += page.looked;
      if (count > MAX_EVENTS) throw tooMany(`more than ${MAX_EVENTS} events that fit the webhook`);
      if (page.lastId === undefined || page.looked < PAGE) return count;
      if (looked >= MAX_LOOKED) throw tooMany(`more than ${MAX_LOOKED} events`);
      afterId = page.lastId;
    }
  }
}

/** The types that the webhook subscribes to, as far as the request asks for them. */
function typesOf(subscribed: readonly SubscribedType[], asked: readonly EventType[] | undefined): SubscribedType[] {
  if (!asked) return subscribed.includes(EVERY_TYPE) ? [EVERY_TYPE] : [...subscribed];
  return asked.filter((type) => subscribesTo(subscribed, type));
}

function earlier(a: Date | undefined, b: Date): Date {
  return a && a < b ? a : b;
}

function tooMany(what: string): Problem {
  const message = `The range has ${what}. Choose a shorter one.`;
  return Problem.invalid([{ path: 'from', code: 'too_many', message }]);
}
