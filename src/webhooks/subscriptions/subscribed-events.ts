import type { ValueError } from '../../errors/problem.js';
import { eventTypes } from '../../modules/installed-modules.js';
import type { EventType } from '../../modules/module-manifest.js';

/** Stands for all types of events, also for those that do not exist yet. */
export const EVERY_TYPE = '*';

/** What a webhook subscribes to. */
export type SubscribedType = EventType | typeof EVERY_TYPE;

/** Whether one of `subscribed` stands for the type. */
export function subscribesTo(subscribed: readonly SubscribedType[], type: SubscribedType): boolean {
  return subscribed.includes(type) || subscribed.includes(EVERY_TYPE);
}

/** Checks a list of one or more event types without duplicates. `others` are further names that it may contain. */
export function checkEventTypes(value: unknown, path: string, others: readonly string[] = []): ValueError[] {
  if (!Array.isArray(value)) return [{ path, code: 'type', message: `${path} must be a list.` }];
  if (value.length === 0) return [{ path, code: 'length', message: `${path} must contain at least one event type.` }];
  const types = value as unknown[];
  const known: readonly unknown[] = [...eventTypes(), ...others];
  // The first 100 elements suffice: a longer list contains unknown or duplicate types, which are reported for these elements.
  return types.slice(0, 100).flatMap((type, index): ValueError[] => {
    const at = `${path}.${index}`;
    if (typeof type !== 'string') return [{ path: at, code: 'type', message: `${at} must be a string.` }];
    if (!known.includes(type)) {
      return [{ path: at, code: 'options', message: `${at} must be one of ${known.join(', ')}.` }];
    }
    if (types.indexOf(type) < index) {
      return [{ path: at, code: 'duplicate', message: `${at} must not repeat ${type}.` }];
    }
    return [];
  });
}

/** The events about webhooks. The webhook that such an event is about does not receive it. */
export const WEBHOOK_EVENTS = ['webhook.failing', 'webhook.disabled'] as const satisfies readonly EventType[];

/** Whether the event is about a webhook. */
export function isAboutWebhook(type: string): boolean {
  return (WEBHOOK_EVENTS as readonly string[]).includes(type);
}
