#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { run } from './run.js';

// V8 would rather take more memory, up to gigabytes, than free that of earlier pages. So a long command would take more than a short one.
setFlagsFromString('--heap-growing-percent=50');

const interrupted = new AbortController();
// The second time, the process ends at once.
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => interrupted.abort(new Error('The command was interrupted.')));
}
// The reader of a pipe may end first, such as `head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await run(process.argv.slice(2), process, interrupted.signal);
