import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../bench/processes.mjs';
import { Client } from '../client.mjs';
import { eventually } from '../eventually.mjs';

const CANARY = 'canary7f3a';
const CRASHES = 3;
const LANES = 8;
const MAX_TRIES = 50;

export default {
  finding: 10,
  title: `secrets in webhook URLs, values and recipients while queries fail (PostgreSQL is killed ${CRASHES} times), deliveries and emails fail; modes of DATA_DIR`,
  tenant: 'logged',

  async play(world) {
    const service = world.serviceIn('logs');
    await service.start();
    const client = new Client(service, { tenantId: 'ten_logged', key: world.keysOf('ten_logged').all });
    const notes = await provoke({ service, client, world });
    const id = await failedRequest(client);
    await sleep(300);
    const faults = [
      ...(await leaks(service)),
      ...(await missingLines(service, client, id)),
      ...(await wrongModes(service)),
    ];
    await service.end();
    return { faults, notes };
  },
};

/** Makes queries, deliveries and emails with secrets fail. */
async function provoke({ service, client, world }) {
  const fields = [{ name: 'text', type: 'text', unique: true }];
  const type = await client.ask('POST', client.types, { name: 'Logged', fields });
  const form = await client.ask('POST', client.forms, {
    name: 'Logged',
    fields: [{ name: 'message', type: 'text' }],
    notify_email: `${CANARY}-recipient@refused.example`,
  });
  const nobody = await freePort();
  const urlOf = (number) => `https://localhost:${nobody}/${CANARY}-path?token=${CANARY}-token-${number}`;
  const webhook = { events: ['entry.created'], secret: `${CANARY}-secret` };
  await client.ask('POST', client.webhooks, { ...webhook, url: urlOf('first') });
  await client.send('POST', `${client.forms}/${form.id}/submissions`, { fields: { message: `${CANARY}-message` } });

  let isOver = false;
  const statuses = {};
  const lane = async (number) => {
    for (let turn = 0; !isOver; turn++) {
      const text = `${CANARY}-value-${number}-${turn}`;
      const answers = [
        await client.send('POST', `${client.types}/${type.id}/entries`, { fields: { text } }),
        await client.send('POST', client.webhooks, { ...webhook, url: urlOf(turn) }),
        await client.send('PUT', `${client.types}/${type.id}`, { name: text }),
      ];
      for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  const lanes = Array.from({ length: LANES }, (_, number) => lane(number));
  for (let crash = 0; crash < CRASHES; crash++) {
    await sleep(500);
    const pid = await service.databasePid();
    if (pid !== undefined) process.kill(pid, 'SIGQUIT');
    await eventually(async () => (await service.databasePid()) !== pid && (await service.isReady()), 15_000);
  }
  isOver = true;
  await Promise.all(lanes);
  await eventually(() => world.mails.refused > 0, 10_000);
  return [`responses: ${JSON.stringify(statuses)}; ${world.mails.refused} emails rejected`];
}

/** Sends a request that answers 404, whose log line must have its ID. Retries because PostgreSQL may still be starting. */
async function failedRequest(client) {
  const id = `resilience-${process.pid}`;
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const headers = { 'x-request-id': `${id}-${tries}` };
    const path = `${client.types}/ct_00000000000000000000000000`;
    const { status } = await client.send('GET', path, undefined, { headers });
    if (status === 404) return headers['x-request-id'];
    await sleep(200);
  }
  throw new Error('No request got 404.');
}

async function leaks(service) {
  const faults = [];
  for (const file of [service.logFile, join(service.dataDir, 'postgres.log')]) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const lines = text.split('\n').filter((line) => line.includes(CANARY));
    const kinds = [...new Set(lines.flatMap((line) => line.match(/canary7f3a-[a-z]+/g)))];
    if (lines.length > 0)
      faults.push(`${lines.length} lines of ${file.split('/').at(-1)} contain secrets: ${kinds.join(', ')}`);
  }
  return faults;
}

async function missingLines({ logFile }, { tenantId }, id) {
  const text = await readFile(logFile, 'utf8');
  const line = text.split('\n').find((one) => one.includes(`"${id}"`)) ?? '';
  const wanted = { tenant: tenantId, 'key name': '"all"', status: '404', level: '"level":"info"' };
  const missing = Object.entries(wanted).filter(([, value]) => !line.includes(value));
  if (line === '') return ['a request that got 404 has no line in the log'];
  return missing.map(([name]) => `the log line of a request that got 404 has no ${name}`);
}

/** Finds folders and files that other users can access. PostgreSQL protects its own folder. */
async function wrongModes({ dataDir }) {
  const faults = [];
  const look = async (path, isFolder) => {
    const mode = (await stat(path)).mode & 0o777;
    if (mode & 0o077) faults.push(`${path.replace(dataDir, 'DATA_DIR')} has mode ${mode.toString(8)}`);
    if (!isFolder) return;
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (entry.name === 'postgres' || entry.isSymbolicLink()) continue;
      await look(join(path, entry.name), entry.isDirectory());
    }
  };
  await look(dataDir, true);
  return faults;
}
