import { defineModule } from '../modules/module-manifest.js';

/** A Model Context Protocol server for each tenant: its content in the hands of assistants. */
export const mcp = defineModule({
  name: 'mcp',
  isOn: (config) => config.mcp,
  module: async () => (await import('./mcp.module.js')).McpModule,
});

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    mcp: typeof mcp;
  }
}
