import { defineModule } from '../modules/module-manifest.js';

/** Requests with an `Idempotency-Key`: the answers that are kept for them. */
export const idempotency = defineModule({
  name: 'idempotency',
  tables: () => import('./idempotency.tables.js'),
  module: async () => (await import('./idempotency.module.js')).IdempotencyModule,
});

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    idempotency: typeof idempotency;
  }
}
