import { defineRoom } from '../rooms/room.js';

/** What a tenant has and uses, from the counters of other rooms. Every key that reads something may see it. */
export const usage = defineRoom({
  name: 'usage',
  area: 'usage',
  rights: [],
  tags: [
    {
      name: 'Usage',
      guide: 'reference/usage-and-limits',
      description: 'The usage is what the tenant has stored and done. The operator can limit it.',
    },
  ],
  module: async () => (await import('./usage.module.js')).UsageModule,
});

declare module '../rooms/room.js' {
  interface DeclaredRooms {
    usage: typeof usage;
  }
}
