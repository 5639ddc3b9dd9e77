/** `npm run bench -- mcp`: see README.md. */
import { readOptions, runCommand } from './command.mjs';
import { FIELDS, valuesOf } from './data.mjs';
import { Load } from './load.mjs';
import { measure as measureLoad, Measurement } from './measure.mjs';
import { Postgres, settle } from './postgres.mjs';
import { ENTRY, written } from './requests.mjs';
import { circumstances, save } from './results.mjs';
import { configure, startService, TENANT } from './service.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Compares getting an entry over the API and as an assistant. See bench/README.md.

  npm run bench -- mcp [options]

  --rounds N        rounds, in each of which every request is measured once (8)
  --seconds S       duration of one measurement (2)
  --connections N   connections that each have a request in progress (1)
  --dist DIR        the built service (dist/src)
  --note TEXT       a note to store with the results
`;
const LIMIT_MS = 600_000;
/** The target: processor time of the service for a tool that gets an entry, divided by that of the API. The SDK takes the larger part of it. */
const MOST = 6;
const HEADERS = { Accept: 'application/json, text/event-stream' };

const CLIENT = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };

const options = readOptions(HELP, { rounds: 8, seconds: 2, connections: 1 });

await runCommand(LIMIT_MS, measure);

/** Returns whether the target is reached. */
async function measure(folder) {
  const { dist, rounds, seconds, connections } = options;
  const postgres = await Postgres.start({ dist, folder });
  const context = circumstances(options, postgres);
  const databaseUrl = await postgres.createDatabase('mcp');
  const service = await startService(configure({ dist, folder, databaseUrl }));
  const types = `/v1/content/${TENANT}/types`;
  const type = await service.send('POST', types, { name: 'Article', fields: FIELDS });
  const path = `${types}/${type.id}/entries`;
  const entry = await service.send('POST', path, { fields: valuesOf(0), status: 'published' });
  for (let index = 1; index < 25; index++) await service.send('POST', path, { fields: valuesOf(index) });
  await settle(databaseUrl);
  const [ofEntry, ofType] = [{ entry_id: entry.id }, { content_type: type.id }];
  const cases = [
    { name: 'API: the entry', method: 'GET', path: `${path}/${entry.id}`, items: 1 },
    { name: 'get_entry with its content type', ...call('get_entry', { ...ofType, ...ofEntry }), items: 1 },
    { name: 'get_entry', ...call('get_entry', ofEntry), items: 1 },
    { name: 'API: 25 entries', method: 'GET', path, items: 25 },
    { name: 'search_entries, 25', ...call('search_entries', ofType), items: 25 },
    { name: 'initialize', ...message('initialize', CLIENT), items: 1, marker: '"serverInfo":' },
    { name: 'tools/list', ...message('tools/list', {}), items: 12, marker: '"inputSchema":' },
  ].map((one) => ({ ...one, into: new Measurement() }));
  const load = new Load();
  for (let round = 0; round < rounds; round++) {
    // Each case comes first as often as the others.
    for (const one of [...cases.slice(round % cases.length), ...cases.slice(0, round % cases.length)]) {
      const request = written(one, one.marker ?? ENTRY, service.port, { ...service.headers, ...HEADERS });
      await measureLoad(load, {
        server: service,
        postgres,
        requests: [{ ...request, status: 200 }],
        connections,
        warmUp: 300,
        milliseconds: seconds * 1_000,
        into: one.into,
      });
    }
  }
  const results = cases.map(({ name, into }) => ({ name, ...into.summary() }));
  const [byApi, byTool] = results;
  const ratio = byTool.server_cpu_us / byApi.server_cpu_us;
  save('mcp', { circumstances: context, options: { ...options, dist: undefined }, results, ratio });
  printTable(
    ['request', 'requests/s', 'p50, ms', 'p99, ms', 'cpu, µs', 'pg cpu, µs'],
    results.map(({ name, rps, p50_ms, p99_ms, server_cpu_us, postgres_cpu_us }) => [
      name,
      ...[rps, p50_ms, p99_ms, server_cpu_us, postgres_cpu_us].map(short),
    ]),
  );
  console.log(
    `\nProcessor time of the tool / of the API: ${short(ratio)} (target: at most ${MOST}). ` +
      `Median: ${short(byTool.p50_ms / byApi.p50_ms)} times as long.`,
  );
  return ratio <= MOST;
}

function message(method, params) {
  return { method: 'POST', path: `/mcp/${TENANT}`, body: { jsonrpc: '2.0', id: 1, method, params } };
}

function call(name, args) {
  return message('tools/call', { name, arguments: args });
}
