import type { EventRow, LargeEvent } from '../events/event-presenter.js';

/** A row of the statement that claims. Without a delivery (`id` is null), it describes the webhook only. */
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
  /** Null when it is too large to come with the claim. */
  data: string | null;
}

/** A delivery that is this worker's until `claimedUntil`. */
export interface ClaimedDelivery {
  id: string;
  claimedUntil: string;
  /** Attempts before. */
  attempts: number;
  url: string;
  /** The secrets that sign, sealed. */
  sealed: readonly string[];
  event: EventRow | LargeEvent;
  /** The process's time after which it is too late to begin: the claim could run out before the attempt has. */
  startBy: number;
}

/** The delivery in a row; undefined when there is none, or its event is gone. */
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
