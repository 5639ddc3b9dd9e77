/** Lets Node run the project's TypeScript without a build, for command-line tools: `node --import ./scripts/typescript.mjs …`. */
import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) register(import.meta.url);

const SOURCE = new URL('../src/', import.meta.url);
/** Generated for bundlers. */
const CLIENTS = new URL('../test/clients/', import.meta.url).href;

/** Resolves `./a.js` in an import to `./a.ts`, and `trivet/a.js` to `src/a.ts`. */
export async function resolve(specifier, context, next) {
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && isTypeScript(context.parentURL)) {
    return next(specifier.replace(/\.js$/, '.ts'), context);
  }
  if (context.parentURL?.startsWith(CLIENTS)) return next(bundled(specifier, context.parentURL), context);
  const own = /^trivet\/(.*)\.js$/.exec(specifier)?.[1];
  if (own !== undefined) return next(new URL(`${own}.ts`, SOURCE).href, context);
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!isTypeScript(url)) return next(url, context);
  const { compile } = await import('./compile.mjs');
  const { code, map } = await compile(fileURLToPath(url));
  // Node reads the map of a path, but not of a file URL.
  return { format: 'module', source: `${code}\n//# sourceMappingURL=${map.pathname}`, shortCircuit: true };
}

/** Bundlers find `a.ts` and `a/index.ts` if `a` is imported. */
function bundled(specifier, parent) {
  if (!specifier.startsWith('.')) return specifier;
  const found = [`${specifier}.ts`, `${specifier}/index.ts`].find((one) => existsSync(new URL(one, parent)));
  return found ?? specifier;
}

function isTypeScript(url) {
  return url !== undefined && new URL(url).pathname.endsWith('.ts');
}
