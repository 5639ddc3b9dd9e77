/** Stores the results of a run as JSON in bench/results. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('./results/', import.meta.url));

/** Where and how the results were measured. */
export function circumstances(options, postgres) {
  return {
    at: new Date().toISOString(),
    commit: git('rev-parse', '--short', 'HEAD'),
    changed: git('status', '--porcelain', '--', 'src') !== '',
    node: process.version,
    postgres: postgres.version,
    embedded: postgres.own,
    dist: relative(join(FOLDER, '../..'), options.dist),
    processor: cpus()[0]?.model,
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    load_before: loadavg()[0],
    processes: options.processes,
    note: options.note,
  };
}

export function save(kind, results) {
  const path = resultPath(results.circumstances, `${kind}.json`);
  writeFileSync(path, `${JSON.stringify(results, null, 1)}\n`);
  console.log(`\nResults: ${relative(process.cwd(), path)}`);
}

/** The path of a result file, named after the start time of the run. */
export function resultPath({ at }, name) {
  mkdirSync(FOLDER, { recursive: true });
  return `${FOLDER}${at.slice(0, 19).replaceAll(':', '-')}-${name}`;
}

function git(...args) {
  try {
    return execFileSync('git', args, { cwd: FOLDER, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}
