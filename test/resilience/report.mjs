/** Prints the results as a table and writes them to a JSON file. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printTable, short } from '../../bench/table.mjs';
import { verdictOf } from './verdict.mjs';

const FOLDER = fileURLToPath(new URL('./results/', import.meta.url));
const MAX_COUNTS = 8;
const HEADS = [
  '',
  '#',
  'p50',
  'p95',
  'p95 limit',
  'p99',
  '5xx',
  'no answer',
  'health failed',
  'lost deliveries',
  'peak MiB',
  'recovery s',
  'others',
  '',
];

/** Where and how the results were measured. */
export function circumstances({ note, short: isShort }) {
  return {
    at: new Date().toISOString(),
    commit: git('rev-parse', '--short', 'HEAD'),
    node: process.version,
    processor: cpus()[0]?.model,
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    load_before: loadavg()[0],
    short: isShort,
    note,
  };
}

/** Prints one line after each scenario. */
export function printProgress(row) {
  const { scenario, seconds, isRetried } = row;
  console.log(
    `${scenario.name.padEnd(20)} ${verdictOf(row)}${isRetried ? ', at the second try' : ''} (${seconds.toFixed(0)} s)`,
  );
}

export function printReport(rows) {
  const measuredRows = rows.filter(({ beside }) => beside);
  console.log('\nAnother tenant alone → during the attack; times in ms, memory of the service without PostgreSQL\n');
  printTable(HEADS, measuredRows.map(rowOf));
  const checks = rows.filter(({ beside }) => !beside);
  if (checks.length > 0) console.log('');
  for (const row of checks) {
    console.log(`${String(row.scenario.finding).padStart(2)} ${row.scenario.name}: ${verdictOf(row)}`);
  }
  console.log('\nScenarios, responses to the attacker, and faults\n');
  for (const row of rows) printDetails(row);
}

function rowOf(row) {
  const { scenario, alone, beside, bound, recoveredMs, peakMib, others } = row;
  const pair = (name) => `${short(alone[name])} → ${short(beside[name])}`;
  const { expected, missing } = beside.deliveries;
  return [
    scenario.name,
    scenario.finding,
    pair('p50'),
    pair('p95'),
    short(bound),
    pair('p99'),
    `${beside.status5xx}/${beside.requests}`,
    beside.broken,
    `${beside.probes.failed}/${beside.probes.sent}`,
    `${missing}/${expected}`,
    Math.round(peakMib),
    recoveredMs === undefined ? 'never' : (recoveredMs / 1000).toFixed(1),
    `${Math.round(others * 100)} %`,
    verdictOf(row),
  ];
}

function printDetails({ scenario, counts = {}, notes = [], faults = [], skipped }) {
  console.log(`${scenario.finding} ${scenario.name}: ${scenario.title}`);
  const answers = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const shown = answers.slice(0, MAX_COUNTS).map(([name, count]) => `${name} × ${count}`);
  if (answers.length > 0) console.log(`     responses: ${shown.join(', ')}`);
  for (const note of notes) console.log(`     ${note}`);
  const texts = faults.map(({ text }) => text);
  for (const text of new Set(texts)) {
    const times = texts.filter((one) => one === text).length;
    console.log(`   ✗ ${text}${times > 1 ? ` (${times} times)` : ''}`);
  }
  if (skipped) console.log(`     skipped: ${skipped}`);
}

export function saveResults(context, rows) {
  mkdirSync(FOLDER, { recursive: true });
  const path = `${FOLDER}${context.at.slice(0, 19).replaceAll(':', '-')}${context.short ? '-short' : ''}.json`;
  const results = rows.map(({ scenario: { name, finding, title }, ...row }) => ({
    name,
    finding,
    title,
    ...row,
    data: undefined,
  }));
  writeFileSync(path, `${JSON.stringify({ circumstances: context, results }, null, 1)}\n`);
  console.log(`\nResults: ${relative(process.cwd(), path)}`);
}

function git(...args) {
  try {
    return execFileSync('git', args, { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}
