/**
 * Generates the client from openapi.json if that has changed, and builds it: `npm run client`. With --generate it generates in any case. With
 * --check it writes nothing, needs no generator, and fails if the generated files lag behind, or if the types are not
 * sound: what `test/client/types` marks as an error must be one, and the example site has none.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { generate, isUpToDate } from './client/generate.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));

if (process.argv.includes('--check')) {
  check();
} else {
  if (process.argv.includes('--generate') || !isUpToDate(document)) generate(document);
  await import('./client/build.mjs');
}

function check() {
  if (!isUpToDate(document)) {
    console.error('The client lags behind openapi.json: run npm run client, and look at the difference.');
    process.exitCode = 1;
  }
  for (const project of ['client', 'test/client/types', 'test/examples/site']) {
    const options = ['--noEmit', '-p', join(ROOT, project)];
    const { status } = spawnSync(process.execPath, [COMPILER, ...options], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}
