import { defineRoom } from '../rooms/room.js';

/** What a tenant has and uses, from the counters of other rooms. Every key that reads something may see it. */
export const usage = defineRoom({
  name: 'usage',
  area: 'usage',
  rights: [],
  tags: [{ name: 'Usage', description: 'What the tenant has and does, and the limits that the operator has set.' }],
  module: async () => (await import('./usage.module.js')).UsageModule,
});

declare module '../rooms/room.js' {
  interface DeclaredRooms {
    usage: typeof usage;
  }
}
