import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createType, type TestType } from '../support/content.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type FreezingProxy, startFreezingProxy } from '../support/freezing-proxy.js';
import { describeOnPlain } from '../support/it-on-plain.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { expectServerErrors } from '../support/server-errors.js';
import { Subscription } from '../support/subscription.js';
import { until } from '../support/until.js';

const HUNG = 7;
/** Requests of each of these tenants. Together, they would take all connections several times. */
const REQUESTS = 6;
/** The time-out of a statement and the grace of its answer, and some seconds for a busy machine. */
const ENDS_WITHIN_MS = 60_000;

describe('statements that are not answered', () => {
  let database: TestDatabase;
  let proxy: FreezingProxy;
  let app: TestApp;

  beforeAll(async () => {
    database = await createDatabase();
    proxy = await startFreezingProxy(database.url);
    app = await startApp({}, { database: { ...database, url: proxy.url } });
  });
  afterAll(async () => {
    proxy.thaw();
    await app.close();
    await proxy.close();
    await database.drop();
  });

  const metric = async (name: string) =>
    Number(new RegExp(`^trivet_${name} (\\d+)`, 'm').exec((await app.client().get('/metrics')).text)?.[1]);
  const create = (tenant: TestTenant, { entries }: TestType) => tenant.http.post(entries, { fields: { title: 'a' } });
  const sessions = async () => {
    const [row] = await database.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'trivet'`,
    );
    return row!.count;
  };

  it('end in their time, and take no connection from other tenants', async () => {
    expectServerErrors(503);
    const hung = Array.from({ length: HUNG }, () => app.tenant());
    const other = app.tenant();
    const types = new Map<TestTenant, TestType>();
    for (const tenant of [...hung, other]) {
      types.set(tenant, await createType(tenant, [{ name: 'title', type: 'text' }]));
    }
    const write = (tenant: TestTenant) => create(tenant, types.get(tenant)!);
    proxy.freeze(hung.map(({ id }) => id));
    const startedAt = performance.now();
    const lost = hung.flatMap((tenant) =>
      Array.from({ length: REQUESTS }, async () => {
        const { status, headers } = await write(tenant);
        return { status, retryAfter: headers['retry-after'], ms: performance.now() - startedAt };
      }),
    );
    // Once it is known that the statements hang, the other tenant does not notice them.
    await until(async () => (await metric('tenants_set_back')) === HUNG);
    for (let count = 0; count < 20; count++) {
      const sentAt = performance.now();
      await write(other).expect(201);
      expect(performance.now() - sentAt).toBeLessThan(2_000);
    }
    expect(await metric('database_connections_used')).toBeLessThanOrEqual(2 * app.config.databasePoolSize);

    for (const { status, retryAfter, ms } of await Promise.all(lost)) {
      expect(status).toBe(503);
      expect(Number(retryAfter)).toBeGreaterThan(0);
      expect(ms).toBeLessThan(ENDS_WITHIN_MS);
    }
    expect(await metric('database_statements_abandoned_total')).toBeGreaterThan(0);
    await write(other).expect(201);

    proxy.thaw();
    await until(async () => (await metric('tenants_set_back')) === 0, 60_000);
    for (const tenant of hung) await write(tenant).expect(201);
    expect((await app.client().get('/health/ready').expect(200)).body).toEqual({ status: 'ok' });
    expect(await metric('database_sessions_abandoned')).toBe(0);
    await until(async () => (await sessions()) <= app.config.databasePoolSize, 30_000);
  }, 180_000);
});

describeOnPlain('claims that are not answered', () => {
  let app: TestApp;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    app = await startApp(RECEIVER_ENV);
  });
  afterAll(async () => {
    await app.close();
    await receiver.close();
  });

  it('do not hold the permits of scheduled jobs and of deliveries of other tenants', async () => {
    const subscriptions = await Promise.all(Array.from({ length: HUNG }, () => Subscription.create(app, receiver)));
    const hung = subscriptions.map(({ tenant }) => tenant);
    const entryOf = async (tenant: TestTenant) => {
      const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
      const { body } = await tenant.http.post(type.entries, { fields: { title: 'a' } }).expect(201);
      return `${type.entries}/${body.data.id}`;
    };
    const other = await Subscription.create(app, receiver);
    const [entries, entry] = [await Promise.all(hung.map(entryOf)), await entryOf(other.tenant)];
    await app.database.query(
      `CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$`,
    );
    const ids = hung.map(({ id }) => `'${id}'`).join(', ');
    for (const table of ['scheduled_jobs', 'deliveries']) {
      await app.database.query(
        `CREATE TRIGGER hang BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (NEW.tenant_id IN (${ids})) EXECUTE FUNCTION hang()`,
      );
    }
    const soon = () => new Date(Date.now() + 500).toISOString();
    for (const [index, tenant] of hung.entries()) {
      await tenant.http.post(`${subscriptions[index]!.webhook}/test`).expect(202);
      await tenant.http.put(`${entries[index]}/schedule`, { publish_at: soon() }).expect(200);
    }
    const metric = async () =>
      Number(/^trivet_tenants_set_back (\d+)/m.exec((await app.client().get('/metrics')).text)?.[1]);
    await until(async () => (await metric()) === HUNG, 60_000);

    // A claim hangs until the time-out of its statement, which is 30 s.
    const sentAt = performance.now();
    await other.tenant.http.post(`${other.webhook}/test`).expect(202);
    await other.tenant.http.put(`${entry}/schedule`, { publish_at: soon() }).expect(200);
    await other.newest('succeeded', 1);
    await until(async () => (await other.tenant.http.get(entry).expect(200)).body.data.status === 'published', 25_000);
    expect(performance.now() - sentAt).toBeLessThan(15_000);
    await app.database.query('DROP FUNCTION hang() CASCADE');
  }, 180_000);
});
