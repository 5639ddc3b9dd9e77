import type { EventRow, LargeEvent } from '../events/event-presenter.js';
import { thinData } from './thin-payload.js';
import type { WorkItem } from '../work/work-item.js';
import { stillValid } from './webhook-secrets.js';
import type { PreviousSecret } from './webhook.entity.js';

/** A row of `CLAIM`. Without a delivery (`id` is null), it describes only the webhook. */
export interface ClaimRow {
  url: string;
  active: boolean;
  maxConcurrency: number | null;
  secret: string | null;
  /** `PreviousSecret[]` as JSON. */
  previousSecrets: string | null;
  signingKey: string | null;
  headers: string | null;
  isThin: boolean;
  id: string | null;
  eventId: string;
  attempts: number;
  claimedUntil: string;
  /** The resource whose deliveries wait for this one; null if none do. */
  resource: string | null;
  type: string | null;
  occurredAt: string;
  /** The version of the event's resource; null if it has none. */
  version: number | null;
  /** Whether the data of the event was erased. */
  isErased: boolean;
  /** Null if it is too large to be read with the claim; the beginning if the webhook takes thin payloads. */
  data: string | null;
}

/** A claimed delivery, with everything that an attempt needs. */
export interface ClaimedDelivery extends WorkItem {
  url: string;
  /** The resource whose deliveries wait for this one; null if none do. */
  resource: string | null;
  /** The signing secrets, sealed. */
  sealed: readonly string[];
  /** The private key that signs, sealed. */
  signingKey: string | null;
  /** Its own headers, sealed. */
  headers: string | null;
  /** The version of the event's resource. */
  version: number;
  event: EventRow | LargeEvent;
}

/** Returns the delivery in a row; undefined if the row has no delivery, or its event no longer exists or was erased. */
export function claimedDelivery(row: ClaimRow, startBy: number): ClaimedDelivery | undefined {
  const { id, eventId, type, occurredAt, data, attempts, claimedUntil, url, signingKey, headers, version } = row;
  if (id === null || type === null || row.isErased) return undefined;
  const previous = row.previousSecrets === null ? [] : stillValid(JSON.parse(row.previousSecrets) as PreviousSecret[]);
  const sealed = row.secret === null ? [] : [row.secret, ...previous.map(({ secret }) => secret)];
  const event = { id: eventId, type, occurredAt };
  const sent = row.isThin && data !== null ? thinData(data) : data;
  return {
    id,
    claimedUntil,
    attempts,
    url,
    resource: row.resource,
    sealed,
    signingKey,
    headers,
    version: versionAt(type, version),
    startBy,
    event: sent === null ? { ...event, data: sent } : { ...event, data: sent },
  };
}

/**
 * A deletion refers to the last version, after which it comes. A resource without versions (a file, a submission) has at most two changes
 * with events: it appears, and it is deleted.
 */
function versionAt(type: string, version: number | null): number {
  return type.endsWith('.deleted') ? (version ?? 1) + 1 : (version ?? 1);
}
