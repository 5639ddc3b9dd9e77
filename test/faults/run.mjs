/**
 * `npm run test:faults`: checks that failures neither lose acknowledged writes nor invent others.
 *
 * Two scenarios run at once, each with its own PostgreSQL, receiver (HTTPS) and mail server (SMTP): an API and a worker with a Redis, and a
 * single process without Redis. During writes of every kind, processes are killed with -9, Redis is flushed and killed, PostgreSQL is shut
 * down, and receivers fail. In the end the acknowledged writes are compared with rows, events, feed, deliveries and emails. Takes two to
 * three minutes.
 *
 *   --dist DIR  a built service; otherwise dist is built
 *   --only NAME one scenario: redis or no-redis
 *   --keep      keep the folder with logs and databases
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { atEnd, leave } from '../../bench/processes.mjs';
import { printTable } from '../../bench/table.mjs';
import { Redis } from './redis.mjs';
import { play } from './scenario.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LIMIT_MS = 600_000;

const { values: options } = parseArgs({
  options: { dist: { type: 'string' }, only: { type: 'string' }, keep: { type: 'boolean', default: false } },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => leave(130, `${signal}: cleaning up`));
process.on('uncaughtException', (error) => leave(1, error.stack));
// Ends a run that hangs.
setTimeout(() => leave(1, 'The run took too long.'), LIMIT_MS).unref();

try {
  if (!options.dist) execFileSync('sh', ['scripts/build.sh'], { cwd: ROOT, stdio: 'inherit' });
  const dist = resolve(options.dist ?? join(ROOT, 'dist/src'));
  const folder = await mkdtemp(join(tmpdir(), 'trivet-faults-'));
  if (options.keep) console.log(`Logs and databases: ${folder}`);
  else atEnd(() => rm(folder, { recursive: true, force: true }));
  const names = scenarios();
  const results = await Promise.all(names.map((name) => play({ name, dist, folder, withRedis: name === 'redis' })));
  const isRight = results.map(report).every(Boolean);
  await leave(isRight ? 0 : 1);
} catch (error) {
  await leave(1, error.stack);
}

/** Without redis-server the scenario with Redis is skipped, or fails in CI. */
function scenarios() {
  const all = ['redis', 'no-redis'].filter((name) => !options.only || name === options.only);
  if (!all.includes('redis') || Redis.isInstalled()) return all;
  if (process.env.CI === 'true') throw new Error('CI needs redis-server, which is not installed.');
  console.log('NOT TESTED WITH REDIS: redis-server is not installed.');
  return all.filter((name) => name !== 'redis');
}

/** Prints the results. Returns whether they are all correct. */
function report({ name, counts, happened, rows, verified, faults }) {
  console.log(`\n${name === 'redis' ? 'API and worker, Redis' : 'One process, no Redis'}\n`);
  console.log(
    `Writes: ${counts.acknowledged} acknowledged, ${counts.rejected} rejected, ${counts.unsent} never sent, ${counts.unknown} ` +
      `without a response or with 5xx (${happened} of them happened, completely).`,
  );
  console.log(
    `Signatures: ${verified.library} verified by standardwebhooks, ${verified.own} by an independent implementation.\n`,
  );
  printTable(
    ['', 'expected', 'found', 'duplicates', 'lost', 'invented'],
    rows.map(({ title, expected, found, duplicates, lost, invented }) => [
      title,
      expected,
      found,
      duplicates,
      lost.length,
      invented.length,
    ]),
  );
  const wrong = [
    ...rows.flatMap(({ title, lost, invented }) => [
      ...lost.map((what) => `${title}: lost ${what}`),
      ...invented.map((what) => `${title}: invented ${what}`),
    ]),
    ...faults,
  ];
  if (wrong.length > 0) console.error(`\n${wrong.slice(0, 50).join('\n')}`);
  return wrong.length === 0;
}
