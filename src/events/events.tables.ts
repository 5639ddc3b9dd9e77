import { Event, EventCounter, EventPosition, PendingEvent } from './event.entity.js';
import { EventPositions1763000012000 } from './migrations/1763000012000-event-positions.js';

export const entities = [Event, EventCounter, EventPosition, PendingEvent];

export const migrations = [EventPositions1763000012000];
