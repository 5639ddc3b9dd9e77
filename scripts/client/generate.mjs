/**
 * Generates the types and the table of operations of the client from openapi.json. The generator needs Node 22.18, which the package in
 * test/clients brings along with it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  bodyType,
  eventsOf,
  fingerprint,
  isJson,
  operationsOf,
  rawAnswer,
  relevantPart,
  takesKey,
} from './contract.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const GENERATORS = join(ROOT, 'test/clients');
const OUT = join(ROOT, 'client/src/request/generated');
const OPERATIONS = join(OUT, 'operations.ts');

/** Whether the generated files are those of the document. Needs no generator. */
export function isUpToDate(document) {
  return existsSync(OPERATIONS) && readFileSync(OPERATIONS, 'utf8').includes(`contract ${fingerprint(document)}\n`);
}

export function generate(document) {
  const types = generatedTypes(relevantPart(document));
  mkdirSync(OUT, { recursive: true });
  writeFileSync(join(OUT, 'types.ts'), types);
  writeFileSync(OPERATIONS, operationsFile(document, types));
}

function generatedTypes(part) {
  if (!existsSync(join(GENERATORS, 'node_modules/.bin'))) {
    run('npm', ['ci', '--no-audit', '--no-fund', '--silent'], GENERATORS);
  }
  const folder = mkdtempSync(join(tmpdir(), 'trivet-client-'));
  try {
    writeFileSync(join(folder, 'document.json'), JSON.stringify(part));
    const program = join(GENERATORS, 'node_modules/.bin/openapi-ts');
    const options = ['--input', 'document.json', '--output', 'out', '--plugins', '@hey-api/typescript'];
    run(join(GENERATORS, 'node_modules/node/bin/node'), [program, ...options, '--silent', '--no-log-file'], folder);
    return readFileSync(join(folder, 'out/types.gen.ts'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function operationsFile(document, types) {
  const operations = operationsOf(document).sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  const events = Object.entries(eventsOf(document));
  return `// Generated from openapi.json: npm run client. The contract ${fingerprint(document)}
import type * as types from './types.js';

/** What each operation takes and answers. */
export interface Operations {
${operations.map((one) => `  ${idOf(one)}: ${typeOf(one, types)};\n`).join('')}}

/** The body of a delivery for each type of event. */
export interface EventBodies {
${events.map(([type, schema]) => `  '${type}': types.${schema};\n`).join('')}}

/** How an operation is sent. \`key\`: it takes an Idempotency-Key. \`type\`: of a body that is not JSON. \`raw\`: what it answers instead of JSON. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly key?: true;
  readonly type?: string;
  readonly raw?: 'body' | 'redirect';
}

export const ROUTES: Readonly<Record<keyof Operations, Route>> = {
${operations.map((one) => `  ${idOf(one)}: ${routeOf(one)},\n`).join('')}};
`;
}

function idOf({ operation }) {
  return operation.operationId;
}

function typeOf(one, types) {
  const name = idOf(one)
    .split('_')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('');
  for (const suffix of isJson(one.operation) ? ['Data', 'Response'] : ['Data']) {
    if (!types.includes(`export type ${name}${suffix} =`)) throw new Error(`There is no type ${name}${suffix}.`);
  }
  return `[types.${name}Data, ${isJson(one.operation) ? `types.${name}Response` : 'Response'}]`;
}

function routeOf({ method, path, operation }) {
  const type = bodyType(operation);
  const raw = rawAnswer(operation);
  const marks = [takesKey(operation) && 'key: true', type && `type: '${type}'`, raw && `raw: '${raw}'`].filter(Boolean);
  return `{ ${[`method: '${method.toUpperCase()}'`, `path: '${path}'`, ...marks].join(', ')} }`;
}

function run(program, parameters, cwd) {
  const { status, error } = spawnSync(program, parameters, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw error ?? new Error(`${program} ended with ${status}.`);
}
