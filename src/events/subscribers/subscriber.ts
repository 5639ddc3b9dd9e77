import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import type { EventType } from '../../modules/module-manifest.js';

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

/** An event about a resource, by the UUIDs of both. */
export interface EventAbout {
  id: string;
  resourceId: string;
}

/** What every subscriber does with events. It receives each event at least once, in the order of the feed. */
interface Subscriber {
  /** Identifies the subscriber in the database and in the log: lower-case letters, digits, `-` and `_`. It must never change. */
  readonly name: string;

  /** Writes the subscriber's own rows in the given transaction and has no other effects. A repeated event must not change anything. */
  accept(transaction: Transaction, tenantId: string, events: readonly RelayedEvent[]): Promise<void>;

  /** Called after the commit, to wake the worker that processes the rows. The call may be lost; the rows remain. */
  committed?(tenantId: string): void;

  /** Returns the oldest event that the subscriber's unfinished work still reads. Retention keeps it and all newer events. */
  oldestNeeded?(tenantId: string): Promise<string | undefined>;

  /** Returns the IDs of those of the events, at most 1,000, for which the subscriber still has work to do. */
  unfinished?(tenantId: string, events: readonly EventAbout[]): Promise<readonly string[]>;

  /**
   * Cancels the work about resources that no attempt has begun, in the transaction after which it must not be done. What was done is not
   * called back.
   */
  cancel?(transaction: Transaction, tenantId: string, resourceIds: readonly string[]): Promise<void>;

  /**
   * Deletes finished rows whose UUID (version 7) is below `before`, which are older than `EVENT_RETENTION`. It may leave some of them,
   * because it is called again.
   */
  prune?(tenantId: string, before: string): Promise<void>;
}

/** Where a subscriber that the database does not know yet begins: at the events of this moment, or at the oldest one that is kept. */
export type StartsFrom = 'now' | 'oldest';

/**
 * A component that must not miss an event. It has a position of its own in the feed of each tenant, which the database stores and moves in
 * the transaction of `accept`. Only some processes need to have it: its events wait for them. An error in `accept` holds back the later
 * events of the tenant from this subscriber only.
 */
export interface EventSubscriber extends Subscriber {
  readonly startsFrom: StartsFrom;

  /** Passes only events of these types; by default, all. */
  readonly types?: readonly EventType[];
}

/**
 * A subscriber that every process of every version has: webhooks and mail. It accepts events in the relay's transaction, before a reader
 * of the feed can see them. An error holds back the events of the tenant from all readers.
 */
export type RelaySubscriber = Subscriber;

const NAME = /^[a-z][a-z0-9_-]{0,62}$/;

/** The subscribers of this process. Each adds itself when its module is initialized. */
@Injectable()
export class Subscribers {
  private readonly withPosition: EventSubscriber[] = [];
  private readonly relayed: RelaySubscriber[] = [];

  add(subscriber: EventSubscriber): void {
    this.assertNew(subscriber);
    this.withPosition.push(subscriber);
  }

  /** Only for subscribers that are part of every process. Any other one would miss the events that other processes relay. */
  addToRelay(subscriber: RelaySubscriber): void {
    this.assertNew(subscriber);
    this.relayed.push(subscriber);
  }

  /** The subscribers that have positions of their own. */
  positioned(): readonly EventSubscriber[] {
    return this.withPosition;
  }

  inRelay(): readonly RelaySubscriber[] {
    return this.relayed;
  }

  all(): readonly Subscriber[] {
    return [...this.relayed, ...this.withPosition];
  }

  /** Cancels the work of all subscribers about resources that no attempt has begun (`Subscriber.cancel`). */
  async cancel(transaction: Transaction, tenantId: string, resourceIds: readonly string[]): Promise<void> {
    for (const subscriber of this.all()) await subscriber.cancel?.(transaction, tenantId, resourceIds);
  }

  private assertNew({ name }: Subscriber): void {
    if (!NAME.test(name)) throw new Error(`"${name}" is not a name of a subscriber: ${NAME.source}.`);
    if (this.all().some((other) => other.name === name)) throw new Error(`There are two subscribers "${name}".`);
  }
}
