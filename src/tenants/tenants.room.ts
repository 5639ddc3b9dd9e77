import { defineRoom } from '../rooms/room.js';

/** The tenants of the configuration, written to their table. */
export const tenants = defineRoom({
  name: 'tenants',
  tables: () => import('./tenants.tables.js'),
  module: async () => (await import('./tenants.module.js')).TenantsModule,
});

declare module '../rooms/room.js' {
  interface DeclaredRooms {
    tenants: typeof tenants;
  }
}
