import { type Http, startApp, type TestApp } from '../support/app.js';
import { type Replication, startReplication, type TestServer } from '../support/standby.js';
import { until } from '../support/until.js';

const TENANT = 'ten_replicas';
const TENANTS = JSON.stringify([{ id: TENANT, name: 'Replicas', api_keys: [{ name: 'root', key: 'root-key' }] }]);
const FIELDS = [{ name: 'title', type: 'text' }];

describe('a replica', () => {
  let servers: Replication;
  let primary: TestServer;
  let standby: TestServer;
  /** Two processes with one database. The tests write with the first and read with the second. */
  let writing: TestApp;
  let reading: TestApp;
  let writer: Http;
  let reader: Http;
  let entries: string;

  const startOn = (replicas: readonly string[]) =>
    startApp(
      { TENANTS, DATABASE_REPLICA_URL: replicas.join(',') },
      {
        database: {
          url: primary.url,
          query: (text, values) => primary.query(text, values),
          drop: () => Promise.resolve(),
        },
      },
    );
  const clientOf = (app: TestApp) => app.client('Bearer root-key');

  /** Returns the number of a metric. */
  async function metric(app: TestApp, name: string, labels = `replica="127.0.0.1:${standby.port}"`): Promise<number> {
    const { text } = await app.client().get('/metrics').expect(200);
    const line = text.split('\n').find((one) => one.startsWith(`${name}{${labels}}`));
    return Number(line?.split(' ').at(-1) ?? NaN);
  }

  const isUsed = async (app: TestApp) => (await metric(app, 'trivet_replica_used')) === 1;
  const answered = async (app: TestApp) => ({
    primary: await metric(app, 'trivet_reads_total', 'server="primary"'),
    replica: await metric(app, 'trivet_reads_total', `server="127.0.0.1:${standby.port}"`),
  });

  /** Sends a request until a replica alone answers its reads. On a busy machine, the standby may be too late at first. */
  async function byReplica(send: () => Promise<unknown>): Promise<void> {
    await until(async () => {
      await until(() => isUsed(reading));
      const before = await answered(reading);
      await send();
      const after = await answered(reading);
      return after.primary === before.primary && after.replica > before.replica;
    }, 10_000);
  }

  async function create(title: string): Promise<string> {
    const { body } = await writer.post(entries, { fields: { title }, status: 'published' }).expect(201);
    return `${entries}/${body.data.id}`;
  }

  async function titleOf(path: string): Promise<string> {
    const { body } = await reader.get(path).expect(200);
    return body.data.fields.title;
  }

  beforeAll(async () => {
    servers = await startReplication();
    ({ primary, standby } = servers);
    // The first one runs the migrations.
    writing = await startOn([standby.url]);
    reading = await startOn([standby.url]);
    [writer, reader] = [clientOf(writing), clientOf(reading)];
    const { body } = await writer.post(`/v1/content/${TENANT}/types`, { name: 'Post', fields: FIELDS }).expect(201);
    entries = `/v1/content/${TENANT}/types/${body.data.id}/entries`;
    await until(() => isUsed(reading));
  });
  afterAll(async () => {
    for (const app of [reading, writing]) await app?.close();
    await servers?.end();
  });

  it('answers the reads of entries, lists, searches, exports, submissions and deliveries', async () => {
    const entry = await create('Read me');
    const form = await writer.post(`/v1/forms/${TENANT}`, { name: 'Contact', fields: FIELDS }).expect(201);
    const submissions = `/v1/forms/${TENANT}/${form.body.data.id}/submissions`;
    await writer.post(submissions, { fields: { title: 'Hello' } }).expect(201);
    const webhook = await writer
      .post(`/v1/webhooks/${TENANT}`, { url: 'https://hooks.example.com/', events: ['entry.deleted'] })
      .expect(201);
    const paths = [
      entry,
      `${entry}?select=title`,
      entries,
      `${entries}?sort=title&cursor=`,
      `${entries}?filter[title]=Read me`,
      `${entries}?search=read&fuzzy=true&highlight=true`,
      `${entries}/export`,
      `${entry}/referrers`,
      submissions,
      `${submissions}?search=hello`,
      `${submissions}/export?format=csv`,
      `/v1/webhooks/${TENANT}/${webhook.body.data.id}/deliveries`,
    ];
    for (const path of paths) {
      await byReplica(() => reader.get(path).expect(200)).catch((error: unknown) => {
        throw new Error(`No replica answers ${path}.`, { cause: error });
      });
    }
  });

  it('shows every write to the next read of another process', async () => {
    const before = await answered(reading);
    const entry = await create('0');
    for (let number = 1; number <= 100; number++) {
      await writer.patch(entry, { fields: { title: String(number) } }).expect(200);
      expect(await titleOf(entry)).toBe(String(number));
    }
    for (let number = 1; number <= 50; number++) {
      await create(`Entry ${number}`);
      const { body } = await reader.get(`${entries}?per_page=1`).expect(200);
      expect(body.data[0].fields.title).toBe(`Entry ${number}`);
    }
    const after = await answered(reading);
    expect(after.replica - before.replica).toBeGreaterThan(30);
  });

  it('is left aside while it lags, and used again when it has caught up', async () => {
    const entry = await create('Before');
    await standby.query('SELECT pg_wal_replay_pause()');
    try {
      await writer.patch(entry, { fields: { title: 'After' } }).expect(200);
      expect(await titleOf(entry)).toBe('After');
      expect(await metric(reading, 'trivet_replica_used')).toBe(0);
      // Further reads do not wait for it.
      const before = await answered(reading);
      for (let time = 0; time < 10; time++) expect(await titleOf(entry)).toBe('After');
      expect(await answered(reading)).toEqual({ ...before, primary: before.primary + 10 });
      await until(async () => (await metric(reading, 'trivet_replica_lag_seconds')) > 1.5);
      expect(await metric(reading, 'trivet_replica_lag_bytes')).toBeGreaterThan(0);
      expect(await isUsed(reading)).toBe(false);
      await reader.get('/health/ready').expect(200);
    } finally {
      await standby.query('SELECT pg_wal_replay_resume()');
    }
    await until(() => isUsed(reading));
    await byReplica(async () => expect(await titleOf(entry)).toBe('After'));
    await until(async () => (await metric(reading, 'trivet_replica_lag_seconds')) < 1);
  });

  it('is left aside while it is stopped', async () => {
    const entry = await create('Stopped');
    expect(await titleOf(entry)).toBe('Stopped');
    await standby.stop('SIGQUIT');
    for (let time = 0; time < 20; time++) {
      await writer.patch(entry, { fields: { title: `Stopped ${time}` } }).expect(200);
      expect(await titleOf(entry)).toBe(`Stopped ${time}`);
    }
    expect(await isUsed(reading)).toBe(false);
    await standby.start();
    await until(() => isUsed(reading));
    expect(await titleOf(entry)).toBe('Stopped 19');
  });

  it('does not keep reads waiting while it hangs', async () => {
    const entry = await create('Hanging');
    await until(() => isUsed(reading));
    await standby.signalAll('SIGSTOP');
    try {
      const start = performance.now();
      const titles = await Promise.all(Array.from({ length: 20 }, () => titleOf(entry)));
      expect(new Set(titles)).toEqual(new Set(['Hanging']));
      expect(performance.now() - start).toBeLessThan(10_000);
      expect(await isUsed(reading)).toBe(false);
    } finally {
      await standby.signalAll('SIGCONT');
    }
    await until(() => isUsed(reading));
  });

  it('is not used if it is no standby, or one of another database', async () => {
    await primary.query('CREATE DATABASE other');
    const other = new URL(standby.url);
    other.pathname = '/other';
    await until(async () => (await standby.query(`SELECT FROM pg_database WHERE datname = 'other'`)).length > 0);
    const app = await startOn([primary.url, other.href]);
    try {
      const entry = await create('Elsewhere');
      const { body } = await clientOf(app).get(entry).expect(200);
      expect(body.data.fields.title).toBe('Elsewhere');
      await until(async () => (await metric(app, 'trivet_replica_lag_seconds')) > 0);
      expect(await isUsed(app)).toBe(false);
      expect(await metric(app, 'trivet_replica_used', `replica="127.0.0.1:${primary.port}"`)).toBe(0);
      expect((await answered(app)).primary).toBe(1);
    } finally {
      await app.close();
    }
  });

  it('is not used after it was promoted', async () => {
    const entry = await create('Promoted');
    expect(await titleOf(entry)).toBe('Promoted');
    await standby.query('SELECT pg_promote()');
    await writer.patch(entry, { fields: { title: 'Later' } }).expect(200);
    expect(await titleOf(entry)).toBe('Later');
    await until(async () => !(await isUsed(reading)));
  });
});
