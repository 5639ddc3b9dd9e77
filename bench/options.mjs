import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const MAX_ENTRIES = 200_000;

const HELP = `Measures the service and a floor of bare node:http and pg alternately. See bench/README.md.

  npm run bench -- [options]

  --entries N        entries of the measured content type (10000)
  --seconds S        time for each workload and server, after a warm-up (6)
  --rounds R         alternating rounds that share this time (2)
  --connections C    keep-alive connections (32; with --growth 1)
  --only a,b         only some of: get newest page filter search sort create update submit checked
  --growth           only the service, at 1000, 10000, 100000 and 1000000 entries, beside 1000 tenants
  --max N            the largest size of --growth (1000000)
  --versions N       with --growth: versions of each entry (1)
  --explain          with --growth: stores PostgreSQL's plans at each size
  --soak             only the service, under mixed reads and writes for a long time
  --minutes M        the duration of --soak (20)
  --heap MIB         only the service, in a heap of this size (such as 512), with content of the maximum size
  --processes N      processes of the service: WEB_CONCURRENCY (1)
  --profile          only the service, under V8's profiler: where processor time is spent
  --database-url URL the PostgreSQL to use, in separate databases; otherwise one is started
  --dist DIR         the built service (dist/src)
  --note TEXT        a note to store with the results
`;

/** Parses the command line. Prints and exits on --help and on errors. */
export function readOptions() {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        entries: { type: 'string', default: '10000' },
        seconds: { type: 'string' },
        rounds: { type: 'string', default: '2' },
        connections: { type: 'string' },
        only: { type: 'string' },
        growth: { type: 'boolean', default: false },
        max: { type: 'string', default: '1000000' },
        versions: { type: 'string', default: '1' },
        explain: { type: 'boolean', default: false },
        soak: { type: 'boolean', default: false },
        minutes: { type: 'string', default: '20' },
        heap: { type: 'string' },
        processes: { type: 'string', default: '1' },
        profile: { type: 'boolean', default: false },
        'database-url': { type: 'string' },
        dist: { type: 'string' },
        note: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    fail(error.message);
  }
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  const options = {
    entries: integer(values, 'entries', 500, MAX_ENTRIES),
    seconds: number(values.seconds ?? (values.growth ? '2' : '6'), 'seconds', 0.2, 600),
    rounds: integer(values, 'rounds', 1, 20),
    connections: integer({ connections: values.connections ?? (values.growth ? '1' : '32') }, 'connections', 1, 512),
    only: values.only?.split(',').map((name) => name.trim()),
    growth: values.growth,
    max: integer(values, 'max', 1_000, 1_000_000),
    versions: integer(values, 'versions', 1, 100),
    explain: values.explain,
    soak: values.soak,
    minutes: integer(values, 'minutes', 1, 600),
    heap: values.heap === undefined ? undefined : integer(values, 'heap', 128, 65_536),
    processes: integer(values, 'processes', 1, 64),
    profile: values.profile,
    databaseUrl: values['database-url'],
    dist: resolve(values.dist ?? join(fileURLToPath(new URL('.', import.meta.url)), '../dist/src')),
    note: values.note,
  };
  if (options.explain && (options.databaseUrl || !options.growth)) {
    fail(
      '--explain requires --growth and cannot be combined with --database-url, because it reads the PostgreSQL log.',
    );
  }
  if (!existsSync(join(options.dist, 'main.js'))) fail(`There is no ${options.dist}/main.js. Run npm run build first.`);
  return options;
}

function integer(values, name, min, max) {
  const value = number(values[name], name, min, max);
  if (!Number.isInteger(value)) fail(`--${name} must be an integer.`);
  return value;
}

function number(text, name, min, max) {
  const value = Number(text);
  if (!(value >= min && value <= max)) fail(`--${name} must be from ${min} to ${max}.`);
  return value;
}

function fail(message) {
  console.error(`${message}\n\n${HELP}`);
  process.exit(2);
}
