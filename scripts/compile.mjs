/** Compiles one TypeScript file without looking at its types, which `npm run check -- types` does. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { threadId } from 'node:worker_threads';

/** The last result for each file, which ends with the hash of what it was compiled from. */
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
  const mark = `\n// ${hashOf(JSON.stringify([OPTIONS, path, source]))}`;
  const file = new URL(`${hashOf(path)}.js`, CACHE);
  const map = new URL(`${file.href}.map`);
  const known = await readFile(file, 'utf8').catch(() => '');
  if (known.endsWith(mark)) return { code: known.slice(0, -mark.length), map };
  const { transform } = await import('@swc/core');
  const compiled = await transform(source, { filename: path, ...OPTIONS });
  await mkdir(CACHE, { recursive: true });
  await write(map, compiled.map);
  await write(file, compiled.code + mark);
  return { code: compiled.code, map };
}

function hashOf(text) {
  return createHash('sha1').update(text).digest('hex');
}

/** Another process may compile the same file, and must not read a part of it. */
async function write(file, text) {
  const draft = new URL(`${file.href}.${process.pid}.${threadId}`);
  await writeFile(draft, text);
  await rename(draft, file);
}
