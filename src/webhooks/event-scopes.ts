import { type Area, scopesOf } from '../access/access.js';
import type { Caller } from '../http/caller.js';
import { Problem } from '../errors/problem.js';
import type { DeliverableType } from './delivery-status.js';

/** The area of the API that returns an event's data. A test contains only the webhook. */
const AREA_OF: Record<DeliverableType, Area | undefined> = {
  'entry.created': 'content',
  'entry.updated': 'content',
  'entry.deleted': 'content',
  'entry.published': 'content',
  'media.uploaded': 'media',
  'media.deleted': 'media',
  'form.submitted': 'forms',
  'webhook.test': undefined,
};

/**
 * Throws a 403 unless the key may read the data of these events, because a key that decides where events are sent can read them there.
 * Entries require `content:read`, because they include drafts.
 */
export function assertMayRead({ scopes }: Caller, events: readonly DeliverableType[]): void {
  const areas = new Set(events.flatMap((type) => AREA_OF[type] ?? []));
  const missing = [...areas].filter((area) => !scopesOf(area, 'read').some((scope) => scopes.has(scope)));
  if (missing.length === 0) return;
  const names = missing.map((area) => `${area}:read`).join(', ');
  const noun = missing.length === 1 ? 'the scope' : 'the scopes';
  throw new Problem(
    'forbidden',
    `This API key is not allowed to read the data of these events. It lacks ${noun} ${names}.`,
  );
}
