/** `npm run bench -- schema`: see README.md. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readOptions, runCommand } from './command.mjs';
import { FIELDS, valuesOf } from './data.mjs';
import { Postgres, settle, using } from './postgres.mjs';
import { circumstances, save } from './results.mjs';
import { ServiceSeed } from './seed-service.mjs';
import { configure, startService, TENANT } from './service.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Renames a field of a large content type and tightens another, while its entries are written and read. Measures how long each request
waits. See bench/README.md.

  npm run bench -- schema [options]

  --entries N   entries of the content type (100000)
  --drafts N    of which this many have a draft (0)
  --writers N   clients that update and create entries, each one request after the other (4)
  --readers N   clients that read lists and entries (2)
  --seconds S   duration of the measurement before the changes (10)
  --dist DIR    the built service (dist/src)
  --note TEXT   a note to store with the results
`;
const LIMIT_MS = 3_600_000;
/** The target: no write waits longer. */
const LONGEST_MS = 1_000;

const options = readOptions(HELP, { entries: 100_000, drafts: 0, writers: 4, readers: 2, seconds: 10 });

await runCommand(LIMIT_MS, measure);

/** Returns whether the target is reached. */
async function measure(folder) {
  const { dist, entries: count, drafts, seconds } = options;
  const postgres = await Postgres.start({ dist, folder });
  const context = circumstances(options, postgres);
  const databaseUrl = await postgres.createDatabase('schema');
  const service = await startService(configure({ dist, folder, databaseUrl }));
  const type = await service.send('POST', `/v1/content/${TENANT}/types`, { name: 'Article', fields: FIELDS });
  const seed = await ServiceSeed.of(dist, databaseUrl);
  await seed.entries(type, 0, count);
  await using(databaseUrl, (client) => addDrafts(client, drafts));
  await settle(databaseUrl);

  const path = `/v1/content/${TENANT}/types/${type.id}`;
  const scene = { service, path, seed, title: new Set(['title']) };
  await requests(scene, () => sleep(2_000));
  const rows = [{ name: 'before', ...(await requests(scene, () => sleep(seconds * 1_000))) }];
  const renamed = FIELDS.map((field) =>
    field.name === 'title' ? { ...field, name: 'headline', renamed_from: 'title' } : field,
  );
  const tightened = FIELDS.map((field) =>
    field.name === 'title'
      ? { ...field, name: 'headline' }
      : field.name === 'subtitle'
        ? { ...field, max: 500 }
        : field,
  );
  for (const [name, fields] of [
    ['rename', renamed],
    ['tighten', tightened],
  ]) {
    const began = performance.now();
    const during = await requests(scene, () => changed(service, path, fields));
    rows.push({ name, total_s: (performance.now() - began) / 1_000, ...during });
  }
  save('schema', { circumstances: context, options: { ...options, dist: undefined }, rows });
  return print(rows);
}

/** Gives the first entries a draft each. */
async function addDrafts(client, count) {
  if (count === 0) return;
  await client.query(
    `WITH drafted AS (
       UPDATE entries SET drafted = true WHERE id IN (SELECT id FROM entries ORDER BY id LIMIT $1)
       RETURNING tenant_id, content_type_id, id, version
     )
     INSERT INTO entry_drafts (tenant_id, content_type_id, entry_id, number, fields, bases, links, size, base_version, created_at, updated_at)
     SELECT tenant_id, content_type_id, id, 1, '{"title":"Draft"}', '{"title":null}', 0, 17, version, now(), now() FROM drafted`,
    [count],
  );
}

async function changed(service, path, fields) {
  const response = await fetch(`${service.url}${path}`, {
    method: 'PUT',
    headers: { ...service.headers, 'Content-Type': 'application/json', Prefer: 'respond-async' },
    body: JSON.stringify({ fields }),
  });
  if (response.status !== 202) throw new Error(`The change was answered with ${response.status}.`);
  for (;;) {
    await sleep(200);
    const { state, problem } = await service.send('GET', response.headers.get('location'));
    if (state === 'done') return;
    if (state === 'failed') throw new Error(`The change failed: ${problem.detail}`);
  }
}

/** Sends requests from all clients until `during` resolves. Returns how long they took. */
async function requests({ service, path, seed, title }, during) {
  const taken = { write: [], read: [] };
  let isOver = false;
  const timed = async (kind, request) => {
    const began = performance.now();
    const result = await request();
    taken[kind].push(performance.now() - began);
    return result;
  };
  // A writer learns the new name of the field from the first 422.
  const write = async (method, at, rest) => {
    for (const name of [...title, 'headline']) {
      const fields = { ...rest, [name]: `ConnectionPermit ${performance.now()}` };
      const written = await timed('write', () => service.send(method, at, { fields }, [422]));
      if (written) return;
      title.clear();
      title.add('headline');
    }
    throw new Error('No name of the field was accepted.');
  };
  const writer = async (number) => {
    for (let turn = 0; !isOver; turn++) {
      const rest = { ...valuesOf(turn), title: undefined };
      const entry = seed.entryId((turn * 7_919 + number) % options.entries);
      if (turn % 5 === 0) await write('POST', `${path}/entries`, rest);
      else await write('PATCH', `${path}/entries/${entry}`, {});
    }
  };
  const reader = async (number) => {
    for (let turn = 0; !isOver; turn++) {
      const entry = seed.entryId((turn * 7_919 + number) % options.entries);
      if (turn % 2 === 0) await timed('read', () => service.send('GET', `${path}/entries?sort=-price&per_page=10`));
      else await timed('read', () => service.send('GET', `${path}/entries/${entry}`));
    }
  };
  const clients = [
    ...Array.from({ length: options.writers }, (_, number) => writer(number)),
    ...Array.from({ length: options.readers }, (_, number) => reader(number)),
  ];
  await Promise.race([during(), Promise.all(clients)]);
  isOver = true;
  await Promise.all(clients);
  return { write: summaryOf(taken.write), read: summaryOf(taken.read) };
}

function summaryOf(milliseconds) {
  const sorted = milliseconds.sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { requests: sorted.length, p50_ms: at(0.5), p99_ms: at(0.99), longest_ms: at(1) };
}

function print(rows) {
  console.log(`\n${options.entries} entries, ${options.drafts} drafts.\n`);
  const cells = ({ requests: count, p50_ms, p99_ms, longest_ms }) => [
    count,
    ...[p50_ms, p99_ms, longest_ms].map(short),
  ];
  printTable(
    ['', 'change, s', 'writes', 'p50, ms', 'p99', 'longest', 'reads', 'p50, ms', 'p99', 'longest'],
    rows.map(({ name, total_s, write, read }) => [
      name,
      total_s === undefined ? '' : short(total_s),
      ...cells(write),
      ...cells(read),
    ]),
  );
  const longest = Math.max(...rows.map(({ write }) => write.longest_ms));
  const isReached = longest <= LONGEST_MS;
  console.log(`\n${isReached ? 'Reached' : 'NOT REACHED'}: the longest write took ${short(longest)} ms.`);
  return isReached;
}
