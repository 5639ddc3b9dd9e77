import { defineRoom } from '../rooms/room.js';

/** The events that other rooms record, and the feed of them. */
export const events = defineRoom({
  name: 'events',
  area: 'events',
  rights: ['read'],
  ids: { evt: 'event' },
  tags: [{ name: 'Events', description: 'The feed of changes, for consumers that were offline or that poll.' }],
  tables: () => import('./events.tables.js'),
  module: async () => (await import('./events.module.js')).EventsModule,
});

declare module '../rooms/room.js' {
  interface DeclaredRooms {
    events: typeof events;
  }
}
