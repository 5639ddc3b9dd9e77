/**
 * `--soak`: runs only the service under mixed reads and writes for a long time, to see whether memory, latency and the tables' bloat stay
 * constant.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Load } from './load.mjs';
import { measure, Measurement } from './measure.mjs';
import { settle, using } from './postgres.mjs';
import { memoryOf } from './processes.mjs';
import { written } from './requests.mjs';
import { circumstances, save } from './results.mjs';
import { setScene } from './scene.mjs';
import { startService } from './service.mjs';
import { printTable, short } from './table.mjs';
import { workloadsOf } from './workloads.mjs';

/** Requests of each kind in a hundred. */
const MIX = { get: 40, newest: 15, filter: 10, search: 5, sort: 5, create: 8, update: 16, submit: 1 };
/** How often the mix is repeated with other requests. Equally many addresses submit, so that none exceeds the limit. */
const VARIETY = 500;
const MINUTE = 60_000;
/** The number of new entries that each round deletes during the load. */
const DELETIONS = 100;

const TABLES = `
  SELECT relname AS name, n_live_tup::int AS live, n_dead_tup::int AS dead, pg_total_relation_size(relid)::float8 AS bytes
  FROM pg_stat_user_tables WHERE n_tup_ins > 0 ORDER BY bytes DESC`;

export async function soak({ options, postgres, folder }) {
  const { entries, connections, minutes } = options;
  const context = circumstances(options, postgres);
  const scene = await setScene({ options, postgres, folder });
  console.log(`Seeding ${entries.toLocaleString('en')} entries ...`);
  await scene.seed.entries(scene.type, 0, entries);
  await settle(scene.databaseUrl);
  const service = await startService(scene.configuration);
  const load = new Load();
  const requests = mixed(scene, entries, service);
  const deleting = deleteNew(service, scene.path);

  const samples = [];
  for (let minute = 1; minute <= minutes; minute++) {
    const into = new Measurement();
    await measure(load, { server: service, postgres, requests, connections, warmUp: 0, milliseconds: MINUTE, into });
    const tables = await using(scene.databaseUrl, async (client) => (await client.query(TABLES)).rows);
    samples.push({ minute, ...into.summary(), rss_mib: await memoryOf(service.pid), tables });
    const { rps, p50_ms, p99_ms, rss_mib } = samples.at(-1);
    console.log(
      `minute ${minute}: ${short(rps)} requests per second, p50 ${short(p50_ms)}, p99 ${short(p99_ms)} ms, ${short(rss_mib)} MiB`,
    );
  }
  await deleting.stop();
  print(samples);
  save('soak', { circumstances: context, entries, connections, mix: MIX, samples });
  return true;
}

/**
 * The requests of the comparison in the proportions of the mix, spread evenly. Checks only their status, because their results keep
 * changing.
 */
function mixed({ path, formPath, seed }, entries, service) {
  const workloads = workloadsOf({ entries, path, formPath, entryId: (number) => seed.entryId(number) });
  const places = Object.entries(MIX).flatMap(([name, share]) => {
    const { questions, marker } = workloads.find((workload) => workload.name === name);
    const all = questions();
    return Array.from({ length: share * VARIETY }, (_, index) => ({
      at: (index + 0.5) / (share * VARIETY),
      request: { ...written(all[index % all.length], marker, service.port, service.headers), items: undefined },
    }));
  });
  return places.sort((a, b) => a.at - b.at).map(({ request }) => request);
}

/** Deletes new entries as fast as they are created, so that the number of matches stays constant. */
function deleteNew(service, path) {
  let stopped = false;
  const start = new Date().toISOString();
  const done = (async () => {
    while (!stopped) {
      const newest = await service.send('GET', `${path}?cursor=&per_page=${DELETIONS}`);
      const created = newest.filter(({ created_at }) => created_at >= start);
      await Promise.all(created.map(({ id }) => service.send('DELETE', `${path}/${id}`, undefined, [404])));
      if (created.length < DELETIONS) await sleep(500);
    }
  })();
  return {
    stop() {
      stopped = true;
      return done;
    },
  };
}

function print(samples) {
  const shown = samples.filter(({ minute }) => minute === 1 || minute % 4 === 0 || minute === samples.length);
  const bytesOf = (name, { tables }) => tables.find((table) => table.name === name);
  const names = samples
    .at(-1)
    .tables.slice(0, 8)
    .map(({ name }) => name);
  console.log('\nFigures of these minutes; below, MiB of a table with its indexes, and its bytes per live row\n');
  printTable(
    ['minute', ...shown.map(({ minute }) => String(minute))],
    [
      ...[
        ['requests per second', 'rps'],
        ['p50, ms', 'p50_ms'],
        ['p99, ms', 'p99_ms'],
        ['server, µs per request', 'server_cpu_us'],
        ['PostgreSQL, µs per request', 'postgres_cpu_us'],
        ['memory, MiB', 'rss_mib'],
      ].map(([title, key]) => [title, ...shown.map((sample) => short(sample[key]))]),
      ...names.map((name) => [
        name,
        ...shown.map((sample) => {
          const { bytes, live } = bytesOf(name, sample) ?? { bytes: 0, live: 0 };
          return `${short(bytes / 2 ** 20)} (${short(bytes / Math.max(1, live))})`;
        }),
      ]),
    ],
  );
}
