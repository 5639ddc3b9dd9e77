import { defineRoom } from '../rooms/room.js';

/** The events that other rooms record, and the feed of them. */
export const events = defineRoom({
  name: 'events',
  area: 'events',
  rights: ['read'],
  ids: { evt: 'event' },
  tags: [
    {
      name: 'Events',
      guide: 'reference/events',
      description:
        'The feed of changes can be read by cursor or as a stream. It is for consumers that poll, or that were offline.',
    },
  ],
  tables: () => import('./events.tables.js'),
  module: async () => (await import('./events.module.js')).EventsModule,
});

declare module '../rooms/room.js' {
  interface DeclaredRooms {
    events: typeof events;
  }
}
