import { defineModule } from '../modules/module-manifest.js';

/** Work that is due at a time. Other modules put it and carry it out. */
export const due = defineModule({
  name: 'due',
  tables: () => import('./due.tables.js'),
  module: async () => (await import('./due.module.js')).DueModule,
});

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    due: typeof due;
  }
}
