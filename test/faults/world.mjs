/**
 * Everything that a scenario runs: PostgreSQL, perhaps Redis, a receiver, a mail server, the service's processes, the writer and the
 * consumer of the feed.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from './client.mjs';
import { Feed } from './feed.mjs';
import { Ledger } from './ledger.mjs';
import { MailServer } from './mail-server.mjs';
import { Postgres } from './postgres.mjs';
import { CERTIFICATE, GOOD, Receiver } from './receiver.mjs';
import { Redis } from './redis.mjs';
import { Service } from './service.mjs';
import { Writer } from './writer.mjs';

const TENANT = 'ten_faults';
const ENTRY_TYPES = ['entry.created', 'entry.updated', 'entry.published', 'entry.deleted'];
/** The number of deliveries that the webhook /gone accepts before it answers 410. */
const TAKEN_BEFORE_GONE = 25;

/** Each webhook has its own URL. With `gone` the receiver answers 410 after a while. */
const WEBHOOKS = [
  { path: '/all', types: [...ENTRY_TYPES, 'form.submitted'], secret: `whsec_${randomBytes(24).toString('base64')}` },
  { path: '/some', types: ['entry.published', 'entry.deleted'], secret: 'correct horse battery staple' },
  { path: '/forms', types: ['form.submitted'] },
  { path: '/gone', types: ['entry.created'], gone: true },
];

export class World {
  /** Starts one process, or with Redis an API and a worker. */
  static async build({ name, dist, folder, withRedis }) {
    const home = join(folder, name);
    await mkdir(home, { recursive: true });
    const world = new World({ name, dist, home, tenantId: TENANT, began: performance.now() });
    world.postgres = await Postgres.start({ dist, folder: home });
    if (withRedis) world.redis = await Redis.start(home);
    world.receiver = await Receiver.start();
    world.mails = await MailServer.start();
    await world.startServices();
    world.ledger = new Ledger();
    await world.subscribe();
    world.writer = await Writer.setUp(world.client, world.ledger, TENANT);
    world.feed = new Feed(new Client(world.client), TENANT);
    return world;
  }

  constructor(parts) {
    Object.assign(this, parts);
  }

  async startServices() {
    const key = randomBytes(16).toString('hex');
    const hash = `sha256:${createHash('sha256').update(key).digest('hex')}`;
    const { dist, home, postgres, redis, mails } = this;
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      DATABASE_URL: postgres.url,
      DATA_DIR: join(home, 'data'),
      ...(redis && { REDIS_URL: redis.url }),
      TENANTS: JSON.stringify([{ id: TENANT, name: 'Faults', api_keys: [{ name: 'faults', key: hash }] }]),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'warn',
      TRUST_PROXY: '1',
      SMTP_URL: mails.url,
      // Some submissions have their own email, and digests end often.
      MAIL_HOURLY_LIMIT: '30',
      MAIL_DIGEST_INTERVAL: '2s',
      WEBHOOK_TIMEOUT: '2s',
      // Lasts longer than any failure in a scenario.
      WEBHOOK_RETRY_SCHEDULE: ['500ms', '1s', ...Array.from({ length: 60 }, () => '2s')].join(),
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
      OUTBOUND_CA_FILE: CERTIFICATE,
    };
    const start = (role) => Service.start({ dist, env: { ...env, ROLE: role }, logFile: join(home, `${role}.log`) });
    this.api = await start(redis ? 'api' : 'all');
    this.worker = redis ? await start('worker') : this.api;
    this.client = new Client({ port: this.api.port, key });
  }

  async subscribe() {
    this.webhooks = [];
    for (const { path, types, secret, gone } of WEBHOOKS) {
      const mailbox = this.receiver.open(path);
      if (secret) mailbox.secrets.push(secret);
      if (gone) {
        mailbox.answer = () => (mailbox.answered.taken < TAKEN_BEFORE_GONE ? GOOD : { status: 410 });
      }
      const body = { url: mailbox.url, events: types, ...(secret && { secret }) };
      const { data } = await this.client.ask('POST', `/v1/webhooks/${TENANT}`, body);
      this.webhooks.push({ id: data.id, path, types, mailbox, gone });
    }
  }

  get processes() {
    return [...new Set([this.api, this.worker])];
  }

  webhook(path) {
    return this.webhooks.find((webhook) => webhook.path === path);
  }

  say(text) {
    const seconds = ((performance.now() - this.began) / 1000).toFixed(1).padStart(6);
    console.log(`${seconds} s  ${this.name.padEnd(13)}  ${text}`);
  }
}
