/** `npm run bench -- keys`: see README.md. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { readOptions, runCommand } from './command.mjs';
import { FIELDS, valuesOf } from './data.mjs';
import { Load } from './load.mjs';
import { measure as measureLoad, Measurement } from './measure.mjs';
import { Postgres, settle } from './postgres.mjs';
import { ENTRY, written } from './requests.mjs';
import { circumstances, save } from './results.mjs';
import { configure, startService, TENANT } from './service.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Compares gets of one entry, and creates, with a key of the configuration, with keys over the API, and in a session. See bench/README.md.

  npm run bench -- keys [options]

  --rounds N        rounds, in each of which every key is measured once (8)
  --seconds S       duration of one measurement (2)
  --connections N   connections that each have a request in progress (8)
  --dist DIR        the built service (dist/src)
  --note TEXT       a note to store with the results
`;
const LIMIT_MS = 600_000;
/** The target: processor time of the service for a request with a key over the API or in a session, divided by that with a configured key. */
const MOST = 1.05;
const PASSWORD = 'four unusual words of mine';

const options = readOptions(HELP, { rounds: 8, seconds: 2, connections: 8 });

await runCommand(LIMIT_MS, measure);

/** Returns whether the target is reached. */
async function measure(folder) {
  const { dist, rounds, seconds, connections } = options;
  const postgres = await Postgres.start({ dist, folder });
  const context = circumstances(options, postgres);
  const databaseUrl = await postgres.createDatabase('keys');
  const configuration = configure({ dist, folder, databaseUrl });
  const service = await startService(configuration);
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
  const bySlug = byId.replace(type.id, type.slug);
  const session = await signIn(service, configuration);
  const withKey = (key) => ({ Authorization: `Bearer ${key}` });
  const get = (path) => ({ method: 'GET', path, items: 1 });
  const create = { method: 'POST', path: `${types}/${type.id}/entries`, body: { fields: valuesOf(1) }, items: 1 };
  const cases = [
    { name: 'configuration', headers: withKey(service.key), question: get(byId) },
    { name: 'over the API', headers: withKey(await make(['content:read'])), question: get(byId) },
    { name: 'session', headers: session, question: get(byId) },
    { name: 'narrowed, path with ID', headers: withKey(narrow), question: get(byId) },
    { name: 'configuration, path with slug', headers: withKey(service.key), question: get(bySlug) },
    { name: 'narrowed, path with slug', headers: withKey(narrow), question: get(bySlug) },
    { name: 'create, configuration', headers: withKey(service.key), question: create },
    { name: 'create, session', headers: session, question: create },
  ].map((one) => ({ ...one, into: new Measurement() }));
  const load = new Load();
  for (let round = 0; round < rounds; round++) {
    for (const { headers, question, into } of inTurn(cases, round)) {
      const request = written(question, ENTRY, service.port, headers);
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
  const of = (name) => results.find((result) => result.name === name).server_cpu_us;
  const ratios = {
    'over the API': of('over the API') / of('configuration'),
    session: of('session') / of('configuration'),
    'create, session': of('create, session') / of('create, configuration'),
  };
  save('keys', { circumstances: context, options: { ...options, dist: undefined }, results, ratios });
  printTable(
    ['key', 'requests/s', 'p50, ms', 'p99, ms', 'cpu, µs', 'pg cpu, µs'],
    results.map(({ name, rps, p50_ms, p99_ms, server_cpu_us, postgres_cpu_us }) => [
      name,
      ...[rps, p50_ms, p99_ms, server_cpu_us, postgres_cpu_us].map(short),
    ]),
  );
  console.log(`\nProcessor time, divided by that with a key of the configuration (target: at most ${MOST}):`);
  for (const [name, ratio] of Object.entries(ratios)) console.log(`  ${name}: ${short(ratio)}`);
  return Object.values(ratios).every((ratio) => ratio <= MOST);
}

/** Each case comes first as often as the others. */
function inTurn(cases, round) {
  const first = round % cases.length;
  return [...cases.slice(first), ...cases.slice(0, first)];
}

/** Makes an owner, and returns the headers of a session of theirs. */
async function signIn({ url }, { env }) {
  const command = [join(options.dist, 'people/invite-command.js'), '--tenant', TENANT, '--email', 'ada@example.com'];
  const printed = execFileSync(process.execPath, [...command, '--role', 'owner'], { env, encoding: 'utf8' });
  const [token] = /tvi_[\w-]+/.exec(printed);
  const response = await fetch(`${url}/v1/invitations/${token}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', password: PASSWORD }),
  });
  const [cookie] = response.headers.getSetCookie();
  if (!response.ok) throw new Error(`The invitation was answered ${response.status}: ${await response.text()}`);
  return { Cookie: cookie.split(';')[0], 'X-Trivet-Console': '1', Origin: url };
}
