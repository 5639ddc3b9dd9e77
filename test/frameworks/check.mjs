/**
 * Checks the types of the sites that the guides about frameworks show: `node test/frameworks/check.mjs`. Installs the frameworks before, if they are
 * missing. Each snippet begins with a comment that names its file. The checker of Astro needs Node 22, which this package brings along.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const HERE = import.meta.dirname;
const ROOT = resolve(HERE, '../..');
const MODULES = join(HERE, 'node_modules');
const NODE = join(MODULES, 'node/bin/node');

/** The options of a project that a framework's own set-up creates. */
const OPTIONS = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
  allowJs: true,
  isolatedModules: true,
  types: ['node'],
  typeRoots: [join(MODULES, '@types')],
  paths: {
    '@trivet/client': [join(ROOT, 'client/src/index.ts')],
    '@trivet/client/preview': [join(ROOT, 'client/src/preview/index.ts')],
  },
};

const FRAMEWORKS = [
  {
    name: 'next',
    schema: 'lib/trivet-schema.ts',
    config: { compilerOptions: { ...OPTIONS, jsx: 'react-jsx' }, include: ['next-env.d.ts', '**/*.ts', '**/*.tsx'] },
    files: { 'next-env.d.ts': '/// <reference types="next" />\n' },
    check: ['typescript/bin/tsc', '-p', '.'],
  },
  {
    name: 'astro',
    schema: 'src/lib/trivet-schema.ts',
    config: { extends: 'astro/tsconfigs/strict', compilerOptions: OPTIONS, include: ['src', '.astro/types.d.ts'] },
    files: { 'astro.config.mjs': "export default { output: 'server' };\n" },
    check: ['astro/bin/astro.mjs', 'check', '--minimumFailingSeverity', 'warning'],
  },
];

if (!existsSync(NODE)) run('npm', ['ci', '--no-audit', '--no-fund'], HERE);
for (const framework of FRAMEWORKS) check(framework);

function check({ name, schema, config, files, check: [program, ...parameters] }) {
  const folder = join(HERE, '.sites', name);
  rmSync(folder, { recursive: true, force: true });
  const snippets = snippetsOf(`docs/how-to/use/build-with-${name}.md`);
  const written = { ...files, ...snippets, 'tsconfig.json': JSON.stringify(config, null, 2) };
  for (const [file, text] of Object.entries(written)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  cpSync(join(ROOT, 'examples/site/trivet-schema.ts'), join(folder, schema));
  run(NODE, [join(MODULES, program), ...parameters], folder);
  console.log(`${name}: the types of ${Object.keys(snippets).length} files are right.`);
}

/** The files that a page shows, by their names. */
function snippetsOf(page) {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const snippets = [...text.matchAll(/^```(?:tsx?|astro)\n([^]*?)^```$/gm)].map(([, code]) => code);
  return Object.fromEntries(snippets.map((code) => [nameOf(code, page), code]));
}

function nameOf(code, page) {
  const [, name] = /^(?:---\n)?\/\/ (\S+)\n/.exec(code) ?? [];
  if (!name) throw new Error(`${page} has a snippet that does not begin with the name of its file:\n${code}`);
  return name;
}

function run(program, parameters, cwd) {
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', NEXT_TELEMETRY_DISABLED: '1' };
  const { status, error } = spawnSync(program, parameters, { cwd, env, stdio: 'inherit' });
  if (status !== 0) throw error ?? new Error(`${program} ended with ${status}.`);
}
