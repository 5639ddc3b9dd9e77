import { Event, EventCounter, EventDay, EventPosition, PendingEvent } from './event.entity.js';
import { KnownSubscriber, SubscriberPosition } from './subscribers/subscriber.entity.js';
import { Version } from './version.entity.js';
import { StoredVersions1763000017100 } from './migrations/1763000017100-stored-versions.js';
import { Events1763000004000 } from './migrations/1763000004000-events.js';

export const entities = [
  Event,
  EventCounter,
  EventDay,
  EventPosition,
  PendingEvent,
  KnownSubscriber,
  SubscriberPosition,
  Version,
];

export const migrations = [Events1763000004000, StoredVersions1763000017100];
