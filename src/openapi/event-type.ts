import { eventTypes } from '../modules/installed-modules.js';

/** Refers to the schema of an event type. The types depend on the extensions, so decorators cannot list them. */
export const EVENT_TYPE = { $ref: '#/components/schemas/EventType' };

/** The schema that `EVENT_TYPE` refers to. */
export function eventTypeSchema() {
  return {
    type: 'string',
    enum: [...eventTypes()],
    description: 'The type of an event.',
    example: 'entry.published',
  };
}
