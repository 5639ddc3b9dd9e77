import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.js';
import type { EventType } from './event-types.js';

/**
 * An event on its way to the subscribers. It comes without its data, which may be large: who needs that reads it by the event's id.
 */
export interface RelayedEvent {
  /** The UUID inside the public id. */
  id: string;
  type: EventType;
  /** ISO 8601. */
  occurredAt: string;
}

/**
 * Somebody who must not miss an event: webhooks, mail, a team's own. Each event is handed over at least once, by whichever process
 * relays it, and commits together with what the subscriber wrote.
 */
export interface EventSubscriber {
  readonly name: string;

  /** Writes the subscriber's own rows in the relay's transaction, so that the same event twice changes nothing. No other effects. */
  accept(transaction: Transaction, tenantId: string, events: readonly RelayedEvent[]): Promise<void>;

  /** Called after the commit, to wake whoever works on the rows. May be lost: the rows are there. */
  committed?(tenantId: string): void;

  /** The oldest event that the subscriber's unfinished work still reads; retention keeps it and what is newer. */
  oldestNeeded?(tenantId: string): Promise<string | undefined>;

  /** Deletes finished rows whose UUID (version 7) is below `before`, older than `EVENT_RETENTION`. Some will do: it is called again. */
  prune?(tenantId: string, before: string): Promise<void>;
}

/** Who is handed the events; each adds itself when its module is initialised. */
@Injectable()
export class Subscribers {
  private readonly subscribers: EventSubscriber[] = [];

  add(subscriber: EventSubscriber): void {
    this.subscribers.push(subscriber);
  }

  all(): readonly EventSubscriber[] {
    return this.subscribers;
  }
}
