/** Builds of workspaces: kept in a cache by the hash of what they are made of, and published in one step. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
/** Builds that the cache keeps. */
const KEPT = 4;
/** What changes every build, besides its sources. */
const ALWAYS = ['package-lock.json', 'scripts/cached-build.mjs'];

/**
 * Publishes the build of the sources in `out`, and makes it before unless it is in the cache. `sources` are files and folders below the root of
 * the project, of which files that `ignore` matches do not count. `make(folder)` builds into a folder; what it returns are reasons for which
 * the build must not be used. `mark` is the file that tells when the build was begun.
 */
export async function provideBuild({ name, out, sources, ignore, mark, make }) {
  const began = new Date();
  const cache = join(ROOT, 'node_modules/.cache', name);
  const built = join(cache, await hashOf(sources, ignore));
  if (!existsSync(built)) await makeIn(cache, built, make);
  await publish(built, { out, mark, began });
}

async function hashOf(sources, ignore) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0] ?? '');
  const files = (await Promise.all([...sources, ...ALWAYS].map(filesOf))).flat().filter((file) => !ignore?.test(file));
  for (const file of files.sort()) hash.update(`${file}\0`).update(await readFile(join(ROOT, file)));
  return hash.digest('hex').slice(0, 32);
}

/** The files of a folder, or the file itself. */
async function filesOf(source) {
  const path = join(ROOT, source);
  if (!(await stat(path)).isDirectory()) return [source];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
}

async function makeIn(cache, built, make) {
  const unfinished = `${built}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  try {
    const problems = await make(unfinished);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    await forgetOldBuilds(cache);
    await rename(unfinished, built);
  } catch (error) {
    await rm(unfinished, { recursive: true });
    console.error(error.message);
    process.exit(1);
  }
}

async function forgetOldBuilds(cache) {
  for (const name of (await readdir(cache)).slice(KEPT - 1)) {
    if (!name.includes('.')) await rm(join(cache, name), { recursive: true, force: true });
  }
}

/** Whoever uses the build sees the old one or the new one. A change during the build counts as newer than the build. */
async function publish(built, { out, mark, began }) {
  const [unfinished, old] = [`${out}.${process.pid}`, `${out}.old.${process.pid}`];
  await cp(built, unfinished, { recursive: true });
  await utimes(join(unfinished, mark), began, began);
  if (existsSync(out)) await rename(out, old);
  await rename(unfinished, out);
  await rm(old, { recursive: true, force: true });
}
