/** What the commands beside `npm run bench` have in common: their options, a limit of time, and cleaning up. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { atEnd, leave } from './processes.mjs';

/**
 * Parses the command line. `defaults` has the value of each option that is a number or a text; `--dist`, `--note` and `--help` are always
 * there. Prints and exits on --help and on errors.
 */
export function readOptions(help, defaults) {
  const texts = Object.entries(defaults).map(([name, value]) => [name, { type: 'string', default: String(value) }]);
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        ...Object.fromEntries(texts),
        dist: { type: 'string', default: fileURLToPath(new URL('../dist/src', import.meta.url)) },
        note: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    fail(`${error.message}\n\n${help}`);
  }
  if (values.help) {
    console.log(help);
    process.exit(0);
  }
  const options = { dist: resolve(values.dist), note: values.note };
  for (const [name, value] of Object.entries(defaults)) {
    options[name] = typeof value === 'number' ? Number(values[name]) : values[name];
    if (Number.isNaN(options[name])) fail(`--${name} must be a number.\n\n${help}`);
  }
  if (!existsSync(join(options.dist, 'main.js'))) {
    fail(`There is no ${options.dist}/main.js. Run npm run build first.\n\n${help}`);
  }
  return options;
}

/**
 * Runs `measure` with a temporary folder, and ends the process: with 1 if it returns false or throws, or takes more than `limitMs`. What
 * `atEnd` was given is cleaned up first, also on a signal.
 */
export async function runCommand(limitMs, measure) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => leave(130, `${signal}: cleaning up`));
  process.on('uncaughtException', (error) => leave(1, error.stack));
  setTimeout(() => leave(1, 'The benchmark took too long.'), limitMs).unref();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'trivet-bench-'));
    atEnd(() => rm(folder, { recursive: true, force: true }));
    await leave((await measure(folder)) === false ? 1 : 0);
  } catch (error) {
    await leave(1, error.stack);
  }
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
