/**
 * Checks what needs no database: `npm run check`, or some of it: `npm run check -- types lint`. Two checks run at once. The output of those
 * that fail is printed. What did not change since the last run is not checked again.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = 'node_modules/.cache';

/** The longest first. */
const CHECKS = {
  unit: ['jest', '--config', 'jest.unit.config.js', '--maxWorkers=2'],
  lint: [
    'eslint',
    '.',
    '--max-warnings=0',
    '--cache',
    '--cache-strategy=content',
    `--cache-location=${CACHE}/check-lint`,
  ],
  tree: ['node', 'scripts/tree.mjs'],
  types: ['tsc', '--noEmit', '-p', 'tsconfig.json'],
  client: ['node', 'scripts/client.mjs', '--check'],
  cli: ['tsc', '--noEmit', '-p', 'cli/tsconfig.json'],
  console: ['tsc', '--noEmit', '-p', 'console/tsconfig.json'],
  format: ['prettier', '--check', '.', '--cache', '--cache-strategy=content', `--cache-location=${CACHE}/check-format`],
};
const AT_ONCE = 2;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in CHECKS));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. The checks are ${Object.keys(CHECKS).join(', ')}.`);
  process.exit(1);
}

const waiting = Object.keys(CHECKS).filter((name) => wanted.length === 0 || wanted.includes(name));
await Promise.all(Array.from({ length: AT_ONCE }, work));

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await check(name);
}

async function check(name) {
  const from = performance.now();
  const { code, output } = await run(CHECKS[name]);
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  if (code !== 0) {
    process.exitCode = 1;
    console.error(output);
  }
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
}

async function run([program, ...options]) {
  const path = program === 'node' ? process.execPath : `node_modules/.bin/${program}`;
  const child = spawn(path, options, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, output };
}
