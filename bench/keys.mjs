/** `npm run bench -- keys`: see README.md. */
import { readOptions, runCommand } from './command.mjs';
import { FIELDS, valuesOf } from './data.mjs';
import { Load } from './load.mjs';
import { measure as measureLoad, Measurement } from './measure.mjs';
import { Postgres, settle } from './postgres.mjs';
import { ENTRY, written } from './requests.mjs';
import { circumstances, save } from './results.mjs';
import { configure, startService, TENANT } from './service.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Compares gets of one entry with a key of the configuration and with keys over the API. See bench/README.md.

  npm run bench -- keys [options]

  --rounds N        rounds, in each of which every key is measured once (8)
  --seconds S       duration of one measurement (2)
  --connections N   connections that each have a request in progress (8)
  --dist DIR        the built service (dist/src)
  --note TEXT       a note to store with the results
`;
const LIMIT_MS = 600_000;
/** The target: processor time of the service for a request with a key over the API, divided by that with a configured key. */
const MOST = 1.05;

const options = readOptions(HELP, { rounds: 8, seconds: 2, connections: 8 });

await runCommand(LIMIT_MS, measure);

/** Returns whether the target is reached. */
async function measure(folder) {
  const { dist, rounds, seconds, connections } = options;
  const postgres = await Postgres.start({ dist, folder });
  const context = circumstances(options, postgres);
  const databaseUrl = await postgres.createDatabase('keys');
  const service = await startService(configure({ dist, folder, databaseUrl }));
  const types = `/v1/content/${TENANT}/types`;
  const type = await service.send('POST', types, { name: 'Article', fields: FIELDS });
  const entry = await service.send('POST', `${types}/${type.id}/entries`, {
    fields: valuesOf(0),
    status: 'published',
  });
  await settle(databaseUrl);
  const make = async (scopes) => (await service.send('POST', `/v1/keys/${TENANT}`, { name: 'bench', scopes })).key;
  const narrow = await make([`content:read:published@${type.id}`]);
  const byId = `${types}/${type.id}/entries/${entry.id}`;
  const cases = [
    { name: 'configuration', key: service.key, path: byId },
    { name: 'over the API', key: await make(['content:read']), path: byId },
    { name: 'narrowed, path with ID', key: narrow, path: byId },
    { name: 'configuration, path with slug', key: service.key, path: byId.replace(type.id, type.slug) },
    { name: 'narrowed, path with slug', key: narrow, path: byId.replace(type.id, type.slug) },
  ].map((one) => ({ ...one, into: new Measurement() }));
  const load = new Load();
  for (let round = 0; round < rounds; round++) {
    // Each case comes first as often as the others.
    for (const { key, path, into } of [...cases.slice(round % cases.length), ...cases.slice(0, round % cases.length)]) {
      const request = written({ method: 'GET', path, items: 1 }, ENTRY, service.port, {
        Authorization: `Bearer ${key}`,
      });
      const milliseconds = seconds * 1_000;
      await measureLoad(load, {
        server: service,
        postgres,
        requests: [request],
        connections,
        warmUp: 300,
        milliseconds,
        into,
      });
    }
  }
  const results = cases.map(({ name, into }) => ({ name, ...into.summary() }));
  const [configured, issued] = results;
  const ratio = issued.server_cpu_us / configured.server_cpu_us;
  save('keys', { circumstances: context, options: { ...options, dist: undefined }, results, ratio });
  printTable(
    ['key', 'requests/s', 'p50, ms', 'p99, ms', 'cpu, µs', 'pg cpu, µs'],
    results.map(({ name, rps, p50_ms, p99_ms, server_cpu_us, postgres_cpu_us }) => [
      name,
      ...[rps, p50_ms, p99_ms, server_cpu_us, postgres_cpu_us].map(short),
    ]),
  );
  console.log(`\nProcessor time over the API / of the configuration: ${short(ratio)} (target: at most ${MOST}).`);
  return ratio <= MOST;
}
