import { defineModule } from 'trivet/modules/module-manifest.js';

const redirect = async () => (await import('./redirects.dto.js')).RedirectDto;

/** Redirect rules of websites. */
export const redirects = defineModule({
  name: 'redirects',
  area: 'redirects',
  ids: { rdr: 'redirect' },
  events: {
    'redirect.created': { description: 'A redirect was created.', data: redirect },
    'redirect.updated': { description: 'A redirect was changed.', data: redirect },
    'redirect.deleted': { description: 'A redirect was deleted.', data: redirect },
  },
  tags: [
    {
      name: 'Redirects',
      description:
        'A redirect says that a path of a website has moved. The website asks for the redirect of a path that it ' +
        'does not know, and sends its visitor to the target.',
    },
  ],
  fieldTypes: async () => ({ content: { path: (await import('./path.field.js')).path } }),
  tables: () => import('./redirects.tables.js'),
  module: async () => (await import('./redirects.module.js')).RedirectsModule,
});

declare module 'trivet/modules/module-manifest.js' {
  interface DeclaredModules {
    redirects: typeof redirects;
  }
}
