/** `npm run bench -- streams`: see README.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOptions, runCommand } from './command.mjs';
import { Histogram } from './histogram.mjs';
import { Postgres, settle } from './postgres.mjs';
import { circumstances, save } from './results.mjs';
import { configure, startService, TENANT } from './service.mjs';
import { StreamReader } from './stream-reader.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Sends a stream of events to many readers, of whom some never read, and measures memory and lag. See bench/README.md.

  npm run bench -- streams [options]

  --rate N      events a second (1000)
  --readers N   streams (100)
  --idle N      streams whose client never reads (10)
  --seconds S   duration of each part (20)
  --bytes N     characters of the text of an entry (300)
  --dist DIR    the built service (dist/src)
  --note TEXT   a note to store with the results
`;
const LIMIT_MS = 600_000;
const BATCHES_A_SECOND = 20;
const AT_ONCE = 4;
/** The targets. */
const MOST_LAG_MS = 1_000;
const MOST_MIB = 64;

const options = readOptions(HELP, { rate: 1_000, readers: 100, idle: 10, seconds: 20, bytes: 300 });

await runCommand(LIMIT_MS, measure);

/** Returns whether the targets are reached. */
async function measure(folder) {
  const { dist } = options;
  const postgres = await Postgres.start({ dist, folder });
  const context = circumstances(options, postgres);
  const databaseUrl = await postgres.createDatabase('streams');
  const configuration = configure({ dist, folder, databaseUrl });
  const service = await startService({
    ...configuration,
    // The streams of one part may still be closing when the next one begins.
    env: { ...configuration.env, EVENT_STREAMS: String(2 * options.readers) },
  });
  const fields = [{ name: 'title', type: 'text' }];
  const type = await service.send('POST', `/v1/content/${TENANT}/types`, { name: 'Note', fields });
  await settle(databaseUrl);
  await write(service, type, 5);

  const parts = [];
  for (const [name, count, idle] of [
    ['no readers', 0, 0],
    ['readers that read', options.readers - options.idle, 0],
    ['and some that never do', options.readers, options.idle],
  ]) {
    parts.push({ name, ...(await part(service, type, count, idle)) });
  }
  save('streams', { circumstances: context, options: { ...options, dist: undefined }, parts });
  return print(parts);
}

async function part(service, type, count, idle) {
  await writeFile(`/proc/${service.pid}/clear_refs`, '5');
  const readers = await Promise.all(
    Array.from({ length: count }, (_, index) => StreamReader.open(service, TENANT, index >= idle)),
  );
  const cpu = await cpuOf(service.pid);
  const written = await write(service, type, options.seconds);
  const cpuSeconds = (await cpuOf(service.pid)) - cpu;
  const reading = readers.filter(({ isReading }) => isReading);
  const isComplete = () => reading.every(({ received }) => received >= written.events);
  for (const end = Date.now() + 20_000; !isComplete() && Date.now() < end;) await sleep(50);
  const lag = new Histogram();
  for (const reader of reading) lag.add(reader.lag);
  const wrong = reading.filter(({ received }) => received !== written.events).length;
  const peak_mib = (await memoryOf(service.pid, 'VmHWM')) / 1024;
  for (const reader of readers) reader.close();
  const lags = { p50_ms: lag.quantile(0.5), p99_ms: lag.quantile(0.99), most_ms: lag.quantile(1) };
  return { readers: count, idle, ...written, ...lags, wrong, peak_mib, cpu: cpuSeconds / written.seconds };
}

/** Creates entries at the rate, or as fast as the service takes them, with a few bulk requests at once. */
async function write(service, type, seconds) {
  const size = Math.round(options.rate / BATCHES_A_SECOND);
  const create = () => ({ op: 'create', content_type: type.id, fields: { title: 'x'.repeat(options.bytes) } });
  const operations = Array.from({ length: size }, create);
  const began = performance.now();
  const open = new Set();
  let batches = 0;
  for (; performance.now() - began < seconds * 1_000; batches++) {
    await sleep(Math.max(0, began + (batches * 1_000) / BATCHES_A_SECOND - performance.now()));
    const sent = service.send('POST', `/v1/content/${TENANT}/bulk`, { operations });
    open.add(sent);
    const done = sent.then(() => open.delete(sent));
    if (open.size >= AT_ONCE) await Promise.race([done, ...open]);
  }
  await Promise.all(open);
  const took = (performance.now() - began) / 1_000;
  return { events: size * batches, seconds: took, rate: (size * batches) / took };
}

async function memoryOf(pid, name) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]);
}

/** The processor time of the process, in seconds. */
async function cpuOf(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(values[11]) + Number(values[12])) / 100;
}

function print(parts) {
  console.log(`\n${options.rate} events a second for ${options.seconds} s.\n`);
  printTable(
    ['', 'readers', 'idle', 'events/s', 'lag p50, ms', 'p99', 'most', 'incomplete', 'peak, MiB', 'cores'],
    parts.map((one) => [
      one.name,
      one.readers,
      one.idle,
      short(one.rate),
      ...[one.p50_ms, one.p99_ms, one.most_ms].map(short),
      one.wrong,
      ...[one.peak_mib, one.cpu].map(short),
    ]),
  );
  const [none, reading, mixed] = parts;
  const more = mixed.peak_mib - none.peak_mib;
  const isOk = reading.wrong + mixed.wrong === 0 && mixed.p99_ms <= MOST_LAG_MS && more <= MOST_MIB;
  console.log(
    `\n${isOk ? 'Reached' : 'NOT REACHED'}: ${short(mixed.p99_ms)} ms, ${short(more)} MiB more than without readers.`,
  );
  return isOk;
}
