/**
 * `npm run test:faults`: proves that nothing acknowledged is lost and nothing else is invented, whatever breaks.
 *
 * Two scenarios at once, each with a PostgreSQL, a receiver (HTTPS) and a mail server (SMTP) of its own: an API and a worker with a Redis,
 * and one process without. While writes of every kind go on, processes are killed with -9, Redis is flushed and killed, PostgreSQL shut
 * down, and receivers fail. In the end what was acknowledged is compared with rows, events, feed, deliveries and mails. Takes two to
 * three minutes, most of them for mails that a killed worker was sending: nobody else takes those for 90 s.
 *
 *   --dist DIR  a built service; without, dist is built
 *   --only NAME one scenario: redis or no-redis
 *   --keep      leave the folder with logs and databases
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { atEnd, endAll } from '../../bench/processes.mjs';
import { printTable } from '../../bench/table.mjs';
import { Redis } from './redis.mjs';
import { play } from './scenario.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LIMIT_MS = 280_000;

const { values: options } = parseArgs({
  options: { dist: { type: 'string' }, only: { type: 'string' }, keep: { type: 'boolean', default: false } },
});
let leaving = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => leave(130, `${signal}: cleaning up`));
process.on('uncaughtException', (error) => leave(1, error.stack));
// Whatever hangs, nothing is left running for long.
setTimeout(() => leave(1, 'Time is up.'), LIMIT_MS).unref();

try {
  if (!options.dist) execFileSync('sh', ['scripts/build.sh'], { cwd: ROOT, stdio: 'inherit' });
  const dist = resolve(options.dist ?? join(ROOT, 'dist'));
  const folder = await mkdtemp(join(tmpdir(), 'trivet-faults-'));
  if (options.keep) console.log(`Logs and databases stay in ${folder}`);
  else atEnd(() => rm(folder, { recursive: true, force: true }));
  const names = scenarios();
  const results = await Promise.all(names.map((name) => play({ name, dist, folder, withRedis: name === 'redis' })));
  const isRight = results.map(report).every(Boolean);
  await leave(isRight ? 0 : 1);
} catch (error) {
  await leave(1, error.stack);
}

/** Without the program for Redis one scenario is left out, which in CI is a failure. */
function scenarios() {
  const all = ['redis', 'no-redis'].filter((name) => !options.only || name === options.only);
  if (!all.includes('redis') || Redis.isInstalled()) return all;
  if (process.env.CI === 'true') throw new Error('There is no redis-server here, which CI needs.');
  console.log('NOT TESTED WITH REDIS: there is no redis-server here.');
  return all.filter((name) => name !== 'redis');
}

/** Prints what was found; whether it is as it must be. */
function report({ name, counts, happened, rows, verified, faults }) {
  console.log(`\n${name === 'redis' ? 'API and worker, Redis' : 'One process, no Redis'}\n`);
  console.log(
    `Writes: ${counts.acknowledged} acknowledged, ${counts.rejected} rejected, ${counts.unsent} never sent, ${counts.unknown} ` +
      `without an answer or with 5xx (of those ${happened} happened, as a whole).`,
  );
  console.log(
    `Signatures: ${verified.library} verified by standardwebhooks, ${verified.own} by an implementation of our own.\n`,
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

/** Only the first call counts: what fails because everything is being ended is no news. */
async function leave(code, message) {
  if (leaving) return;
  leaving = true;
  if (message) console.error(message);
  await endAll();
  process.exit(code);
}
