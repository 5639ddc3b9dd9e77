import { defineModule } from '../modules/module-manifest.js';

/** Work that is due at a time. Other modules put it and carry it out. */
export const scheduledJobs = defineModule({
  name: 'scheduled-jobs',
  tables: () => import('./scheduled-jobs.tables.js'),
  module: async () => (await import('./scheduled-jobs.module.js')).ScheduledJobsModule,
});

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    'scheduled-jobs': typeof scheduledJobs;
  }
}
