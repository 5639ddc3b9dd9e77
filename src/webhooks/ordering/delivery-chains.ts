import type { Transaction } from '../../database/transaction.js';
import { newUuid } from '../../ids/type-id.js';
import { LOCK_WEBHOOKS } from '../deliveries/delivery-claims.sql.js';
import { ADD_ORDERED, LAST_TURNS, PROMOTE } from './ordered.sql.js';

/** A first delivery to an ordered webhook. */
export interface OrderedDelivery {
  webhookId: string;
  eventId: string;
  type: string;
  /** The public ID of the event's resource. */
  resource: string;
}

/** The pending deliveries of a resource to a webhook. */
type Chain = Pick<OrderedDelivery, 'webhookId' | 'resource'>;

const nameOf = ({ webhookId, resource }: Chain) => `${webhookId} ${resource}`;

/** Locks the webhooks until the end of the transaction. Their chains then change only here. */
export async function lockChains(transaction: Transaction, tenantId: string, ids: readonly string[]): Promise<void> {
  await transaction.query(tenantId, LOCK_WEBHOOKS, { webhookIds: [...new Set(ids)] });
}

/** Adds deliveries to the ends of their chains, in the given order. The webhooks must be locked. */
export async function addToChains(
  transaction: Transaction,
  tenantId: string,
  deliveries: readonly OrderedDelivery[],
): Promise<void> {
  const last = await transaction.query(tenantId, LAST_TURNS, columnsOf(chainsOf(deliveries)));
  const turns = new Map(last.map((chain) => [nameOf(chain), chain.turn]));
  const placed = deliveries.map((delivery) => {
    const name = nameOf(delivery);
    const before = turns.get(name);
    const turn = (before ?? 0) + 1;
    turns.set(name, turn);
    return { turn, waits: before === undefined ? 0 : 1 };
  });
  await transaction.query(tenantId, ADD_ORDERED, {
    ids: deliveries.map(() => newUuid()),
    eventIds: deliveries.map(({ eventId }) => eventId),
    eventTypes: deliveries.map(({ type }) => type),
    turns: placed.map(({ turn }) => turn),
    waits: placed.map(({ waits }) => waits),
    ...columnsOf(deliveries),
  });
}

/** Makes the first delivery of each chain due. Returns whether one was not due before. The webhooks must be locked. */
export async function promote(transaction: Transaction, tenantId: string, chains: readonly Chain[]): Promise<boolean> {
  if (chains.length === 0) return false;
  return (await transaction.query(tenantId, PROMOTE, columnsOf(chainsOf(chains)))).length > 0;
}

function chainsOf(chains: readonly Chain[]): Chain[] {
  return [...new Map(chains.map((chain) => [nameOf(chain), chain])).values()];
}

function columnsOf(chains: readonly Chain[]) {
  return {
    webhookIds: chains.map(({ webhookId }) => webhookId),
    resources: chains.map(({ resource }) => resource),
  };
}
