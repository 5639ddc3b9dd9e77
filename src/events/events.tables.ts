import { Event, EventCounter, EventDay, EventPosition, PendingEvent } from './event.entity.js';
import { EventPositions1763000012000 } from './migrations/1763000012000-event-positions.js';
import { Subscribers1763000021000 } from './migrations/1763000021000-subscribers.js';
import { Versions1763000060000 } from './migrations/1763000060000-versions.js';
import { EventDays1763000143100 } from './migrations/1763000143100-event-days.js';
import { KnownSubscriber, SubscriberPosition } from './subscriber.entity.js';
import { Version } from './version.entity.js';

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

export const migrations = [
  EventPositions1763000012000,
  Subscribers1763000021000,
  Versions1763000060000,
  EventDays1763000143100,
];
