import { defineModule } from '../modules/module-manifest.js';

/** The events that other modules record, and the feed of them. */
export const events = defineModule({
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

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    events: typeof events;
  }
}
