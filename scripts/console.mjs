/**
 * Builds the console into dist/console, with compressed copies of its files, unless a build of the same sources is in the cache. Fails if a page
 * is larger than the budget allows.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { checkBudget } from './console/budget.mjs';

// A test that builds has another value, with which React would be built for development.
process.env.NODE_ENV = 'production';

const ROOT = resolve(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'console');
const OUT = join(ROOT, 'dist/console');
const CACHE = join(ROOT, 'node_modules/.cache/console');
/** Builds that the cache keeps. */
const KEPT = 4;
/** What a compressed copy is worth making for. */
const TEXTS = /\.(html|js|css|svg|json)$/;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

// A copy of the service without the workspace has no console.
if (existsSync(join(SOURCES, 'index.html'))) await provide();

async function provide() {
  const began = new Date();
  const built = join(CACHE, await hashOfSources());
  if (!existsSync(built)) await make(built);
  await publish(built, began);
}

/** Whatever changes the build: the sources, the packages, and how this file makes it. */
async function hashOfSources() {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0] ?? '');
  const names = (await readdir(SOURCES, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/node_modules|\.md$/.test(join(entry.parentPath, entry.name)))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
  for (const name of [...names, 'package-lock.json', 'scripts/console.mjs', 'scripts/console/budget.mjs'].sort()) {
    hash.update(`${name}\0`).update(await readFile(join(ROOT, name)));
  }
  return hash.digest('hex').slice(0, 32);
}

async function make(built) {
  const unfinished = `${built}.${process.pid}`;
  const { build } = await import('vite');
  await build({
    root: SOURCES,
    configFile: join(SOURCES, 'vite.config.mjs'),
    logLevel: 'warn',
    build: { outDir: unfinished, emptyOutDir: true },
  });
  await compressAll(unfinished);
  const problems = await checkBudget(unfinished);
  await rm(join(unfinished, '.vite'), { recursive: true });
  if (problems.length > 0) {
    await rm(unfinished, { recursive: true });
    for (const problem of problems) console.error(problem);
    process.exit(1);
  }
  await forgetOldBuilds();
  await rename(unfinished, built);
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

async function forgetOldBuilds() {
  await mkdir(CACHE, { recursive: true });
  for (const name of (await readdir(CACHE)).slice(KEPT - 1)) {
    if (!name.includes('.')) await rm(join(CACHE, name), { recursive: true, force: true });
  }
}

/** A service that runs sees the old build or the new one. A change during the build counts as newer than the build. */
async function publish(built, began) {
  const [unfinished, old] = [`${OUT}.${process.pid}`, `${OUT}.old.${process.pid}`];
  await cp(built, unfinished, { recursive: true });
  await utimes(join(unfinished, 'index.html'), began, began);
  if (existsSync(OUT)) await rename(OUT, old);
  await rename(unfinished, OUT);
  await rm(old, { recursive: true, force: true });
}
