import { EVENT_TYPES, type EventType } from '../events/event-types.js';

/**
 * `failed`: the last attempt of the schedule failed, or the receiver is gone. `canceled`: the webhook became inactive before the delivery
 * was complete.
 */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'canceled'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Sent when the tenant requests it. No webhook subscribes to it. */
export const TEST_EVENT = 'webhook.test';

export const DELIVERABLE_TYPES = [...EVENT_TYPES, TEST_EVENT] as const;

export type DeliverableType = EventType | typeof TEST_EVENT;
