import { defineModule } from '../modules/module-manifest.js';

/** The audit log: who changed what over the API. */
export const audit = defineModule({
  name: 'audit',
  area: 'audit',
  rights: ['read'],
  ids: { aud: 'audit record' },
  tags: [
    {
      name: 'Audit',
      guide: 'reference/audit',
      description:
        'The audit log has a record for each resource that was changed over the API: who changed it, when, and which of its properties. ' +
        'A record is written in the commit of its change, so there is no change without a record and no record without a change. It holds ' +
        'names and no values. What the service does by itself has no records: scheduled changes (setting the schedule has one), retention, ' +
        'and submissions of visitors.',
    },
  ],
  tables: () => import('./audit.tables.js'),
  module: async () => (await import('./audit.module.js')).AuditModule,
});

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    audit: typeof audit;
  }
}
