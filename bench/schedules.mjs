/** `npm run bench -- schedules`: see README.md. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readOptions, runCommand } from './command.mjs';
import { FIELDS, valuesOf } from './data.mjs';
import { Histogram } from './histogram.mjs';
import { Postgres, settle, using } from './postgres.mjs';
import { circumstances, save } from './results.mjs';
import { ServiceSeed } from './seed-service.mjs';
import { configure, startService, TENANT } from './service.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Schedules many entries for the same moment, and measures how late each is published. See bench/README.md.

  npm run bench -- schedules [options]

  --entries N   scheduled entries (10000)
  --workers N   processes with ROLE=worker (2)
  --clients N   clients that send requests before and during the storm, each one after the other (4)
  --seconds S   duration of the measurement before the storm (10)
  --dist DIR    the built service (dist/src)
  --note TEXT   a note to store with the results
`;
const LIMIT_MS = 600_000;
/** The targets. */
const LATEST_S = 60;
const SLOWEST = 2;

const options = readOptions(HELP, { entries: 10_000, workers: 2, clients: 4, seconds: 10 });

await runCommand(LIMIT_MS, measure);

/** Returns whether the targets are reached. */
async function measure(folder) {
  const { dist, entries: count } = options;
  const postgres = await Postgres.start({ dist, folder });
  const context = circumstances(options, postgres);
  const databaseUrl = await postgres.createDatabase('schedules');
  const configuration = configure({ dist, folder, databaseUrl });
  const start = (role) => startService({ ...configuration, env: { ...configuration.env, ROLE: role } });
  const api = await start('api');
  const type = await api.send('POST', `/v1/content/${TENANT}/types`, { name: 'Article', fields: FIELDS });
  const seed = await ServiceSeed.of(dist, databaseUrl);
  await seed.entries(type, 0, count);
  await settle(databaseUrl);
  const path = `/v1/content/${TENANT}/types/${type.id}/entries`;
  // A tenth has a draft.
  const at = new Date(Date.now() + 86_400_000).toISOString();
  await inLanes(16, count, async (number) => {
    const entry = `${path}/${seed.entryId(number)}`;
    if (number % 10 === 0) await api.send('PATCH', `${entry}/draft`, { fields: { title: `Draft ${number}` } });
    await api.send('PUT', `${entry}/schedule`, { publish_at: at });
  });
  await settle(databaseUrl);
  for (let worker = 0; worker < options.workers; worker++) await start('worker');

  await requests(api, path, () => sleep(2_000));
  const before = await requests(api, path, () => sleep(options.seconds * 1_000));
  const due = new Date(Date.now() + 1_000);
  await using(databaseUrl, async (client) => {
    await client.query('UPDATE entry_schedules SET publish_at = $1', [due]);
    await client.query('UPDATE scheduled_jobs SET due_at = $1, next_at = $1', [due]);
  });
  await sleep(1_000);
  const during = await requests(api, path, () => untilDone(databaseUrl));
  const result = { ...(await judge(databaseUrl, due)), before: summaryOf(before), during: summaryOf(during) };
  save('schedules', { circumstances: context, options: { ...options, dist: undefined }, ...result });
  return print(result);
}

/** Sends requests from all clients until `during` resolves. Returns their latencies. */
async function requests(api, path, during) {
  const latencies = new Histogram();
  let isOver = false;
  const client = async (number) => {
    const own = await api.send('POST', path, { fields: valuesOf(1_000_000 + number) });
    for (let turn = 0; !isOver; turn++) {
      const began = performance.now();
      if (turn % 3 === 0) await api.send('GET', `${path}?per_page=10`);
      else if (turn % 3 === 1) await api.send('GET', `${path}?sort=-title&per_page=10`);
      else await api.send('PATCH', `${path}/${own.id}`, { fields: { title: `ConnectionPermit ${turn}` } });
      latencies.record((performance.now() - began) * 1_000);
    }
  };
  const clients = Array.from({ length: options.clients }, (_, number) => client(number));
  await during();
  isOver = true;
  await Promise.all(clients);
  return latencies;
}

async function untilDone(databaseUrl) {
  await using(databaseUrl, async (client) => {
    for (;;) {
      const { rows } = await client.query('SELECT 1 FROM scheduled_jobs LIMIT 1');
      if (rows.length === 0) return;
      await sleep(200);
    }
  });
}

/** How late the versions are, and whether each entry has exactly one that a schedule made. */
async function judge(databaseUrl, due) {
  return using(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT resource_id, extract(epoch FROM at - $1::timestamptz)::float8 AS late FROM versions
       WHERE summary LIKE '{"action":"scheduled"%' ORDER BY late`,
      [due],
    );
    const late = (share) => rows[Math.min(rows.length - 1, Math.floor(share * rows.length))]?.late;
    return {
      published: new Set(rows.map(({ resource_id: id }) => id)).size,
      repeated: rows.length - new Set(rows.map(({ resource_id: id }) => id)).size,
      failed: (await client.query('SELECT 1 FROM entry_schedules')).rows.length,
      first_s: late(0),
      p50_s: late(0.5),
      last_s: late(1),
      rate: rows.length / late(1),
    };
  });
}

function summaryOf(latencies) {
  const requests = Object.values(latencies.counts).reduce((sum, count) => sum + count, 0);
  return { requests, p50_ms: latencies.quantile(0.5), p99_ms: latencies.quantile(0.99) };
}

function print({ published, repeated, failed, first_s, p50_s, last_s, rate, before, during }) {
  console.log(`\n${options.entries} entries for one moment, ${options.workers} workers.\n`);
  printTable(
    ['published', 'twice', 'failed', 'first, s late', 'p50', 'last', 'entries/s'],
    [[published, repeated, failed, ...[first_s, p50_s, last_s, rate].map(short)]],
  );
  console.log('\nRequests meanwhile, in ms.\n');
  printTable(
    ['', 'requests', 'p50', 'p99'],
    [
      ['before', before],
      ['during', during],
    ].map(([name, { requests: count, p50_ms, p99_ms }]) => [name, count, short(p50_ms), short(p99_ms)]),
  );
  const slower = during.p50_ms / before.p50_ms;
  const isOk = published === options.entries && repeated === 0 && failed === 0 && last_s < LATEST_S && slower < SLOWEST;
  console.log(`\n${isOk ? 'Reached' : 'NOT REACHED'}: ${short(slower)} times the median latency, ${short(last_s)} s.`);
  return isOk;
}

/** Runs `work` for the numbers 0 to `count`, some at a time. */
async function inLanes(lanes, count, work) {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
