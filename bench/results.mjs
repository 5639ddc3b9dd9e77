/** Keeps what a run found as JSON in bench/results. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('./results/', import.meta.url));

/** What a reader must know of where and how it was measured. */
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
  console.log(`\nKept in ${relative(process.cwd(), path)}`);
}

/** Where a file of a run is kept, named after when it began. */
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
