/**
 * Builds the client into client/dist, unless a build of the same sources is in the cache: `node scripts/client/build.mjs`. Fails if an entry is
 * larger than its budget.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { provideBuild } from '../cached-build.mjs';
import { checkBudget } from './budget.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const PACKAGE = join(ROOT, 'client');

// A copy of the service without the workspace has no client.
if (existsSync(join(PACKAGE, 'src'))) {
  await provideBuild({
    name: 'client',
    out: join(PACKAGE, 'dist'),
    sources: ['client/src', 'client/package.json', 'client/tsconfig.json', 'scripts/client'],
    mark: 'index.js',
    make,
  });
}

async function make(folder) {
  await bundle(folder);
  declare(folder);
  return checkBudget(folder);
}

async function bundle(outDir) {
  const { build } = await import('vite');
  const entry = { index: 'src/index.ts', request: 'src/request/index.ts', preview: 'src/preview/index.ts' };
  await build({
    root: PACKAGE,
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      minify: false,
      lib: { entry, formats: ['es'] },
      rolldownOptions: { output: { chunkFileNames: 'chunks/[name].js' } },
    },
  });
}

function declare(outDir) {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['-p', PACKAGE, '--emitDeclarationOnly', '--incremental', 'false', '--outDir', outDir];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
}
