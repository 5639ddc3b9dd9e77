/** Everything that the scenarios share: tenants, the service with its database, the victim, and a mail server. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { ask, multipart } from './ask.mjs';
import { MailServer } from './mail-server.mjs';
import { Service } from './service.mjs';
import { Victim } from './victim.mjs';

const CERTIFICATE = fileURLToPath(new URL('../support/tls/cert.pem', import.meta.url));
export const VICTIM_TENANT = 'ten_victim';
/** A small machine. Requests in total may use at most a quarter of the heap. */
const HEAP_MIB = 512;
const VICTIM_ENTRIES = 100;

/** The tenant that a scenario attacks as. */
export function tenantOf({ name, tenant = name }) {
  return `ten_${tenant.replaceAll('-', '')}`;
}

export class World {
  static async build({ dist, folder, scenarios, isShort }) {
    const mails = await MailServer.start();
    const tenants = tenantsFor(scenarios);
    const world = new World({ dist, folder, isShort, mails, tenants });
    writeFileSync(world.tenantsFile, JSON.stringify(tenants.map((tenant) => ({ ...tenant, keys: undefined }))));
    world.service = world.serviceIn('main');
    world.victim = await Victim.start();
    await world.service.start();
    await world.prepareVictim();
    return world;
  }

  constructor(parts) {
    Object.assign(this, parts);
  }

  get tenantsFile() {
    return join(this.folder, 'tenants.json');
  }

  keysOf(tenantId) {
    return this.tenants.find(({ id }) => id === tenantId).keys;
  }

  /** A service with its own data folder and log. It is not started. */
  serviceIn(name, { env = {}, dataDir } = {}) {
    const home = join(this.folder, name);
    mkdirSync(home, { recursive: true });
    const options = { dist: this.dist, dataDir: dataDir ?? join(home, 'data'), logFile: join(home, 'service.log') };
    return new Service({ ...options, env: { ...this.environment(options.dataDir), ...env } });
  }

  environment(dataDir) {
    this.encryptionKey ??= randomBytes(32).toString('base64');
    return {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      TENANTS_FILE: this.tenantsFile,
      ENCRYPTION_KEY: this.encryptionKey,
      SMTP_URL: this.mails.url,
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
      WEBHOOK_RETRY_SCHEDULE: '1s,1s,2s,5s,5s,10s',
      OUTBOUND_CA_FILE: CERTIFICATE,
      MAIL_DIGEST_INTERVAL: '10s',
      // No load balancer has to notice the stop first.
      SHUTDOWN_DELAY: '1ms',
    };
  }

  /** Restarts the service on the stored data, with empty memory. */
  async restart(env) {
    this.victim.halt();
    await this.service.kill();
    await this.service.start(env);
  }

  /** Creates a content type with entries, a form, a picture and a webhook, like those of a small tenant. */
  async prepareVictim() {
    const { port } = this.service;
    const { all: key } = this.keysOf(VICTIM_TENANT);
    const post = async (path, body, options = {}) =>
      (await ask({ port, key, method: 'POST', path, body, ...options })).data;
    const type = await post(`/v1/content/${VICTIM_TENANT}/types`, {
      name: 'Article',
      fields: [
        { name: 'title', type: 'text', required: true },
        { name: 'number', type: 'integer' },
      ],
    });
    const path = `/v1/content/${VICTIM_TENANT}/types/${type.id}`;
    const entries = [];
    for (let number = 0; number < VICTIM_ENTRIES; number++) {
      entries.push(
        await post(`${path}/entries`, { fields: { title: `Article ${number}`, number }, status: 'published' }),
      );
    }
    const form = await post(`/v1/forms/${VICTIM_TENANT}`, {
      name: 'Contact',
      fields: [
        { name: 'email', type: 'email', required: true },
        { name: 'message', type: 'textarea' },
      ],
    });
    const picture = await post(`/v1/media/${VICTIM_TENANT}`, undefined, multipart(await smallPicture(), 'small.png'));
    await post(`/v1/webhooks/${VICTIM_TENANT}`, { url: this.victim.receiverUrl, events: ['entry.created'] });
    this.paths = {
      type: path,
      entries: entries.map(({ id }) => `${path}/entries/${id}`),
      submit: `/v1/forms/${VICTIM_TENANT}/${form.id}/submissions`,
      picture: new URL(picture.url).pathname,
    };
  }

  victimGo() {
    const { all: key } = this.keysOf(VICTIM_TENANT);
    this.victim.go({ port: this.service.port, key, paths: this.paths });
  }
}

function smallPicture() {
  return sharp({ create: { width: 200, height: 150, channels: 3, background: '#246' } })
    .png()
    .toBuffer();
}

/** The victim's tenant, and one for each scenario, so that the data of one scenario does not affect another. */
function tenantsFor(scenarios) {
  const settings = new Map([[VICTIM_TENANT, {}]]);
  for (const scenario of scenarios) {
    const id = tenantOf(scenario);
    settings.set(id, { ...settings.get(id), ...scenario.tenantSettings });
    for (const other of scenario.otherTenants ?? []) settings.set(other, {});
  }
  return [...settings].map(([id, setting]) => {
    const keys = { all: newKey(), published: newKey(), webhooks: newKey(), write: newKey() };
    const scopes = {
      all: ['*'],
      published: ['content:read:published'],
      webhooks: ['webhooks:write'],
      write: ['write'],
    };
    const api_keys = Object.entries(keys).map(([name, key]) => ({ name, key: hashOf(key), scopes: scopes[name] }));
    return { id, name: id, api_keys, ...setting, keys };
  });
}

function newKey() {
  return `tvt_${randomBytes(16).toString('hex')}`;
}

function hashOf(key) {
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}
