/** `npm run bench -- fairness`: see README.md. */
import { once } from 'node:events';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readOptions, runCommand } from './command.mjs';
import { listenForMail } from '../test/support/smtp-listener.mjs';
import { FIELDS, FORM_FIELDS, submissionOf, valuesOf } from './data.mjs';
import { startReceiver, waitFor } from './deliveries-scene.mjs';
import { Postgres } from './postgres.mjs';
import { startModule } from './processes.mjs';
import { circumstances, save } from './results.mjs';
import { configure, Service, startService, TENANT } from './service.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Measures what a tenant's load does to another tenant: how long its requests and its work take alone, and beside it. See
bench/README.md.

  npm run bench -- fairness [options]

  --connections N  connections of the busy tenant, each with a request in progress (300)
  --seconds S      the longest time of a measurement of one kind of work (10)
  --times N        the most measured requests or pieces of work of a kind (200)
  --entries N      entries of each tenant (1000)
  --dist DIR       the built service (dist/src)
  --note TEXT      a note to store with the results
`;
const LIMIT_MS = 900_000;
/** The target: the 95th percentile beside the load is at most this many times what it is alone, and these milliseconds. */
const FACTOR = 4;
const GRACE_MS = 40;
const QUIET = 'ten_quiet';
/** Events of a replay. */
const REPLAYED = 20;
const FLOOD = fileURLToPath(new URL('./fairness-flood.mjs', import.meta.url));
const CERTIFICATE = fileURLToPath(new URL('../test/support/tls/cert.pem', import.meta.url));

const options = readOptions(HELP, { connections: 300, seconds: 10, times: 200, entries: 1_000 });

await runCommand(LIMIT_MS, measure);

/** Returns whether the target is reached. */
async function measure(folder) {
  const { dist } = options;
  const postgres = await Postgres.start({ dist, folder });
  const context = circumstances(options, postgres);
  const databaseUrl = await postgres.createDatabase('fairness');
  const [receiver, mails] = [await startReceiver(), await receiveMails()];
  const configuration = configure({ dist, folder, databaseUrl, neighbours: [QUIET] });
  const quietKey = addKey(configuration.env.TENANTS_FILE);
  Object.assign(configuration.env, { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', OUTBOUND_CA_FILE: CERTIFICATE });
  Object.assign(configuration.env, { SMTP_URL: mails.url, MAIL_HOURLY_LIMIT: '100000' });
  const service = await startService(configuration);
  const busy = await prepare(service, TENANT, 'Article');
  const quiet = { service: new Service({ ...service, key: quietKey }), tenant: QUIET };
  const pathOf = async (name) => (await prepare(quiet.service, QUIET, name)).path;
  // What is read and what is changed stay as large as they are, so that the times alone and beside are of the same work.
  const paths = { read: await pathOf('Read'), written: await pathOf('Written'), changed: await pathOf('Changed') };

  const kinds = [...kindsOf(quiet, paths), mailOf(quiet, mails), ...(await deliveriesOf(quiet, receiver))];
  await each(kinds, 0.2);
  const alone = await each(kinds, 1);
  const flood = startModule(FLOOD);
  const ask = async (message) => {
    flood.child.send(message);
    return (await once(flood.child, 'message'))[0];
  };
  await ask({ type: 'start', port: service.port, connections: options.connections, requests: loadOf(busy) });
  await sleep(2_000);
  const beside = await each(kinds, 1);
  const { statuses } = await ask({ type: 'stop' });
  const rows = kinds.map(({ name }, index) => rowOf(name, alone[index], beside[index]));
  save('fairness', { circumstances: context, options: { ...options, dist: undefined }, rows, statuses });
  return print(rows, statuses);
}

/** Gives the quiet tenant a key, and returns it. */
function addKey(path) {
  const key = `tvt_${randomBytes(16).toString('hex')}`;
  const hash = `sha256:${createHash('sha256').update(key).digest('hex')}`;
  const tenants = JSON.parse(readFileSync(path, 'utf8'));
  tenants.find(({ id }) => id === QUIET).api_keys = [{ name: 'bench', key: hash }];
  writeFileSync(path, JSON.stringify(tenants));
  return key;
}

/** Creates a content type with entries. */
async function prepare(service, tenant, name) {
  const type = await service.send('POST', `/v1/content/${tenant}/types`, { name, fields: FIELDS });
  const path = `/v1/content/${tenant}/types/${type.id}`;
  for (let at = 0; at < options.entries; at += 250) {
    const operations = Array.from({ length: Math.min(250, options.entries - at) }, (_, index) => ({
      op: 'create',
      content_type: type.id,
      fields: valuesOf(at + index),
      status: 'published',
    }));
    await service.send('POST', `/v1/content/${tenant}/bulk`, { operations });
  }
  return { service, tenant, path };
}

/** The requests of the busy tenant: as many reads as writes. */
function loadOf({ service, path }) {
  const headers = { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ fields: { ...valuesOf(1), slug: undefined } });
  return [
    { method: 'GET', path: `${path}/entries?sort=-price`, headers },
    { method: 'POST', path: `${path}/entries`, headers, body },
  ];
}

/** Accepts all emails and counts them. */
async function receiveMails() {
  const mails = { count: 0 };
  mails.url = await listenForMail({
    onData(stream, _session, callback) {
      stream.resume().on('end', () => {
        mails.count++;
        callback();
      });
    },
  });
  return mails;
}

/** The kinds of work of the quiet tenant that end with the response. `run` does one piece of it. */
function kindsOf({ service }, { read, written, changed }) {
  const exchange = async (method, path, body, type) => {
    const headers = { ...service.headers, ...(body && { 'Content-Type': type }) };
    const response = await fetch(`${service.url}${path}`, { method, headers, body });
    const text = await response.text();
    if (response.status !== 200 && response.status !== 201)
      throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  };
  const values = JSON.stringify({ fields: { ...valuesOf(1), slug: undefined } });
  const lines = `${values}\n`.repeat(50);
  let turn = 0;
  return [
    { name: 'read', run: () => exchange('GET', `${read}/entries?sort=-price&per_page=10`) },
    { name: 'write', run: () => exchange('POST', `${written}/entries`, values, 'application/json') },
    { name: 'search', run: () => exchange('GET', `${read}/entries?search=a&per_page=10`) },
    { name: 'export', most: 20, run: () => exchange('GET', `${read}/entries/export`) },
    {
      name: 'import',
      most: 20,
      run: () => exchange('POST', `${written}/entries/import`, lines, 'application/x-ndjson'),
    },
    {
      name: 'schema change',
      most: 20,
      run: () =>
        service.send('PUT', changed, {
          fields: FIELDS.map((field) => (field.name === 'subtitle' ? { ...field, max: 500 + (turn++ % 2) } : field)),
        }),
    },
  ];
}

/** From a submission to its email. */
function mailOf({ service, tenant }, mails) {
  let form;
  let sent = 0;
  return {
    name: 'email',
    most: 50,
    async run() {
      const fields = FORM_FIELDS;
      form ??= await service.send('POST', `/v1/forms/${tenant}`, {
        name: 'Contact',
        fields,
        notify_email: 'a@b.example',
      });
      const response = await fetch(`${service.url}/v1/forms/${tenant}/${form.id}/submissions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `10.9.${sent >> 8}.${sent & 255}` },
        body: JSON.stringify({ fields: submissionOf(sent++) }),
      });
      if (response.status !== 201) throw new Error(`A submission answered ${response.status}.`);
      await waitFor(() => mails.count >= sent, 'the email arrives', 2);
    },
  };
}

/** From an upload to its delivery, and from the request of a replay to its last delivery. */
async function deliveriesOf({ service, tenant }, receiver) {
  const url = receiver.url('/');
  const webhook = await service.send('POST', `/v1/webhooks/${tenant}`, { url, events: ['media.uploaded'] });
  let expected = 0;
  const arrived = (count) => {
    expected += count;
    return waitFor(async () => (await receiver.read()).count >= expected, 'the deliveries arrive', 2);
  };
  const upload = async () => {
    const form = new FormData();
    form.append('file', new Blob(['A note.']), 'note.txt');
    const { headers } = service;
    const response = await fetch(`${service.url}/v1/media/${tenant}`, { method: 'POST', headers, body: form });
    if (response.status !== 201) throw new Error(`An upload answered ${response.status}.`);
    await arrived(1);
  };
  const from = new Date().toISOString();
  for (let count = 0; count < REPLAYED; count++) await upload();
  const range = { from, to: new Date().toISOString() };
  return [
    { name: 'delivery', most: 50, run: upload },
    {
      name: `replay of ${REPLAYED}`,
      most: 20,
      async run() {
        const { count } = await service.send('POST', `/v1/webhooks/${tenant}/${webhook.id}/replay`, range);
        if (count !== REPLAYED) throw new Error(`The replay has ${count} events.`);
        await arrived(count);
      },
    },
  ];
}

/** Does the pieces of each kind one after the other, for a part of the time. Returns their durations in ms, sorted. */
async function each(kinds, part) {
  const all = [];
  for (const { run, most = Infinity } of kinds) {
    const ends = performance.now() + options.seconds * 1_000 * part;
    const taken = [];
    while (taken.length < Math.max(5, Math.min(most, options.times) * part)) {
      const began = performance.now();
      if (began > ends && taken.length >= 5) break;
      await run();
      taken.push(performance.now() - began);
    }
    all.push(taken.sort((a, b) => a - b));
  }
  return all;
}

function rowOf(name, alone, beside) {
  const p95 = (sorted) => sorted[Math.min(sorted.length - 1, Math.floor(0.95 * sorted.length))];
  const limit_ms = FACTOR * p95(alone) + GRACE_MS;
  const row = {
    name,
    alone: alone.length,
    beside: beside.length,
    alone_p95_ms: p95(alone),
    beside_p95_ms: p95(beside),
  };
  return { ...row, limit_ms, isReached: row.beside_p95_ms <= limit_ms };
}

function print(rows, statuses) {
  console.log(
    `\n${options.connections} connections of another tenant, whose responses were ${JSON.stringify(statuses)}.\n`,
  );
  printTable(
    ['', 'alone', 'p95, ms', 'beside', 'p95, ms', 'at most', ''],
    rows.map(({ name, alone, alone_p95_ms, beside, beside_p95_ms, limit_ms, isReached }) => [
      name,
      alone,
      short(alone_p95_ms),
      beside,
      short(beside_p95_ms),
      short(limit_ms),
      isReached ? 'reached' : 'NOT REACHED',
    ]),
  );
  return rows.every(({ isReached }) => isReached);
}
