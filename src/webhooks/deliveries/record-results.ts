import type { Database } from '../../database/database.js';
import type { Executor } from '../../database/transaction.js';
import { newUuid } from '../../ids/type-id.js';
import type { Settled } from '../../work/work-item.js';
import type { LostDelivery } from './delivery-claims.js';
import { lockChains, promote } from '../ordering/delivery-chains.js';
import type { DeliveryResult } from './delivery-result.js';
import { RECORD_RESULTS } from './record-results.sql.js';

/** The result of an attempt at a delivery of the webhook `group`. */
export type SettledDelivery = Settled<LostDelivery, DeliveryResult>;

/**
 * Stores the results of attempts. If one ends a delivery of an ordered webhook, the next delivery of its resource becomes due in the same
 * commit. Returns the webhooks that have failed for too long, and whether other deliveries became due.
 */
export async function recordResults(
  database: Database,
  tenantId: string,
  results: readonly SettledDelivery[],
): Promise<{ overdue: string[]; promoted: boolean }> {
  const ended = results.flatMap(({ group, item: { resource }, result }) =>
    resource !== null && result.status !== 'pending' ? [{ webhookId: group, resource }] : [],
  );
  if (ended.length === 0) return { overdue: await record(database, tenantId, results), promoted: false };
  return database.transaction(tenantId, async (transaction) => {
    const webhookIds = results.map(({ group }) => group);
    await lockChains(transaction, tenantId, webhookIds);
    const overdue = await record(transaction, tenantId, results);
    return { overdue, promoted: await promote(transaction, tenantId, ended) };
  });
}

/** The statement's parameters are one array for each column, in the order of the deliveries' IDs. */
async function record(executor: Executor, tenantId: string, unordered: readonly SettledDelivery[]): Promise<string[]> {
  const results = [...unordered].sort((a, b) => (a.item.id < b.item.id ? -1 : 1));
  const webhooks = await executor.query(tenantId, RECORD_RESULTS, {
    deliveryIds: results.map(({ item }) => item.id),
    webhookIds: results.map(({ group }) => group),
    claimedUntil: results.map(({ item }) => item.claimedUntil),
    statuses: results.map(({ result }) => result.status),
    pausesMs: results.map(({ result }) => result.pauseMs),
    attemptIds: results.map(() => newUuid()),
    attemptedAt: results.map(({ result }) => result.at.toISOString()),
    durationsMs: results.map(({ result }) => result.durationMs),
    responseStatuses: results.map(({ result }) => result.responseStatus),
    errors: results.map(({ result }) => result.error),
    responses: results.map(({ result }) => result.response),
  });
  return webhooks.flatMap(({ id, isOverdue }) => (isOverdue ? id : []));
}
