/** Compiles one TypeScript file without looking at its types, which `npm run check -- types` does. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { threadId } from 'node:worker_threads';

/** The compiled files, by the hash of what they are compiled from. */
const CACHE = new URL('../node_modules/.cache/typescript/', import.meta.url);

const OPTIONS = {
  sourceMaps: true,
  inlineSourcesContent: false,
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'es6' },
};

/** Returns the path's JavaScript, and the URL of its source map. `path` is absolute. */
export async function compile(path) {
  const source = await readFile(path, 'utf8');
  const hash = createHash('sha1')
    .update(JSON.stringify([OPTIONS, path, source]))
    .digest('hex');
  const file = new URL(`${hash}.js`, CACHE);
  const map = new URL(`${hash}.js.map`, CACHE);
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known !== undefined) return { code: known, map };
  const { transform } = await import('@swc/core');
  const compiled = await transform(source, { filename: path, ...OPTIONS });
  await mkdir(CACHE, { recursive: true });
  await write(map, compiled.map);
  await write(file, compiled.code);
  return { code: compiled.code, map };
}

/** Another process may compile the same file, and must not read a part of it. */
async function write(file, text) {
  const draft = new URL(`${file.href}.${process.pid}.${threadId}`);
  await writeFile(draft, text);
  await rename(draft, file);
}
