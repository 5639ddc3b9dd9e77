import type { EventRow, LargeEvent } from '../events/event-presenter.js';
import type { WorkItem } from '../work/work-item.js';

/** A row of `CLAIM`. Without a delivery (`id` is null), it describes only the webhook. */
export interface ClaimRow {
  url: string;
  active: boolean;
  secret: string | null;
  previousSecret: string | null;
  id: string | null;
  eventId: string;
  attempts: number;
  claimedUntil: string;
  type: string | null;
  occurredAt: string;
  /** Null if it is too large to be read with the claim. */
  data: string | null;
}

/** A claimed delivery, with everything that an attempt needs. */
export interface ClaimedDelivery extends WorkItem {
  url: string;
  /** The signing secrets, sealed. */
  sealed: readonly string[];
  event: EventRow | LargeEvent;
}

/** Returns the delivery in a row; undefined if the row has no delivery, or its event no longer exists. */
export function claimedDelivery(row: ClaimRow, startBy: number): ClaimedDelivery | undefined {
  const { id, eventId, type, occurredAt, data, attempts, claimedUntil, url } = row;
  if (id === null || type === null) return undefined;
  const sealed = [row.secret, row.previousSecret].filter((secret) => secret !== null);
  const event = { id: eventId, type, occurredAt };
  return {
    id,
    claimedUntil,
    attempts,
    url,
    sealed,
    startBy,
    event: data === null ? { ...event, data } : { ...event, data },
  };
}
