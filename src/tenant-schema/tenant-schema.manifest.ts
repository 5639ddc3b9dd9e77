import { defineModule } from '../modules/module-manifest.js';

/** The schema of a tenant as one document, which programs compare and apply. */
export const tenantSchema = defineModule({
  name: 'tenant-schema',
  tags: [
    {
      name: 'Schema',
      guide: 'how-to/use/schema-in-git',
      description:
        'The schema of a tenant is its locales, content types, forms and webhooks, as one document without IDs and secrets. A document is compared with ' +
        'the tenant, which gives a plan, and applied in one transaction. The command line does so with files.',
    },
  ],
  module: async () => (await import('./tenant-schema.module.js')).TenantSchemaModule,
});

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    'tenant-schema': typeof tenantSchema;
  }
}
