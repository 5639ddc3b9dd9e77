/** `npm run bench -- distributed`: see README.md. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions, runCommand } from './command.mjs';
import { FIELDS, FORM_FIELDS, submissionOf, valuesOf } from './data.mjs';
import { configure, startService, TENANT } from './service.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Compares the latencies of a plain database with those of a distributed one. See bench/README.md.

  npm run bench -- distributed --plain URL --citus URL [options]

  --plain URL    an empty database
  --citus URL    an empty database that npm run distribute has distributed
  --entries N    entries of the type (2000)
  --times N      requests of each kind (200)
  --dist DIR     the built service (dist/src)
`;
/** The medians of a distributed database, divided by those of a plain one. */
const MOST = { read: 2, write: 4 };
const WARM_UP = 30;
const LIMIT_MS = 900_000;

const options = readOptions(HELP, { plain: '', citus: '', entries: 2_000, times: 200 });

await runCommand(LIMIT_MS, measure);

/** Returns whether the targets are reached. */
async function measure(folder) {
  const { plain, citus, entries, times } = options;
  if (plain === '' || citus === '') throw new Error('--plain and --citus are required.');
  const sides = [];
  for (const [name, databaseUrl] of Object.entries({ plain, citus })) {
    const home = join(folder, name);
    mkdirSync(home);
    sides.push(await setUp(await startService(configure({ dist: options.dist, folder: home, databaseUrl })), entries));
  }
  let number = entries;
  const kinds = [
    { name: 'get', kind: 'read', ask: ({ service, path, ids }) => service.send('GET', `${path}/${one(ids)}`) },
    { name: 'newest 25', kind: 'read', ask: ({ service, path }) => service.send('GET', path) },
    {
      name: 'filter, exact title',
      kind: 'read',
      ask: ({ service, path }) => {
        const title = encodeURIComponent(valuesOf(Math.floor(Math.random() * entries)).title);
        return service.send('GET', `${path}?filter[title]=${title}`);
      },
    },
    {
      name: 'search',
      kind: 'read',
      ask: ({ service, path }) => {
        const [word] = valuesOf(Math.floor(Math.random() * entries)).title.split(' ');
        return service.send('GET', `${path}?search=${encodeURIComponent(word)}`);
      },
    },
    {
      name: 'create',
      kind: 'write',
      ask: ({ service, path }) => service.send('POST', path, { fields: valuesOf(number++) }),
    },
    {
      name: 'update',
      kind: 'write',
      ask: ({ service, path, ids }) => service.send('PATCH', `${path}/${one(ids)}`, { fields: { stock: number++ } }),
    },
    {
      name: 'submit a form',
      kind: 'write',
      ask: ({ service, submissions }) => submit(service, submissions, number++),
    },
  ];
  const rows = [];
  for (const { name, kind, ask } of kinds) {
    const durations = sides.map(() => []);
    for (let round = -WARM_UP; round < times; round++) {
      for (const [index, side] of sides.entries()) {
        const began = performance.now();
        await ask(side);
        if (round >= 0) durations[index].push(performance.now() - began);
      }
    }
    const medians = durations.map((all) => all.sort((a, b) => a - b)[all.length >> 1]);
    rows.push({ name, kind, medians, ratio: medians[1] / medians[0] });
  }
  console.log('\nMedians of one connection, in ms.\n');
  printTable(
    ['', 'plain', 'distributed', 'ratio', 'at most'],
    rows.map(({ name, kind, medians, ratio }) => [name, ...medians.map(short), short(ratio), short(MOST[kind])]),
  );
  const isReached = rows.every(({ kind, ratio }) => ratio <= MOST[kind]);
  console.log(`\n${isReached ? 'Reached' : 'NOT REACHED'}`);
  return isReached;
}

async function setUp(service, entries) {
  const types = `/v1/content/${TENANT}/types`;
  const type = await service.send('POST', types, { name: 'Article', fields: FIELDS });
  const form = await service.send('POST', `/v1/forms/${TENANT}`, { name: 'Contact', fields: FORM_FIELDS });
  const path = `${types}/${type.id}/entries`;
  const ids = [];
  for (let from = 0; from < entries; from += 500) {
    const operations = [];
    for (let number = from; number < Math.min(entries, from + 500); number++) {
      operations.push({ op: 'create', content_type: type.slug, fields: valuesOf(number), status: 'published' });
    }
    const results = await service.send('POST', `/v1/content/${TENANT}/bulk`, { operations });
    ids.push(...results.map(({ entry_id: id }) => id));
  }
  return { service, path, ids, submissions: `/v1/forms/${TENANT}/${form.id}/submissions` };
}

/** Submits from an address of its own, because each address is limited. */
async function submit({ url }, path, number) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `10.0.${(number >> 8) & 255}.${number & 255}` },
    body: JSON.stringify({ fields: submissionOf(number) }),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`A submission was answered with ${response.status}: ${text}`);
}

function one(list) {
  return list[Math.floor(Math.random() * list.length)];
}
