import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { EventRow, LargeEventRow } from '../../events/event-presenter.js';
import type { WorkItem } from '../../work/work-item.js';
import type { RunLimits } from '../../work/work-run.js';
import {
  CANCEL,
  CANCEL_CLAIMED,
  CLAIM,
  CLAIM_LIMITED,
  type ClaimRow,
  LOCK_WEBHOOKS,
  RELEASE,
  WEBHOOKS_WITH_DUE,
} from './delivery-claims.sql.js';
import { thinData } from './thin-payload.js';
import { stillValid } from '../secrets/webhook-secrets.js';
import type { PreviousSecret } from '../webhook.entity.js';

/** A claim lasts this much longer than the time-out of the attempt: time to begin, and to store the result. */
const LEASE_MARGIN_MS = 15_000;
const START_WITHIN_MS = 10_000;

/** A claimed delivery, with everything that an attempt needs. */
export interface ClaimedDelivery extends WorkItem {
  url: string;
  /** The resource whose deliveries wait for this one; null if none do. */
  resource: string | null;
  /** The signing secrets, encrypted. */
  secrets: readonly string[];
  /** The private key that signs, encrypted. */
  signingKey: string | null;
  /** Its own headers, encrypted. */
  headers: string | null;
  /** The version of the event's resource. */
  version: number;
  event: EventRow | LargeEventRow;
}

/** A claimed delivery whose event no longer exists. */
export type LostDelivery = Pick<ClaimedDelivery, 'id' | 'claimedUntil' | 'resource' | 'attempts'>;

/** Claims the due deliveries of webhooks, so that no other worker attempts them until the claims expire. */
@Injectable()
export class DeliveryClaims {
  private readonly leaseMs: number;
  /** `max_concurrency` of the webhooks that have one, as it was when they were last looked at. */
  private readonly limited = new Map<string, number>();

  constructor(
    private readonly database: Database,
    { webhookTimeout }: Config,
  ) {
    this.leaseMs = webhookTimeout + LEASE_MARGIN_MS;
  }

  /** Returns the webhooks of the tenant that have due deliveries, or deliveries to cancel. */
  async webhooksWithDue(tenantId: string): Promise<string[]> {
    const webhooks = await this.database.query(tenantId, WEBHOOKS_WITH_DUE, {});
    for (const { id, maxConcurrency } of webhooks) this.note(id, maxConcurrency);
    return webhooks.map(({ id }) => id);
  }

  /** A webhook with `max_concurrency` has no more claims than it may have requests, because claims are what all workers can count. */
  limitsOf(webhookId: string): RunLimits | undefined {
    const limit = this.limited.get(webhookId);
    return limit === undefined ? undefined : { concurrency: limit, minBatch: limit, maxBatch: limit };
  }

  /**
   * Claims at most `limit` due deliveries of a webhook. If it is inactive, its deliveries are canceled instead, as are those of erased events.
   * The data of events with at least `maxDataBytes` is left out.
   */
  async claim(
    tenantId: string,
    webhookId: string,
    { limit, maxDataBytes }: { limit: number; maxDataBytes: number },
  ): Promise<{ deliveries: ClaimedDelivery[]; lost: LostDelivery[] }> {
    const startBy = Date.now() + START_WITHIN_MS;
    const rows = await this.rows(tenantId, { webhookId, limit, leaseMs: this.leaseMs, maxDataBytes });
    if (rows[0]?.active === false) {
      while ((await this.database.query(tenantId, CANCEL, { webhookId })).length > 0);
    }
    const claimed = rows.filter(isClaimed);
    await this.cancel(
      tenantId,
      claimed.filter(({ isErased }) => isErased),
    );
    return {
      deliveries: claimed.flatMap((row) => (hasEvent(row) && !row.isErased ? deliveryOf(row, startBy) : [])),
      lost: claimed.filter((row) => !hasEvent(row)),
    };
  }

  /** Releases claims that were not used. */
  async release(tenantId: string, deliveries: readonly ClaimedDelivery[]): Promise<void> {
    await this.database.query(tenantId, RELEASE, claimsOf(deliveries));
  }

  private async rows(tenantId: string, claim: Parameters<typeof CLAIM.bind>[1]): Promise<ClaimRow[]> {
    const { webhookId } = claim;
    if (!this.limited.has(webhookId)) {
      const rows = await this.database.query(tenantId, CLAIM, claim);
      const [first] = rows;
      if (first) this.note(webhookId, first.maxConcurrency);
      if (!first || first.maxConcurrency === null) return rows;
    }
    return this.database.transaction(tenantId, async (transaction) => {
      await transaction.query(tenantId, LOCK_WEBHOOKS, { webhookIds: [webhookId] });
      const rows = await transaction.query(tenantId, CLAIM_LIMITED, claim);
      this.note(webhookId, rows[0]?.maxConcurrency ?? null);
      return rows;
    });
  }

  private note(webhookId: string, maxConcurrency: number | null): void {
    if (maxConcurrency === null) this.limited.delete(webhookId);
    else this.limited.set(webhookId, maxConcurrency);
  }

  private async cancel(tenantId: string, claimed: readonly ClaimedRow[]): Promise<void> {
    if (claimed.length > 0) await this.database.query(tenantId, CANCEL_CLAIMED, claimsOf(claimed));
  }
}

type ClaimedRow = ClaimRow & { id: string };
type RowWithEvent = ClaimedRow & { type: string };

function isClaimed(row: ClaimRow): row is ClaimedRow {
  return row.id !== null;
}

function hasEvent(row: ClaimedRow): row is RowWithEvent {
  return row.type !== null;
}

function claimsOf(claimed: readonly Pick<ClaimedRow, 'id' | 'claimedUntil'>[]) {
  return { ids: claimed.map(({ id }) => id), claimedUntil: claimed.map(({ claimedUntil }) => claimedUntil) };
}

function deliveryOf(row: RowWithEvent, startBy: number): ClaimedDelivery {
  const { id, eventId, type, occurredAt, attempts, claimedUntil, url, resource, signingKey, headers } = row;
  const previous = row.previousSecrets === null ? [] : stillValid(JSON.parse(row.previousSecrets) as PreviousSecret[]);
  const secrets = row.secret === null ? [] : [row.secret, ...previous.map(({ secret }) => secret)];
  const data = row.isThin && row.data !== null ? thinData(row.data) : row.data;
  const version = versionAt(type, row.version);
  const event = { id: eventId, type, occurredAt, data };
  return { id, claimedUntil, attempts, url, resource, secrets, signingKey, headers, version, startBy, event };
}

/**
 * A deletion refers to the last version, after which it comes. A resource without versions (a file, a submission) has at most two changes
 * with events: it appears, and it is deleted.
 */
function versionAt(type: string, version: number | null): number {
  return type.endsWith('.deleted') ? (version ?? 1) + 1 : (version ?? 1);
}
