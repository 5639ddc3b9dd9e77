import { defineModule } from '../modules/module-manifest.js';

/** What a tenant's API looks like with its own content types and forms, for programs. */
export const contract = defineModule({
  name: 'contract',
  tags: [
    {
      name: 'Contract',
      guide: 'reference/contract',
      description:
        'The contract describes the API with the content types and forms of the tenant, for programs: as an OpenAPI document, and the values ' +
        'of each content type as JSON Schema. It changes only with them.',
    },
  ],
  module: async () => (await import('./contract.module.js')).ContractModule,
});

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    contract: typeof contract;
  }
}
