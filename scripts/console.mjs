/**
 * Builds the console into dist/console, with compressed copies of its files, unless a build of the same sources is in the cache. Fails if a page
 * is larger than the budget allows.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { provideBuild } from './cached-build.mjs';
import { checkBudget } from './console/budget.mjs';

// A test that builds has another value, with which React would be built for development.
process.env.NODE_ENV = 'production';

const ROOT = resolve(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'console');
/** What the console can fill an empty tenant with. */
const MAGAZINE = ['scripts/demo-magazine.mjs', 'scripts/demo-articles.mjs'];
/** What a compressed copy is worth making for. */
const TEXTS = /\.(html|js|css|svg|json)$/;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

// A copy of the service without the workspace has no console.
if (existsSync(join(SOURCES, 'index.html'))) {
  await provideBuild({
    name: 'console',
    out: join(ROOT, 'dist/console'),
    sources: ['console', 'scripts/console.mjs', 'scripts/console', ...MAGAZINE],
    ignore: /node_modules|\.md$/,
    mark: 'index.html',
    make,
  });
}

async function make(folder) {
  const { build } = await import('vite');
  await build({
    root: SOURCES,
    configFile: join(SOURCES, 'vite.config.mjs'),
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true },
  });
  await compressAll(folder);
  const problems = await checkBudget(folder);
  await rm(join(folder, '.vite'), { recursive: true });
  return problems;
}

async function compressAll(folder) {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    names
      .filter((name) => TEXTS.test(name) && !name.startsWith('.vite'))
      .map(async (name) => {
        const file = join(folder, name);
        const content = await readFile(file);
        await writeFile(`${file}.br`, await promisify(brotliCompress)(content, BROTLI));
        await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
      }),
  );
}
