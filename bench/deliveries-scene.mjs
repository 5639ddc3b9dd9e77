/** What every measurement of deliveries needs: the receiver, and a service with tenants, webhooks and events on a new database. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FIELDS, valuesOf } from './data.mjs';
import { using } from './postgres.mjs';
import { startModule } from './processes.mjs';
import { configure, Service, startService } from './service.mjs';

const PROGRAM = fileURLToPath(new URL('./deliveries-receiver.mjs', import.meta.url));
const CERTIFICATE = fileURLToPath(new URL('../test/support/tls/cert.pem', import.meta.url));
const BATCH = 1_000;
const TIMEOUT_MS = 300_000;

/** Starts the receiver and controls it. */
export async function startReceiver() {
  const { child, pid } = startModule(PROGRAM);
  const ask = async (message) => {
    child.send(message);
    return (await once(child, 'message'))[0];
  };
  const [{ port }] = await once(child, 'message');
  return {
    pid,
    url: (path) => `https://localhost:${port}${path}`,
    reset: ({ keep = false } = {}) => ask({ type: 'reset', keep }),
    read: () => ask({ type: 'read' }),
    release: () => ask({ type: 'release' }),
    /** Waits for `count` deliveries and returns what arrived. */
    async until(count) {
      await waitFor(async () => (await ask({ type: 'read' })).count >= count, `${count} deliveries arrive`);
      return ask({ type: 'read' });
    },
  };
}

/** Calls `isSo` until it returns true, every `pause` ms. Throws with `what` after the time-out. */
export async function waitFor(isSo, what, pause = 50) {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Time-out while waiting until ${what}.`);
    await sleep(pause);
  }
}

/**
 * A service on a new database: with mode `bull` an API and a worker with Redis, with `in process` a single process. Each tenant has a
 * content type.
 */
export class DeliveryScene {
  static async build({ options, folder, postgres, redisUrl, receiver }, mode, tenantCount) {
    const home = join(folder, `${mode} ${randomBytes(4).toString('hex')}`);
    await mkdir(home);
    const databaseUrl = await postgres.createDatabase('deliveries');
    const configuration = configure({ dist: options.dist, folder: home, databaseUrl });
    const tenants = Array.from({ length: tenantCount }, (_, number) => ({
      id: `ten_bench${number}`,
      key: randomBytes(16).toString('hex'),
    }));
    writeFileSync(configuration.env.TENANTS_FILE, JSON.stringify(tenants.map(configured)));
    Object.assign(configuration.env, { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', OUTBOUND_CA_FILE: CERTIFICATE });
    const withRole = (ROLE) => ({
      ...configuration,
      env: { ...configuration.env, ROLE, ...(mode === 'bull' && { REDIS_URL: redisUrl }) },
    });
    const api = await startService(withRole(mode === 'bull' ? 'api' : 'all'));
    const worker = mode === 'bull' ? await startService(withRole('worker')) : api;
    const ids = await import(pathToFileURL(join(options.dist, 'ids/type-id.js')).href);
    const scene = new DeliveryScene({ databaseUrl, api, worker, tenants, receiver, ids });
    await scene.addTypes();
    return scene;
  }

  constructor(parts) {
    Object.assign(this, parts);
  }

  async addTypes() {
    for (const tenant of this.tenants) {
      tenant.service = new Service({ ...this.api, key: tenant.key });
      tenant.type = await this.addType(tenant, 'Article');
      tenant.entries = `/v1/content/${tenant.id}/types/${tenant.type}/entries`;
    }
  }

  /** Returns the ID of a new content type. */
  async addType({ id, service }, name) {
    return (await service.send('POST', `/v1/content/${id}/types`, { name, fields: FIELDS })).id;
  }

  /** Creates webhooks of every tenant, each with a secret; returns their IDs. */
  async addWebhooks(count, { path = '/ok', events = ['entry.created'], filtersOf } = {}) {
    const ids = [];
    for (const tenant of this.tenants) {
      const { id, service } = tenant;
      for (let number = 0; number < count; number++) {
        const secret = `whsec_${randomBytes(24).toString('base64')}`;
        const body = { url: this.receiver.url(path), events, secret, filters: filtersOf?.(tenant) };
        ids.push((await service.send('POST', `/v1/webhooks/${id}`, body)).id);
      }
    }
    return ids;
  }

  /** Records events as the API does, for all tenants in one transaction, but wakes no worker. */
  async recordEvents(countEach) {
    await using(this.databaseUrl, async (client) => {
      await client.query('BEGIN');
      for (const { id } of this.tenants) {
        for (let from = 0; from < countEach; from += BATCH) {
          const numbers = Array.from({ length: Math.min(BATCH, countEach - from) }, (_, index) => from + index);
          const ids = numbers.map(() => this.ids.newUuid());
          const data = numbers.map((number) => JSON.stringify({ id: `ent_${number}`, fields: valuesOf(number) }));
          await client.query(
            `WITH event AS (SELECT * FROM unnest($2::uuid[], $3::text[]) AS event (id, data)), recorded AS (
               INSERT INTO events (tenant_id, id, type, data, occurred_at)
               SELECT $1, id, 'entry.created', data::json, now() FROM event)
             INSERT INTO pending_events (tenant_id, event_id) SELECT $1, id FROM event`,
            [id, ids, data],
          );
        }
      }
      await client.query('COMMIT');
    });
  }

  /**
   * Records events of entries with a version, as the API does, for all tenants in one transaction, but wakes no worker. One in `rare` is of the
   * tenant's `rareType`.
   */
  async recordVersions(countEach, rare) {
    await using(this.databaseUrl, async (client) => {
      await client.query('BEGIN');
      for (const { id, type, rareType } of this.tenants) {
        for (let from = 0; from < countEach; from += BATCH) {
          const numbers = Array.from({ length: Math.min(BATCH, countEach - from) }, (_, index) => from + index);
          const resources = numbers.map(() => this.ids.newUuid());
          const data = numbers.map((number, index) =>
            JSON.stringify({
              id: this.ids.formatId('ent', resources[index]),
              content_type_id: number % rare === 0 ? rareType : type,
              fields: valuesOf(number),
            }),
          );
          await client.query(
            `WITH event AS (SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::text[]) AS event (id, resource_id, data)), recorded AS (
               INSERT INTO events (tenant_id, id, type, resource_id, version, occurred_at)
               SELECT $1, id, 'entry.created', resource_id, 1, now() FROM event), written AS (
               INSERT INTO versions (tenant_id, resource_id, number, summary, data, at, event_id)
               SELECT $1, resource_id, 1, '{"status":"draft"}', data, now(), id FROM event)
             INSERT INTO pending_events (tenant_id, event_id) SELECT $1, id FROM event`,
            [id, numbers.map(() => this.ids.newUuid()), resources, data],
          );
        }
      }
      await client.query('COMMIT');
    });
  }

  /** Returns when every delivery has ended. */
  async settled() {
    await using(this.databaseUrl, (client) =>
      waitFor(async () => {
        const { rows } = await client.query(`SELECT EXISTS (SELECT FROM pending_events) OR
          EXISTS (SELECT FROM deliveries WHERE status = 'pending') AS pending`);
        return !rows[0].pending;
      }, 'every delivery ends'),
    );
  }

  async stop() {
    await this.api.stop();
    await this.worker.stop();
  }
}

function configured({ id, key }) {
  const hash = createHash('sha256').update(key).digest('hex');
  return { id, name: id, api_keys: [{ name: 'bench', key: `sha256:${hash}` }] };
}
