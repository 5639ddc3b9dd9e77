/** `*` stands for events of all types, of later versions too. */
export const EVERY_EVENT = '*';

/** What a webhook receives, in a line. */
export function eventsInWords(events: readonly string[]): string {
  return events.includes(EVERY_EVENT) ? 'All events' : events.join(', ');
}
