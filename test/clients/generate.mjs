/**
 * Generates the clients that test/tools/generated-clients.slow.e2e-spec.ts uses, from openapi.json: `node test/clients/generate.mjs`. The generators need Node 22.18,
 * which their package brings along.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listOfEntries } from './list-of-entries.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, 'node_modules');

if (!existsSync(join(modules, '.bin'))) run('npm', ['ci', '--no-audit', '--no-fund']);
for (const client of ['hey-api', 'orval']) rmSync(join(here, client), { recursive: true, force: true });
const document = listOfEntries(JSON.parse(readFileSync(join(here, '../../openapi.json'), 'utf8')));
writeFileSync(join(here, 'document.json'), `${JSON.stringify(document, null, 2)}\n`);
generate('openapi-ts', ['--input', 'document.json', '--output', 'hey-api', '--silent', '--no-log-file']);
generate('orval', ['--config', 'orval.config.mjs']);

function generate(program, parameters) {
  run(join(modules, 'node/bin/node'), [join(modules, '.bin', program), ...parameters]);
}

function run(program, parameters) {
  const { status, error } = spawnSync(program, parameters, { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw error ?? new Error(`${program} ended with ${status}.`);
}
