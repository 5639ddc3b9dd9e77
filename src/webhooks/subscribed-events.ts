import type { EventType } from '../rooms/room.js';

/** Stands for all types of events, also for those that do not exist yet. */
export const EVERY_TYPE = '*';

/** What a webhook subscribes to. */
export type SubscribedType = EventType | typeof EVERY_TYPE;

/** Whether one of `subscribed` stands for the type. */
export function subscribesTo(subscribed: readonly SubscribedType[], type: SubscribedType): boolean {
  return subscribed.includes(type) || subscribed.includes(EVERY_TYPE);
}
