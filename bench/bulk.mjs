/** `npm run bench -- bulk`: see README.md. */
import { readOptions, runCommand } from './command.mjs';
import { FIELDS, SHORT_FIELDS, shortValuesOf, valuesOf } from './data.mjs';
import { Load } from './load.mjs';
import { Measurement, measure } from './measure.mjs';
import { Postgres, settle } from './postgres.mjs';
import { circumstances, save } from './results.mjs';
import { configure, startService, TENANT } from './service.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Compares single creates with bulk creates of the same entries, long and short. See bench/README.md.

  npm run bench -- bulk [options]

  --operations N    creates in a bulk request (500)
  --connections N   connections that send single creates (32)
  --bulk N          connections that send bulk requests (1; a tenant may have two in progress)
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
const ENTRIES = [
  { length: 'long', fields: FIELDS, valuesOf },
  { length: 'short', fields: SHORT_FIELDS, valuesOf: shortValuesOf },
];

const options = readOptions(HELP, { operations: 500, connections: 32, bulk: 1, seconds: 5, rounds: 3 });

await runCommand(LIMIT_MS, compare);

/** Returns whether the target is reached. */
async function compare(folder) {
  const { dist } = options;
  const postgres = await Postgres.start({ dist, folder });
  const context = circumstances(options, postgres);
  const databaseUrl = await postgres.createDatabase('bulk');
  const service = await startService(configure({ dist, folder, databaseUrl }));
  const load = new Load();
  const rows = [];
  for (const entries of ENTRIES) {
    const kinds = await kindsOf(service, entries);
    await settle(databaseUrl);
    const measured = await inTurns(kinds, { load, server: service, postgres });
    rows.push(...measured.map((row) => ({ length: entries.length, ...row })));
  }
  const ratios = Object.fromEntries(ENTRIES.map(({ length }) => [length, ratioOf(rows, length)]));
  save('bulk', { circumstances: context, options: { ...options, dist: undefined }, rows, ratios });
  print(rows, ratios);
  return Object.values(ratios).every((ratio) => ratio >= TARGET);
}

/** The requests that create entries one by one, and many at once. */
async function kindsOf(service, { length, fields, valuesOf: valuesOfEntry }) {
  const { operations, connections } = options;
  const type = await service.send('POST', `/v1/content/${TENANT}/types`, { name: `${length} entry`, fields });
  const post = (path, body, status, marker) => {
    const text = JSON.stringify(body);
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: application/json`;
    return { text: `${head}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`, status, items: 1, marker };
  };
  const entries = `/v1/content/${TENANT}/types/${type.id}/entries`;
  return {
    single: {
      connections,
      entries: 1,
      requests: Array.from({ length: REQUESTS.single }, (_, index) =>
        post(entries, { fields: valuesOfEntry(index) }, 201, '"content_type_id":'),
      ),
    },
    bulk: {
      connections: options.bulk,
      entries: operations,
      requests: Array.from({ length: REQUESTS.bulk }, (_, index) => {
        const create = (number) => ({ op: 'create', content_type: type.id, fields: valuesOfEntry(number) });
        const list = Array.from({ length: operations }, (_none, place) => create(index * operations + place));
        return post(`/v1/content/${TENANT}/bulk`, { operations: list }, 200, '"meta":');
      }),
    },
  };
}

/** Sends both kinds of requests in turns. */
async function inTurns(kinds, { load, ...servers }) {
  const { rounds, seconds } = options;
  const results = { single: new Measurement(), bulk: new Measurement() };
  for (let round = 0; round < rounds; round++) {
    for (const [name, kind] of Object.entries(kinds)) {
      const window = { warmUp: round === 0 ? 2_000 : 500, milliseconds: seconds * 1_000, into: results[name] };
      await measure(load, { ...servers, ...kind, ...window });
    }
  }
  return Object.entries(kinds).map(([name, kind]) => {
    const { rps, p50_ms, p99_ms, server_cpu_us, postgres_cpu_us } = results[name].summary();
    const each = [server_cpu_us, postgres_cpu_us].map((cpu) => cpu / kind.entries);
    return { name, connections: kind.connections, rate: rps * kind.entries, p50_ms, p99_ms, each };
  });
}

function ratioOf(rows, length) {
  const [single, bulk] = rows.filter((row) => row.length === length);
  return bulk.rate / single.rate;
}

function print(rows, ratios) {
  console.log(`\nThe same entries, created one by one and ${options.operations} a request.\n`);
  printTable(
    ['', 'connections', 'entries/s', 'p50, ms', 'p99, ms', 'cpu/entry, µs', 'pg cpu/entry, µs'],
    rows.map((row) => [
      `${row.length}, ${row.name}`,
      row.connections,
      ...[row.rate, row.p50_ms, row.p99_ms, ...row.each].map(short),
    ]),
  );
  console.log('');
  for (const [length, ratio] of Object.entries(ratios)) {
    const verdict = ratio >= TARGET ? 'Reached' : 'NOT REACHED';
    console.log(`${verdict} with ${length} entries: ${short(ratio)} times the entries a second.`);
  }
}
