import { defineModule } from '../modules/module-manifest.js';

/** What a tenant has and uses, from the counters of other modules. Every key that reads something may see it. */
export const usage = defineModule({
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

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    usage: typeof usage;
  }
}
