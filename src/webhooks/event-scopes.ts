import { mayRead, readScopes } from '../access/may-read.js';
import type { Caller } from '../http/caller.js';
import { Problem } from '../errors/problem.js';
import { areaOfEvent } from '../modules/installed-modules.js';
import type { SubscribedType } from './subscriptions/subscribed-events.js';
import { type DeliverableType, TEST_EVENT } from './deliveries/delivery-status.js';

/**
 * Throws a 403 unless the key may read the data of these events, because a key that decides where events are sent can read them there.
 * Entries require `content:read`, because they include drafts.
 */
export function assertMayReadEvents(caller: Caller, events: readonly (DeliverableType | SubscribedType)[]): void {
  // A test contains only the webhook. The area is unknown if the extension that declares the event is off, and `*` has every area.
  const areas = new Set(events.filter((type) => type !== TEST_EVENT).map(areaOfEvent));
  const missing = [...areas].filter((area) => !mayRead(caller, { area }));
  if (missing.length === 0) return;
  const names = missing.map((area) => readScopes(area).at(-1)).join(', ');
  const noun = missing.length === 1 ? 'the scope' : 'the scopes';
  throw new Problem(
    'forbidden',
    `This API key is not allowed to read the data of these events. It lacks ${noun} ${names}.`,
  );
}
