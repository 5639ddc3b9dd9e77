/** The events that a webhook can subscribe to. */
export const EVENT_TYPES = [
  'entry.created',
  'entry.updated',
  'entry.deleted',
  'entry.published',
  'media.uploaded',
  'media.deleted',
  'form.submitted',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
