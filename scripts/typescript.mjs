/** Lets Node run the project's TypeScript without a build, for command-line tools: `node --import ./scripts/typescript.mjs …`. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread, threadId } from 'node:worker_threads';

if (isMainThread) register(import.meta.url);

const SOURCE = new URL('../src/', import.meta.url);
/** The compiled files, by the hash of what they are compiled from. */
const CACHE = new URL('../node_modules/.cache/typescript/', import.meta.url);

const OPTIONS = {
  sourceMaps: 'inline',
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'es6' },
};

/** Resolves `./a.js` in an import to `./a.ts`, and `trivet/a.js` to `src/a.ts`. */
export async function resolve(specifier, context, next) {
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && /\.ts(\?|$)/.test(context.parentURL ?? '')) {
    return next(specifier.replace(/\.js$/, '.ts'), context);
  }
  const own = /^trivet\/(.*)\.js$/.exec(specifier)?.[1];
  if (own !== undefined) return next(new URL(`${own}.ts`, SOURCE).href, context);
  return next(specifier, context);
}

export async function load(url, context, next) {
  const { pathname } = new URL(url);
  if (!pathname.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: await compiled(fileURLToPath(url)), shortCircuit: true };
}

async function compiled(filename) {
  const source = await readFile(filename, 'utf8');
  const hash = createHash('sha1').update(JSON.stringify([OPTIONS, filename, source])).digest('hex');
  const file = new URL(`${hash}.js`, CACHE);
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known !== undefined) return known;
  const { transform } = await import('@swc/core');
  const { code } = await transform(source, { filename, ...OPTIONS });
  await keep(file, code);
  return code;
}

/** Another process may compile the same file, and must not read a part of it. */
async function keep(file, code) {
  await mkdir(CACHE, { recursive: true });
  const draft = new URL(`${file.href}.${process.pid}.${threadId}`);
  await writeFile(draft, code);
  await rename(draft, file);
}
