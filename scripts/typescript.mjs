/** Lets Node run the project's TypeScript without a build, for command-line tools: `node --import ./scripts/typescript.mjs …`. */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) register(import.meta.url);

const SOURCE = new URL('../src/', import.meta.url);

/** Resolves `./a.js` in an import to `./a.ts`, and `trivet/a.js` to `src/a.ts`. */
export async function resolve(specifier, context, next) {
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL?.endsWith('.ts')) {
    return next(specifier.replace(/\.js$/, '.ts'), context);
  }
  const own = /^trivet\/(.*)\.js$/.exec(specifier)?.[1];
  if (own !== undefined) return next(new URL(`${own}.ts`, SOURCE).href, context);
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { transform } = await import('@swc/core');
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), {
    filename,
    sourceMaps: 'inline',
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      target: 'es2022',
    },
    module: { type: 'es6' },
  });
  return { format: 'module', source: code, shortCircuit: true };
}
