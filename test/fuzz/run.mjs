/**
 * `npm run test:fuzz`: sends valid, nearly valid and hostile requests to every operation of the served document, and broken HTTP to the
 * port, and holds every answer against what is documented. The service runs as a process of its own on an embedded database.
 *
 *   --seed TEXT    makes the same requests as another run with it; without, a random one, which is printed
 *   --seconds N    how long to fuzz (120); starting and checking take half a minute more
 *   --only ID      one operation of the document, `(connection)` or `(other paths)`
 *   --replay FILE  only the request that a failure was written to
 *   --dist DIR     a built service; without, dist is built
 *   --keep         leave the folder with the log and the database
 */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { atEnd, endAll } from '../../bench/processes.mjs';
import { fuzz } from './fuzz.mjs';
import { replay } from './replay.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Beside the time for fuzzing. */
const SETUP_AND_CHECKS_MS = 400_000;

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    seconds: { type: 'string', default: '120' },
    only: { type: 'string' },
    replay: { type: 'string' },
    dist: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const seconds = Number(options.seconds);
let leaving = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => leave(130, `${signal}: cleaning up`));
process.on('uncaughtException', (error) => leave(1, error.stack));
// Whatever hangs, nothing is left running for long.
setTimeout(() => leave(1, 'Time is up.'), seconds * 1000 + SETUP_AND_CHECKS_MS).unref();

try {
  if (!(seconds > 0)) throw new Error('--seconds takes a positive number.');
  if (!options.dist) execFileSync('sh', ['scripts/build.sh'], { cwd: ROOT, stdio: 'inherit' });
  const dist = resolve(options.dist ?? join(ROOT, 'dist'));
  const folder = await mkdtemp(join(tmpdir(), 'trivet-fuzz-'));
  if (options.keep) console.log(`The log and the database stay in ${folder}`);
  else atEnd(() => rm(folder, { recursive: true, force: true }));
  const failures = join(tmpdir(), `trivet-fuzz-failures-${process.pid}`);
  const isRight = options.replay
    ? await replay({ file: options.replay, dist, folder })
    : await fuzz({ seed: options.seed, seconds, only: options.only, dist, folder, failures });
  await leave(isRight ? 0 : 1);
} catch (error) {
  await leave(1, error.stack);
}

/** Only the first call counts: what fails because everything is being ended is no news. */
async function leave(code, message) {
  if (leaving) return;
  leaving = true;
  if (message) console.error(message);
  await endAll();
  process.exit(code);
}
