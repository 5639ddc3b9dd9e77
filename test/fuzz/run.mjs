/**
 * `npm run test:fuzz`: sends valid, nearly valid and hostile requests to every operation of the served document, and broken HTTP to the
 * port, and checks every response against the document. The service runs in a separate process on an embedded database.
 *
 *   --seed TEXT    sends the same requests as another run with this seed; by default a random seed, which is printed
 *   --seconds N    how long to fuzz (120); start-up and checks take another half minute
 *   --only ID      one operation of the document, `(connection)` or `(other paths)`
 *   --replay FILE  only the request in a finding's file
 *   --dist DIR     a built service; otherwise dist is built
 *   --keep         keep the folder with the log and the database
 */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { atEnd, leave } from '../../bench/processes.mjs';
import { fuzz } from './fuzz.mjs';
import { replay } from './replay.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** In addition to the time for fuzzing. */
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
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => leave(130, `${signal}: cleaning up`));
process.on('uncaughtException', (error) => leave(1, error.stack));
// Ends a run that hangs.
setTimeout(() => leave(1, 'The run took too long.'), seconds * 1000 + SETUP_AND_CHECKS_MS).unref();

try {
  if (!(seconds > 0)) throw new Error('--seconds takes a positive number.');
  if (!options.dist) execFileSync('sh', ['scripts/build.sh'], { cwd: ROOT, stdio: 'inherit' });
  const dist = resolve(options.dist ?? join(ROOT, 'dist/src'));
  const folder = await mkdtemp(join(tmpdir(), 'trivet-fuzz-'));
  if (options.keep) console.log(`Log and database: ${folder}`);
  else atEnd(() => rm(folder, { recursive: true, force: true }));
  const failures = join(tmpdir(), `trivet-fuzz-failures-${process.pid}`);
  const isRight = options.replay
    ? await replay({ file: options.replay, dist, folder })
    : await fuzz({ seed: options.seed, seconds, only: options.only, dist, folder, failures });
  await leave(isRight ? 0 : 1);
} catch (error) {
  await leave(1, error.stack);
}
