/** `npm run bench -- cli`: see COMMANDS.md. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { readOptions, runCommand } from './command.mjs';
import { valuesOf, FIELDS, FORM_FIELDS, submissionOf } from './data.mjs';
import { Postgres } from './postgres.mjs';
import { residentMib } from './processes.mjs';
import { circumstances, save } from './results.mjs';
import { configure, startService, TENANT } from './service.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Pushes a schema with the command line, and moves a tenant from one service to another with export and restore. See bench/COMMANDS.md.

  npm run bench -- cli [options]

  --types N         content types of the schema (50)
  --entries N       entries to move (100000)
  --submissions N   submissions to move (10000)
  --media N         media files to move (100)
  --drafts N        drafts to move (1000)
  --dist DIR        the built service (dist/src)
  --note TEXT       a note to store with the results
`;
const PROGRAM = fileURLToPath(new URL('../cli/dist/trivet.js', import.meta.url));
/** The most that the command line may take, at any number of entries. */
const MOST_MIB = 256;
const LIMIT_MS = 3_600_000;
/** One submission of this many has a file. */
const WITH_FILE = 100;
/** The command is interrupted after this time, and run again. */
const INTERRUPT_MS = 3_000;

const options = readOptions(HELP, { types: 50, entries: 100_000, submissions: 10_000, media: 100, drafts: 1_000 });

await runCommand(LIMIT_MS, measure);

/** Returns whether everything is equal, and the memory stays within its limit. */
async function measure(folder) {
  const { dist } = options;
  const postgres = await Postgres.start({ dist, folder });
  const context = circumstances(options, postgres);
  const serviceOf = async (name) => {
    const own = join(folder, name);
    mkdirSync(own);
    return startService(configure({ dist, folder: own, databaseUrl: await postgres.createDatabase(name) }));
  };
  const [from, to] = [await serviceOf('cli_from'), await serviceOf('cli_to')];
  const rows = [];
  const trivet = async (service, title, words, more) => {
    const ran = await runTrivet(service, folder, words, more);
    rows.push([title, ran.code, short(ran.seconds), short(ran.mib), ran.last]);
    console.log(`${title}: ${ran.code} after ${short(ran.seconds)} s, ${short(ran.mib)} MiB. ${ran.last}`);
    return ran;
  };

  await pushSchemas(from, folder, trivet);
  console.log('Loading what is moved ...');
  await load(from);
  await trivet(from, 'export, interrupted', ['export', 'all'], { interruptMs: INTERRUPT_MS });
  await trivet(from, 'export, continued', ['export', 'all']);
  await trivet(from, 'export', ['export', 'whole']);
  await trivet(to, 'restore, interrupted', ['restore', 'whole'], { interruptMs: 2 * INTERRUPT_MS });
  await trivet(to, 'restore, continued', ['restore', 'whole']);
  await trivet(to, 'restore, again', ['restore', 'whole']);
  console.log('Comparing ...');
  const differences = await differencesOf(from, to);

  const peak = Math.max(...rows.map(([, , , mib]) => Number(mib)));
  save('cli', { circumstances: context, options: { ...options, dist: undefined }, rows, differences });
  console.log('');
  printTable(['', 'exit code', 's', 'peak, MiB', 'last line'], rows);
  const isEqual = differences.every(({ count }) => count === 0);
  const parts = differences.map(({ what, compared, count }) => `${compared} ${what} (${count} differ)`);
  console.log(`\n${verdict(isEqual)}: equal over the API: ${parts.join(', ')}.`);
  console.log(`${verdict(peak <= MOST_MIB)}: the command line takes at most ${MOST_MIB} MiB.`);
  return isEqual && peak <= MOST_MIB;
}

function verdict(isReached) {
  return isReached ? 'Reached' : 'NOT REACHED';
}

/** Runs the command line, and returns its exit code, time, memory and last line. */
async function runTrivet(service, cwd, words, { interruptMs } = {}) {
  const env = {
    PATH: process.env.PATH,
    HOME: cwd,
    TRIVET_URL: service.url,
    TRIVET_TENANT: TENANT,
    TRIVET_KEY: service.key,
  };
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (text = (text + chunk).slice(-10_000)));
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
  if (interruptMs) setTimeout(() => child.kill('SIGINT'), interruptMs).unref();
  let mib = 0;
  const sampling = setInterval(
    async () => (mib = Math.max(mib, (await residentMib(child.pid, 'VmHWM').catch(() => 0)) || 0)),
    50,
  );
  const code = await ended;
  clearInterval(sampling);
  const seconds = (performance.now() - began) / 1_000;
  return { code, seconds, mib, last: text.trim().split('\n').at(-1) ?? '' };
}

/** Pushes content types into an empty tenant, again, and with a step that loses a value. */
async function pushSchemas(service, folder, trivet) {
  const types = join(folder, 'schema/types');
  mkdirSync(types, { recursive: true });
  const write = (number, fields) => {
    const slug = `type-${number}`;
    writeFileSync(join(types, `${slug}.json`), JSON.stringify({ name: `Type ${number}`, slug, fields }));
  };
  for (let number = 1; number <= options.types; number++) write(number, FIELDS);
  await trivet(service, `push ${options.types} types`, ['push', '--yes']);
  await trivet(service, 'push, again', ['push', '--yes']);
  await service.send('POST', `/v1/content/${TENANT}/types/type-1/entries`, { fields: valuesOf(1) });
  write(
    1,
    FIELDS.filter(({ name }) => name !== 'subtitle'),
  );
  await trivet(service, 'push, lossy', ['push', '--yes']);
  await trivet(service, 'push --allow-lossy', ['push', '--yes', '--allow-lossy']);
}

async function load(service) {
  const { entries, submissions, media, drafts } = options;
  const urls = [];
  for (let number = 0; number < media; number++) urls.push(await upload(service, number));
  const types = `/v1/content/${TENANT}/types`;
  await service.send('PUT', `/v1/locales/${TENANT}`, { default: 'en', locales: [{ code: 'en' }, { code: 'de' }] });
  await service.send('POST', types, {
    name: 'Author',
    fields: [{ name: 'name', type: 'text', localized: true }],
  });
  const more = [
    { name: 'author', type: 'reference', content_type: 'author' },
    { name: 'code', type: 'integer', unique: true },
  ];
  await service.send('POST', types, { name: 'Article', fields: [...FIELDS, ...more] });
  const authors = Array.from({ length: 100 }, (_, number) => ({
    op: 'create',
    content_type: 'author',
    locale: '*',
    fields: { name: { en: `Author ${number}`, de: `Autor ${number}` } },
    status: 'published',
  }));
  await service.send('POST', `/v1/content/${TENANT}/bulk`, { operations: authors });
  const ids = (await service.send('GET', `${types}/author/entries?per_page=100`)).map(({ id }) => id);
  await send(service, `${types}/article/entries/import`, entries, (number) => ({
    fields: {
      ...valuesOf(number),
      cover: urls.length > 0 ? { url: urls[number % urls.length], alt: `Cover ${number}` } : undefined,
      author: ids[number % ids.length],
      code: number,
    },
    status: number % 3 === 0 ? 'draft' : 'published',
  }));
  const some = await service.send('GET', `${types}/article/entries?per_page=100&filter[status]=published&select=title`);
  for (let number = 0; number < Math.min(drafts, some.length); number++) {
    const body = { fields: { title: `Draft ${number}`, subtitle: null } };
    await service.send('PATCH', `${types}/article/entries/${some[number].id}/draft`, body);
  }
  const fields = [...FORM_FIELDS, { name: 'cv', type: 'file' }];
  const form = await service.send('POST', `/v1/forms/${TENANT}`, { name: 'Contact', fields });
  const path = `/v1/forms/${TENANT}/${form.id}/submissions/import`;
  await send(service, path, submissions, (number) => ({ fields: submissionOf(number) }));
  for (let number = 0; number < submissions / WITH_FILE; number++) {
    const body = new FormData();
    body.append('submission', JSON.stringify({ fields: { ...submissionOf(number), cv: 'cv.txt' } }));
    body.append('cv', new Blob([`The life of ${number}`], { type: 'text/plain' }), 'cv.txt');
    const response = await fetch(`${service.url}${path}`, { method: 'POST', headers: service.headers, body });
    if (!response.ok) throw new Error(await response.text());
  }
}

async function upload({ url, headers }, number) {
  const body = new FormData();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!-- ${number} ${'x'.repeat(50_000)} --></svg>`;
  body.append('file', new Blob([svg], { type: 'text/plain' }), `picture-${number}.txt`);
  const response = await fetch(`${url}/v1/media/${TENANT}`, { method: 'POST', headers, body });
  const { data, detail } = await response.json();
  if (!data) throw new Error(detail);
  return data.url;
}

/** Streams lines to an import. */
async function send({ url, headers }, path, count, lineOf) {
  async function* body() {
    for (let number = 0; number < count; number++) yield Buffer.from(`${JSON.stringify(lineOf(number))}\n`);
  }
  const type = { 'Content-Type': 'application/x-ndjson' };
  const sent = { method: 'POST', headers: { ...headers, ...type }, body: Readable.from(body()), duplex: 'half' };
  const response = await fetch(`${url}${path}${path.includes('entries') ? '?keep_ids=false' : ''}`, sent);
  const last = JSON.parse((await response.text()).trim().split('\n').at(-1));
  if (!last.done || last.created !== count) throw new Error(`An import ended with ${JSON.stringify(last)}.`);
}

/** Compares what two services say of a tenant. */
async function differencesOf(one, other) {
  const services = [one, other];
  const schemas = await Promise.all(services.map((service) => service.send('GET', `/v1/schema/${TENANT}`)));
  const found = [{ what: 'schemas', compared: 1, count: isDeepStrictEqual(...schemas) ? 0 : 1 }];
  const files = await Promise.all(services.map(mediaOf));
  for (const { slug } of schemas[0].types) {
    const path = `/v1/content/${TENANT}/types/${slug}/entries/export?sort=created_at&locale=*`;
    const [left, right] = services.map((service, index) => lines(service, path, files[index]));
    found.push({ what: `entries of ${slug}`, ...(await compare(left, right)) });
  }
  const small = found.filter(({ what }) => what.startsWith('entries of type-'));
  const drafts = services.map((service) => draftsOf(service));
  found.push({ what: 'drafts', ...(await compare(...drafts)) });
  const submissions = await Promise.all(services.map((service) => submissionsOf(service)));
  found.push({ what: 'submissions', ...(await compare(...submissions)) });
  const sums = files.map((all) => [...all.values()].sort());
  found.push({ what: 'media files', compared: sums[0].length, count: isDeepStrictEqual(...sums) ? 0 : 1 });
  return found.filter((one) => !small.includes(one) || one.compared > 0);
}

async function compare(left, right) {
  let [compared, count] = [0, 0];
  const others = right[Symbol.asyncIterator]();
  for await (const item of left) {
    compared++;
    const { value } = await others.next();
    if (isDeepStrictEqual(item, value)) continue;
    if (count++ === 0) console.log('The first difference:', JSON.stringify(item), JSON.stringify(value));
  }
  while (!(await others.next()).done) count++;
  return { compared, count };
}

/** The lines of an export, with what is in the files in the place of their URLs. */
async function* lines({ url, headers }, path, files) {
  const response = await fetch(`${url}${path}`, { headers });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  for await (const line of createInterface({ input: Readable.fromWeb(response.body) })) {
    // These belong to the service.
    const entry = { ...JSON.parse(line), updated_at: undefined, published_at: undefined, content_type_id: undefined };
    const known = JSON.stringify(entry).replace(/https?:[^"]+\/media\/[^"]+/g, (at) => files.get(at) ?? at);
    yield JSON.parse(known);
  }
}

/** Hashes of the media files, by URL. */
async function mediaOf(service) {
  const found = new Map();
  for await (const { url, alt, filename } of pages(service, `/v1/media/${TENANT}?per_page=100`)) {
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    found.set(url, `${filename} ${alt} ${createHash('sha256').update(bytes).digest('hex')}`);
  }
  return found;
}

async function* draftsOf(service) {
  const all = [];
  for await (const { id, content_type_id: type } of pages(service, `/v1/content/${TENANT}/drafts?per_page=100`))
    all.push([id, type]);
  for (const [id, type] of all.sort()) {
    const draft = await service.send('GET', `/v1/content/${TENANT}/types/${type}/entries/${id}/draft`);
    yield [id, draft.changed, draft.fields.title, draft.fields.subtitle];
  }
}

/** The submissions, with what is in their files. */
async function submissionsOf(service) {
  const [{ id }] = await service.send('GET', `/v1/forms/${TENANT}`);
  const path = `/v1/forms/${TENANT}/${id}/submissions`;
  const query = '?per_page=100&sort=created_at&view=full&verdict=any';
  return (async function* () {
    for await (const { files, ...submission } of pages(service, path + query)) {
      const contents = [];
      for (const file of files) {
        const response = await fetch(`${service.url}${path}/${submission.id}/files/${file.id}`, {
          headers: service.headers,
        });
        contents.push([file.field, file.name, file.mime_type, await response.text()]);
      }
      yield { ...submission, form_id: undefined, contents };
    }
  })();
}

async function* pages({ url, headers }, path) {
  for (let cursor = ''; cursor !== null;) {
    const response = await fetch(`${url}${path}&cursor=${cursor}`, { headers });
    const { data, meta, detail } = await response.json();
    if (!data) throw new Error(`${path}: ${detail}`);
    yield* data;
    cursor = meta.next_cursor ?? null;
    // A service that is asked without a pause would not answer others.
    await sleep(0);
  }
}
