import { defineRoom } from '../rooms/room.js';

/** Work that is due at a time. Other rooms put it and carry it out. */
export const due = defineRoom({
  name: 'due',
  tables: () => import('./due.tables.js'),
  module: async () => (await import('./due.module.js')).DueModule,
});

declare module '../rooms/room.js' {
  interface DeclaredRooms {
    due: typeof due;
  }
}
