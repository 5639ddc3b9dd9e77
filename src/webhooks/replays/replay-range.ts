import type { Executor } from '../../database/transaction.js';
import { firstUuidOf, formatId } from '../../ids/type-id.js';
import type { DeliverableType } from '../deliveries/delivery-status.js';
import { readFacts } from '../subscriptions/event-facts.js';
import { NEXT_IN_RANGE, type ReplayRange } from './replays.sql.js';
import { isAboutWebhook } from '../subscriptions/subscribed-events.js';
import { fits, type WebhookFilters } from '../options/webhook-filters.js';

/** The ID of an event is made within this time of the change. */
const SKEW_MS = 60_000;

/** An event that a replay sends. */
export interface ReplayedEvent {
  id: string;
  type: DeliverableType;
}

interface RangePage {
  /** The number of events that were looked at. */
  looked: number;
  /** The last of them; undefined if there was none. */
  lastId: string | undefined;
  events: ReplayedEvent[];
}

/** The ID after which the events of a range begin. */
export function startOf(since: Date): string {
  return firstUuidOf(new Date(since.getTime() - SKEW_MS));
}

/** Looks at the next `limit` events after an ID, and returns those that a replay sends. Reads what filters look at only if there are some. */
export async function nextInRange(
  executor: Executor,
  tenantId: string,
  { webhookId, types, since, until }: ReplayRange & { webhookId: string },
  filters: WebhookFilters | null,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<RangePage> {
  const endId = firstUuidOf(new Date(until.getTime() + SKEW_MS));
  const page = { types, since, until, afterId, endId, limit };
  const [row] = await executor.query(tenantId, NEXT_IN_RANGE, page);
  const events = (row?.ids ?? []).map((id, index) => ({ id, type: row!.types![index]! }));
  const range = { looked: row?.found ?? 0, lastId: row?.lastId ?? undefined };
  if (events.length === 0 || (filters === null && !events.some(({ type }) => isAboutWebhook(type))))
    return { ...range, events };
  const eventIds = events.map(({ id }) => id);
  const facts = await readFacts(executor, tenantId, eventIds, [filters]);
  const own = formatId('wh', webhookId);
  const isSent = ({ id, type }: ReplayedEvent) => {
    const { resource, ...others } = facts.get(id) ?? {};
    return (filters === null || fits(filters, others)) && !(isAboutWebhook(type) && resource === own);
  };
  return { ...range, events: events.filter(isSent) };
}
