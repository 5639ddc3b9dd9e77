import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.js';
import type { EventType } from '../rooms/room.js';

/**
 * An event that is passed to the subscribers. It has no data, which may be large: a subscriber that needs the data reads it by the event's
 * ID.
 */
export interface RelayedEvent {
  /** The UUID inside the public ID. */
  id: string;
  type: EventType;
  /** ISO 8601. */
  occurredAt: string;
}

/**
 * A component that must not miss an event, such as webhooks or mail. It receives each event at least once, in the process that relays the
 * event. The event is committed together with the rows that the subscriber writes.
 */
export interface EventSubscriber {
  readonly name: string;

  /** Writes the subscriber's own rows in the relay's transaction and has no other effects. A repeated event must not change anything. */
  accept(transaction: Transaction, tenantId: string, events: readonly RelayedEvent[]): Promise<void>;

  /** Called after the commit, to wake the worker that processes the rows. The call may be lost; the rows remain. */
  committed?(tenantId: string): void;

  /** Returns the oldest event that the subscriber's unfinished work still reads. Retention keeps it and all newer events. */
  oldestNeeded?(tenantId: string): Promise<string | undefined>;

  /**
   * Deletes finished rows whose UUID (version 7) is below `before`, which are older than `EVENT_RETENTION`. It may leave some of them,
   * because it is called again.
   */
  prune?(tenantId: string, before: string): Promise<void>;
}

/** The subscribers of events. Each adds itself when its module is initialized. */
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
