import { defineRoom } from '../rooms/room.js';

/** Requests with an `Idempotency-Key`: the answers that are kept for them. */
export const idempotency = defineRoom({
  name: 'idempotency',
  tables: () => import('./idempotency.tables.js'),
  module: async () => (await import('./idempotency.module.js')).IdempotencyModule,
});

declare module '../rooms/room.js' {
  interface DeclaredRooms {
    idempotency: typeof idempotency;
  }
}
