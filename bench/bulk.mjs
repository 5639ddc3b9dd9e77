/** `npm run bench:bulk`: see README.md. */
import { readOptions, runCommand } from './command.mjs';
import { FIELDS, valuesOf } from './data.mjs';
import { Load } from './load.mjs';
import { Measurement, measure } from './measure.mjs';
import { Postgres, settle } from './postgres.mjs';
import { circumstances, save } from './results.mjs';
import { configure, startService, TENANT } from './service.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Compares single creates with bulk creates of the same entries. See bench/README.md.

  npm run bench:bulk -- [options]

  --operations N    creates in a bulk request (500)
  --connections N   connections that send single creates (32)
  --bulk N          connections that send bulk requests (2: a tenant may have two in progress)
  --seconds S       duration of each window (5)
  --rounds N        windows of each kind, in turns (3)
  --dist DIR        the built service (dist/src)
  --note TEXT       a note to store with the results
`;
/** Bulk must be at least this many times as fast. */
const TARGET = 3;
const LIMIT_MS = 600_000;
/** Different requests of a kind. They are repeated. */
const REQUESTS = { single: 2_000, bulk: 20 };

const options = readOptions(HELP, { operations: 500, connections: 32, bulk: 2, seconds: 5, rounds: 3 });

await runCommand(LIMIT_MS, compare);

/** Returns whether the target is reached. */
async function compare(folder) {
  const { dist, operations, connections, rounds, seconds } = options;
  const postgres = await Postgres.start({ dist, folder });
  const context = circumstances(options, postgres);
  const databaseUrl = await postgres.createDatabase('bulk');
  const service = await startService(configure({ dist, folder, databaseUrl }));
  const type = await service.send('POST', `/v1/content/${TENANT}/types`, { name: 'Article', fields: FIELDS });
  await settle(databaseUrl);

  const post = (path, body, status, marker) => {
    const text = JSON.stringify(body);
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: application/json`;
    return { text: `${head}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`, status, items: 1, marker };
  };
  const entries = `/v1/content/${TENANT}/types/${type.id}/entries`;
  const kinds = {
    single: {
      connections,
      entries: 1,
      requests: Array.from({ length: REQUESTS.single }, (_, index) =>
        post(entries, { fields: valuesOf(index) }, 201, '"content_type_id":'),
      ),
    },
    bulk: {
      connections: options.bulk,
      entries: operations,
      requests: Array.from({ length: REQUESTS.bulk }, (_, index) => {
        const create = (number) => ({ op: 'create', content_type: type.id, fields: valuesOf(number) });
        const list = Array.from({ length: operations }, (_none, place) => create(index * operations + place));
        return post(`/v1/content/${TENANT}/bulk`, { operations: list }, 200, '"meta":');
      }),
    },
  };
  const load = new Load();
  const results = { single: new Measurement(), bulk: new Measurement() };
  for (let round = 0; round < rounds; round++) {
    for (const [name, kind] of Object.entries(kinds)) {
      const window = { warmUp: round === 0 ? 2_000 : 500, milliseconds: seconds * 1_000, into: results[name] };
      await measure(load, { server: service, postgres, ...kind, ...window });
    }
  }
  const rows = Object.entries(kinds).map(([name, kind]) => {
    const { rps, p50_ms, p99_ms, server_cpu_us, postgres_cpu_us } = results[name].summary();
    const each = [server_cpu_us, postgres_cpu_us].map((cpu) => cpu / kind.entries);
    return { name, connections: kind.connections, rate: rps * kind.entries, p50_ms, p99_ms, each };
  });
  const ratio = rows[1].rate / rows[0].rate;
  save('bulk', { circumstances: context, options: { ...options, dist: undefined }, rows, ratio });
  console.log(`\nThe same entries, created one by one and ${operations} a request.\n`);
  printTable(
    ['', 'connections', 'entries/s', 'p50, ms', 'p99, ms', 'cpu/entry, µs', 'pg cpu/entry, µs'],
    rows.map((row) => [row.name, row.connections, ...[row.rate, row.p50_ms, row.p99_ms, ...row.each].map(short)]),
  );
  console.log(`\n${ratio >= TARGET ? 'Reached' : 'NOT REACHED'}: ${short(ratio)} times the entries a second.`);
  return ratio >= TARGET;
}
