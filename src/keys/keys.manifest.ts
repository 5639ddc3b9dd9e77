import { defineModule } from '../modules/module-manifest.js';

/** API keys that are made over the API, and when keys were last used. */
export const keys = defineModule({
  name: 'keys',
  area: 'keys',
  rights: ['write'],
  ids: { key: 'API key' },
  tags: [
    {
      name: 'Keys',
      guide: 'reference/keys-and-scopes',
      description:
        'API keys come from the configuration of the service, or are made with another key. A key that was made over the API lives no longer ' +
        'than its maker, and a revoked key takes with it all keys that it made. The scopes `content:read`, `content:read:published`, ' +
        '`content:write` and `content:draft` may be narrowed to a content type, by its ID or slug: `content:write@post`. A key with such scopes sees nothing of ' +
        'other content types.',
    },
  ],
  tables: () => import('./keys.tables.js'),
  module: async () => (await import('./keys.module.js')).KeysModule,
});

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    keys: typeof keys;
  }
}
