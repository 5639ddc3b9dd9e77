import { Event, EventCounter, EventPosition, PendingEvent } from './event.entity.js';
import { EventPositions1763000012000 } from './migrations/1763000012000-event-positions.js';
import { Subscribers1763000021000 } from './migrations/1763000021000-subscribers.js';
import { Versions1763000060000 } from './migrations/1763000060000-versions.js';
import { KnownSubscriber, SubscriberPosition } from './subscriber.entity.js';
import { Version } from './version.entity.js';

export const entities = [
  Event,
  EventCounter,
  EventPosition,
  PendingEvent,
  KnownSubscriber,
  SubscriberPosition,
  Version,
];

export const migrations = [EventPositions1763000012000, Subscribers1763000021000, Versions1763000060000];
