import type { EventType } from '../rooms/room.js';

/** The events about webhooks. The webhook that such an event is about does not receive it. */
export const WEBHOOK_EVENTS = ['webhook.failing', 'webhook.disabled'] as const satisfies readonly EventType[];

/** Whether the event is about a webhook. */
export function isAboutWebhook(type: string): boolean {
  return (WEBHOOK_EVENTS as readonly string[]).includes(type);
}
