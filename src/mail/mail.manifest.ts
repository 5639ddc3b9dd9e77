import { defineModule } from '../modules/module-manifest.js';

/** Emails about submissions. */
export const mail = defineModule({
  name: 'mail',
  ids: { mail: 'email' },
  tables: () => import('./mail.tables.js'),
  module: async () => (await import('./mail.module.js')).MailModule,
});

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    mail: typeof mail;
  }
}
