/** `npm run bench`: see README.md. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare } from './comparison.mjs';
import { grow } from './growth.mjs';
import { readOptions } from './options.mjs';
import { memory } from './memory.mjs';
import { Postgres } from './postgres.mjs';
import { profile } from './profile.mjs';
import { atEnd, leave } from './processes.mjs';
import { soak } from './soak.mjs';

const HOUR = 3_600_000;

const options = readOptions();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => leave(130, `${signal}: cleaning up`));
process.on('uncaughtException', (error) => leave(1, error.stack));
// Ends a run that hangs.
setTimeout(() => leave(1, 'The benchmark took too long.'), (options.growth || options.soak ? 2 : 1) * HOUR).unref();

try {
  const folder = await mkdtemp(join(tmpdir(), 'trivet-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const postgres = await Postgres.start({ url: options.databaseUrl, dist: options.dist, folder });
  const complete = await modeOf(options)({ options, postgres, folder });
  await leave(complete ? 0 : 1);
} catch (error) {
  await leave(1, error.stack);
}

function modeOf({ growth, profile: isProfile, soak: isSoak, heap }) {
  if (growth) return grow;
  if (isProfile) return profile;
  if (isSoak) return soak;
  return heap ? memory : compare;
}
