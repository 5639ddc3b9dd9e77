import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { QueryRunner } from 'typeorm';
import { Database } from '../../src/database/database.js';
import { SubscriberFeeds } from '../../src/events/subscribers/subscriber-feeds.js';
import { formatId, newUuid } from '../../src/ids/type-id.js';
import { SharedQueue } from '../../src/queues/shared-queue.js';
import { CrmJobs1800000000000 } from '../examples/crm/1800000000000-crm-jobs.js';
import { CrmModule } from '../examples/crm/crm.module.js';
import { CrmSubscriber } from '../examples/crm/crm-subscriber.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { distributeTable } from '../support/citus.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { submit } from '../support/notified-form.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const ROOT = join(import.meta.dirname, '../..');
const TENANTS = JSON.stringify(
  Array.from({ length: 10 }, (_, index) => ({ id: `ten_crm${index}`, name: 'A', api_keys: [{ key: `key-${index}` }] })),
);

interface JobRow {
  event_id: string;
  status: string;
  attempts: number;
  last_error: string | null;
}

jest.setTimeout(240_000);

/** The example of "Add an event subscriber" in docs/how-to/develop, as it is printed there. */
describe('the example of a subscriber', () => {
  let receiver: Receiver;
  let database: TestDatabase;
  let api: TestApp;
  let taken = 0;
  let env: Record<string, string>;
  const running: TestApp[] = [];
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    receiver = await startReceiver();
    database = await createDatabase();
    const runner = { query: (text: string) => database.query(text) } as unknown as QueryRunner;
    const migration = new CrmJobs1800000000000();
    await migration.up(runner);
    await migration.down(runner);
    await migration.up(runner);
    await distributeTable(database, 'crm_jobs');
    const { host } = new URL(receiver.url());
    env = {
      TENANTS,
      OUTBOUND_CA_FILE: RECEIVER_ENV.OUTBOUND_CA_FILE,
      OUTBOUND_ALLOWED_HOSTS: host,
      DATABASE_URL: database.url,
    };
    // An API process without the subscriber, which relays events when somebody reads the feed.
    api = await startApp({ ...env, ROLE: 'api' }, { database });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await Promise.all(running.splice(0).map((app) => app.close()));
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
    await receiver.close();
  });

  const start = async (path: string): Promise<TestApp> => {
    const app = await startApp({ ...env, ROLE: 'worker' }, { database, modules: [CrmModule.at(receiver.url(path))] });
    running.push(app);
    return app;
  };
  const newTenant = (): TestTenant => {
    const index = taken++;
    return { id: `ten_crm${index}`, key: `key-${index}`, http: api.client(`Bearer key-${index}`) };
  };
  async function newForm({ id, http }: TestTenant): Promise<{ path: string }> {
    const fields = [{ name: 'name', type: 'text' }];
    const { body } = await http.post(`/v1/forms/${id}`, { name: 'Contact', fields }).expect(201);
    return { path: `/v1/forms/${id}/${body.data.id}/submissions` };
  }
  const jobs = ({ id }: TestTenant) =>
    database.query<JobRow & Record<string, unknown>>('SELECT * FROM crm_jobs WHERE tenant_id = $1 ORDER BY event_id', [
      id,
    ]);
  const untilJobs = (tenant: TestTenant, status: string, count: number) =>
    until(async () => {
      const rows = (await jobs(tenant)).filter((row) => row.status === status);
      return rows.length === count && rows;
    }, 20_000);
  const eventsAt = (path: string) => receiver.received(path).map(({ body }) => body.id);
  const events = async ({ id, http }: TestTenant) =>
    (
      (await http.get(`/v1/events/${id}?types=form.submitted&per_page=100`).expect(200)).body.data as { id: string }[]
    ).map((event) => event.id);

  it('is printed in docs/how-to/develop as it is tested here', async () => {
    const text = await readFile(join(ROOT, 'docs/how-to/develop/add-an-event-subscriber.md'), 'utf8');
    const folder = join(ROOT, 'test/examples/crm');
    const files = (await readdir(folder)).filter((name) => name !== 'worker.ts');
    for (const name of files) {
      // A migration is in src/crm/migrations, and the other files are in src/crm.
      const up = name.startsWith('1') ? '../../' : '../';
      const code = (await readFile(join(folder, name), 'utf8')).replaceAll('../../../src/', up);
      expect([name, text.includes(code)]).toEqual([name, true]);
    }
  });

  it('calls a private host that the operator allowed, which stays closed to webhooks of tenants', async () => {
    const tenant = newTenant();
    const path = `/${randomUUID()}`;
    await start(path);
    const id = await submit(api, await newForm(tenant), { name: 'Ada' });
    const [received] = await receiver.until(path, 1);
    expect(received?.body).toMatchObject({ type: 'form.submitted', tenant_id: tenant.id, data: { id } });
    expect(await untilJobs(tenant, 'done', 1)).toMatchObject([{ attempts: 1, last_error: null }]);
    const webhook = { url: receiver.url(path), events: ['form.submitted'] };
    const refused = await tenant.http.post(`/v1/webhooks/${tenant.id}`, webhook).expect(422);
    expect(refused.body.errors).toMatchObject([{ path: 'url' }]);
  });

  it('retries what failed, and ends what cannot succeed', async () => {
    const tenant = newTenant();
    const path = `/${randomUUID()}`;
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    receiver.answer(path, ({ body }, count) => {
      const { name } = (body.data as { fields: { name: string } }).fields;
      if (name === 'wrong') return 422;
      return count < 2 ? 503 : 200;
    });
    await start(path);
    const form = await newForm(tenant);
    await submit(api, form, { name: 'Ada' });
    const failedOnce = 'SELECT 1 FROM crm_jobs WHERE tenant_id = $1 AND attempts = $2 AND claimed_until IS NULL';
    for (const attempts of [1, 2]) {
      await until(async () => (await database.query(failedOnce, [tenant.id, attempts])).length === 1);
      await database.query('UPDATE crm_jobs SET next_attempt_at = now() WHERE tenant_id = $1', [tenant.id]);
    }
    expect(await untilJobs(tenant, 'done', 1)).toMatchObject([
      { attempts: 3, last_error: 'The CRM responded with 503.' },
    ]);
    await submit(api, form, { name: 'wrong' });
    expect(await untilJobs(tenant, 'failed', 1)).toMatchObject([
      { attempts: 1, last_error: 'The CRM responded with 422.', next_attempt_at: null },
    ]);
    const failures = log.mock.calls.map(([, text]) => String(text)).filter((text) => text.startsWith('A subscriber'));
    expect(failures).toEqual(['A subscriber failed permanently to process an event']);
  });

  it('loses nothing when its worker is killed again and again, and other processes relay', async () => {
    const tenant = newTenant();
    const path = `/${randomUUID()}`;
    receiver.answer(path, async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return 200;
    });
    const form = await newForm(tenant);
    const startChild = async () => {
      const child = spawn(process.execPath, ['--import', './scripts/typescript.mjs', 'test/examples/crm/worker.ts'], {
        cwd: ROOT,
        env: {
          ...env,
          PATH: process.env['PATH'],
          ROLE: 'worker',
          DATA_DIR: api.config.dataDir,
          LOG_LEVEL: 'error',
          ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
          CRM_URL: receiver.url(path),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      await new Promise<void>((resolve, reject) => {
        child.stdout.on('data', (chunk: Buffer) => chunk.toString().includes('ready') && resolve());
        child.on('exit', () => reject(new Error('The worker ended.')));
      });
      return child;
    };
    const submitted: string[] = [];
    for (let round = 0; round < 2; round++) {
      const child = await startChild();
      const before = eventsAt(path).length;
      for (let count = 0; count < 12; count++) submitted.push(await submit(api, form, { name: 'Ada' }));
      await events(tenant);
      await until(() => Promise.resolve(eventsAt(path).length > before), 60_000);
      child.kill('SIGKILL');
      await events(tenant);
      // The next worker does not wait for the leases of the dead one.
      await database.query(`UPDATE crm_jobs SET claimed_until = now() WHERE claimed_until IS NOT NULL`);
    }
    await startChild();
    await untilJobs(tenant, 'done', submitted.length);
    const all = await events(tenant);
    expect(all).toHaveLength(submitted.length);
    expect([...new Set(eventsAt(path))].sort()).toEqual([...all].sort());
    expect((await jobs(tenant)).map((row) => formatId('evt', row.event_id)).sort()).toEqual([...all].sort());
  });

  it('runs no transaction and claims nothing while there is no work', async () => {
    const tenant = newTenant();
    const path = `/${randomUUID()}`;
    const app = await start(path);
    await submit(api, await newForm(tenant), { name: 'Ada' });
    await untilJobs(tenant, 'done', 1);
    await until(() =>
      app
        .get(SubscriberFeeds)
        .isDue({ tenantId: tenant.id })
        .then((isDue) => !isDue),
    );
    const transactions = jest.spyOn(app.get(Database), 'transaction');
    const claims = jest.spyOn(app.get(CrmSubscriber), 'claim');
    for (let times = 0; times < 3; times++) await app.get(SharedQueue).work({ tenantId: tenant.id });
    // A wake-up that caused another one would do so within this time.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect([transactions.mock.calls.length, claims.mock.calls.length]).toEqual([0, 0]);
  });

  it('releases its work when its process stops during an attempt', async () => {
    const tenant = newTenant();
    const path = `/${randomUUID()}`;
    receiver.answer(path, (_request, count) => (count === 0 ? 'hang' : 200));
    const first = await start(path);
    Object.assign(first.get(CrmSubscriber), {
      limits: { ...Reflect.get(first.get(CrmSubscriber), 'limits'), graceMs: 100 },
    });
    await submit(api, await newForm(tenant), { name: 'Ada' });
    await receiver.until(path, 1);
    const started = Date.now();
    await first.close();
    running.pop();
    expect(Date.now() - started).toBeLessThan(8_000);
    expect(await jobs(tenant)).toMatchObject([{ status: 'pending', attempts: 0, claimed_until: null }]);
    await start(path);
    await untilJobs(tenant, 'done', 1);
  });

  it('keeps the events of its pending rows, and prunes its finished rows', async () => {
    const tenant = newTenant();
    const path = `/${randomUUID()}`;
    receiver.answer(path, () => 503);
    const app = await start(path);
    await submit(api, await newForm(tenant), { name: 'Ada' });
    const [row] = await until(async () => {
      const rows = await jobs(tenant);
      return rows[0]?.attempts === 1 && rows;
    });
    const subscriber = app.get(CrmSubscriber);
    expect(await subscriber.oldestNeeded(tenant.id)).toBe(row?.event_id);
    await subscriber.prune(tenant.id, newUuid());
    expect(await jobs(tenant)).toHaveLength(1);
    await database.query(`UPDATE crm_jobs SET status = 'done' WHERE tenant_id = $1`, [tenant.id]);
    expect(await subscriber.oldestNeeded(tenant.id)).toBeUndefined();
    await subscriber.prune(tenant.id, newUuid());
    expect(await jobs(tenant)).toEqual([]);
  });
});
