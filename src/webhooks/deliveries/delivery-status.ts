import { EVENT_TYPE } from '../../openapi/event-type.js';
import { eventTypes } from '../../modules/installed-modules.js';
import type { EventType } from '../../modules/module-manifest.js';

/**
 * `failed`: the last attempt of the schedule failed, or the receiver is gone. `canceled`: the webhook became inactive before the delivery
 * was complete.
 */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'canceled'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Sent when the tenant requests it. No webhook subscribes to it. */
export const TEST_EVENT = 'webhook.test';

export type DeliverableType = EventType | typeof TEST_EVENT;

/** The types of the events that deliveries exist for. */
export function deliverableTypes(): DeliverableType[] {
  return [...eventTypes(), TEST_EVENT];
}

/** The schema of a `DeliverableType`. */
export const DELIVERABLE_TYPE = { oneOf: [EVENT_TYPE, { type: 'string' as const, enum: [TEST_EVENT] }] };
