import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import { statement } from '../database/statements/statement.js';

/** Resources that are forgotten, by their UUIDs, and the events about them. */
export interface Forgotten {
  resourceIds: readonly string[];
  eventIds: readonly string[];
}

/** What erasers have removed, by their names. */
export type Erased = Record<string, number>;

/** Removes what a module holds of resources and events. */
export interface Eraser {
  /** What it removes, in the plural. */
  readonly name: string;

  /** Returns the number of what it has removed. */
  erase(transaction: Transaction, tenantId: string, forgotten: Forgotten): Promise<number>;
}

/** The events stay in the feed, and their data is null in JSON: a missing value would mean that a version has the data. */
const ERASE = statement<{ eventIds: readonly string[] }, never>()(
  'events.erase',
  `UPDATE events SET data = 'null', resource_id = NULL, version = NULL WHERE tenant_id = :tenantId AND id = ANY (:eventIds::uuid[])`,
);

/** Removes the data of events, from the feed and from whatever subscribers made of it. Events do not know their subscribers. */
@Injectable()
export class EventErasure {
  private readonly erasers: Eraser[] = [];

  /** Must be called while modules are initialized. */
  register(eraser: Eraser): void {
    this.erasers.push(eraser);
  }

  /** Erases in the transaction that deletes the resources. */
  async erase(transaction: Transaction, tenantId: string, forgotten: Forgotten): Promise<Erased> {
    if (forgotten.eventIds.length > 0) {
      await transaction.query(tenantId, ERASE, { eventIds: forgotten.eventIds });
    }
    const erased: Erased = {};
    for (const eraser of this.erasers) {
      erased[eraser.name] = (erased[eraser.name] ?? 0) + (await eraser.erase(transaction, tenantId, forgotten));
    }
    return erased;
  }
}
