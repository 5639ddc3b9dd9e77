/**
 * Builds the command line into cli/dist, unless a build of the same sources is in the cache: `node scripts/cli/build.mjs`. The build holds all
 * that it imports, the client too, so that its package has no dependencies.
 */
import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { provideBuild } from '../cached-build.mjs';

const PACKAGE = resolve(import.meta.dirname, '../../cli');
const PROGRAM = 'trivet.js';

// A copy of the service without the workspace has no command line.
if (existsSync(join(PACKAGE, 'src'))) {
  await provideBuild({
    name: 'cli',
    out: join(PACKAGE, 'dist'),
    sources: ['cli/src', 'cli/package.json', 'client/src', 'client/package.json', 'scripts/cli'],
    ignore: /\.spec\.ts$/,
    mark: PROGRAM,
    make,
  });
}

async function make(folder) {
  const { build } = await import('vite');
  await build({
    root: PACKAGE,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      outDir: folder,
      emptyOutDir: true,
      ssr: 'src/trivet.ts',
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: PROGRAM, chunkFileNames: 'chunks/[name].js' } },
    },
  });
  await chmod(join(folder, PROGRAM), 0o755);
  return [];
}
