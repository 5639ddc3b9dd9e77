/**
 * `npm run test:resilience`: attacks the built service in the ways of the review, and measures the effect on another tenant: its requests,
 * deliveries and health checks alone, during the attack, and until it is as fast as before. Prints a table, writes it as JSON, and exits
 * with 1 if a limit is exceeded. README.md explains the table; --help lists the options.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { clearTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { atEnd, endAll } from '../../bench/processes.mjs';
import { measured } from './measured.mjs';
import { readOptions } from './options.mjs';
import { circumstances, printProgress, printReport, saveResults } from './report.mjs';
import { loadScenarios } from './scenarios.mjs';
import { isLateOnly, verdictOf } from './verdict.mjs';
import { World } from './world.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** From the last start of a scenario (--limit) to the end of the run. */
const ENDING_MS = 105_000;
/** For the report, and to end every process. */
const LEAVING_MS = 15_000;
/** The share of the limit after which no scenario is retried. */
const LAST_RETRY = 0.7;
const PLAY_LIMIT_MS = 90_000;
/** The scenarios without a victim measure no times, and each has services of its own. */
const AT_ONCE = 2;

const options = readOptions();
const rows = [];
let leaving = false;
let context;
const began = performance.now();
const lastBeginMs = (options.limit + 2 * (options.minutes ?? 0)) * 60_000;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => leave(130, `${signal}: cleaning up`));
process.on('uncaughtException', (error) => leave(1, error.stack));
const limit = setTimeout(() => leave(1, 'The run took too long.'), lastBeginMs + ENDING_MS);
limit.unref();

try {
  const scenarios = await chosen();
  if (options.list) list(scenarios);
  if (!options.dist) execFileSync('sh', ['scripts/build.sh'], { cwd: ROOT, stdio: 'inherit' });
  const dist = resolve(options.dist ?? join(ROOT, 'dist/src'));
  const folder = await mkdtemp(join(tmpdir(), 'trivet-resilience-'));
  if (options.keep) console.log(`Logs and data: ${folder}`);
  else atEnd(() => rm(folder, { recursive: true, force: true }));
  context = circumstances(options);
  const world = await World.build({ dist, folder, scenarios, isShort: options.short });
  world.deadline = Date.now() + lastBeginMs + ENDING_MS - LEAVING_MS - (performance.now() - began);
  for (const scenario of scenarios) if (!scenario.play) await run(world, scenario);
  const played = scenarios.filter(({ play }) => play);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = played.shift(); next; next = played.shift()) await run(world, next);
    }),
  );
  rows.sort((a, b) => scenarios.indexOf(a.scenario) - scenarios.indexOf(b.scenario));
  for (const row of rows) await finish(world, row);
  clearTimeout(limit);
  await leave(rows.every(isGood) ? 0 : 1);
} catch (error) {
  await leave(1, error.stack);
}

/** The short form accepts unsure results of a busy machine. A full run does not. */
function isGood(row) {
  return ['holds', 'skipped', ...(options.short ? ['unsure'] : [])].includes(verdictOf(row));
}

async function chosen() {
  const all = await loadScenarios();
  const unknown = options.only?.filter((name) => !all.some((scenario) => scenario.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`There is no scenario ${unknown.join(', ')}: see --list.`);
  if (options.only) return all.filter(({ name }) => options.only.includes(name));
  return options.short ? all.filter(({ isLong }) => !isLong) : all;
}

function list(scenarios) {
  for (const { name, finding, title } of scenarios)
    console.log(`${String(finding).padStart(2)}  ${name.padEnd(20)} ${title}`);
  process.exit(0);
}

/** Runs the scenario and adds its row. An error in the scenario is a fault in its row, and the next scenario runs. */
async function run(world, scenario) {
  const from = performance.now();
  let row;
  if (from - began > lastBeginMs) row = { faults: [{ text: 'not run: the time limit was reached' }] };
  else {
    row = await once(world, scenario);
    if (isLateOnly(row) && !options.minutes && from - began < LAST_RETRY * lastBeginMs)
      row = { ...(await once(world, scenario)), isRetried: true, firstTry: row };
  }
  rows.push({ scenario, seconds: (performance.now() - from) / 1000, ...row });
  printProgress(rows.at(-1));
}

async function once(world, scenario) {
  try {
    if (scenario.play) return await played(world, scenario);
    return await measured(world, scenario, options.minutes && options.minutes * 60);
  } catch (error) {
    return { faults: [{ text: `the scenario failed: ${error.stack}` }] };
  }
}

/** Runs a scenario that starts and stops services itself. Returns {faults, notes} or {skipped}. */
async function played(world, scenario) {
  world.victim.halt();
  let late;
  const limit = new Promise((_resolve, reject) => {
    late = setTimeout(() => reject(new Error('It took too long.')), PLAY_LIMIT_MS);
  });
  try {
    const { faults = [], ...row } = await Promise.race([scenario.play(world), limit]);
    return { ...row, faults: faults.map((text) => ({ text, isLatency: false })) };
  } finally {
    clearTimeout(late);
  }
}

/** Runs the checks that are only possible some time after a scenario. */
async function finish(world, row) {
  if (!row.scenario.finish || row.skipped) return;
  const { faults, notes = [] } = await row.scenario.finish(world, row).catch((error) => ({ faults: [error.stack] }));
  row.faults.push(...faults.map((text) => ({ text, isLatency: false })));
  row.notes = [...(row.notes ?? []), ...notes];
}

/** Only the first call has an effect: errors during the shutdown are expected. */
async function leave(code, message) {
  if (leaving) return;
  leaving = true;
  if (message) console.error(message);
  if (rows.length > 0) {
    printReport(rows);
    saveResults(context, rows);
  }
  await endAll();
  process.exit(code);
}
