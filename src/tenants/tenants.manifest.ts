import { defineModule } from '../modules/module-manifest.js';

/** The tenants of the configuration, written to their table. */
export const tenants = defineModule({
  name: 'tenants',
  tables: () => import('./tenants.tables.js'),
  module: async () => (await import('./tenants.module.js')).TenantsModule,
});

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    tenants: typeof tenants;
  }
}
