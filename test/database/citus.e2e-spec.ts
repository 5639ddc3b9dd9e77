import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { backUp } from '../../src/backup/backup.js';
import { distribute } from '../../src/distribution/distribute.js';
import { Database } from '../../src/database/database.js';
import { EventRecorder } from '../../src/events/event-recorder.js';
import { newUuid } from '../../src/ids/type-id.js';
import { SharedSweeps } from '../../src/queues/shared-sweeps.js';
import { createDrafts, createType, type TestType } from '../support/content.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeOnCitus, onServer, serversOfCluster } from '../support/citus.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { expectServerErrors } from '../support/server-errors.js';
import { loadTables } from '../support/tables.js';
import { until } from '../support/until.js';

interface FeedPage {
  data: { id: string; data: { writer: number; number: number } }[];
  meta: { next_cursor: string };
}

describeOnCitus('a database that is distributed', () => {
  let app: TestApp;
  beforeAll(async () => (app = await startApp()));
  afterAll(() => app.close());

  /** The group of co-located shards that holds the rows of a tenant. */
  const shardOf = async ({ id }: TestTenant, database: TestDatabase = app.database) =>
    (
      await database.query<{ shard: string; host: string; port: number }>(
        `SELECT shardid AS shard, nodename AS host, nodeport AS port FROM pg_dist_shard_placement
          WHERE shardid = get_shard_id_for_distribution_column('tenants', $1::text)`,
        [id],
      )
    )[0]!;

  it('has the tables of tenants on its workers, co-located', async () => {
    const rows = await app.database.query<{ groups: number; locals: string[] }>(
      `SELECT count(DISTINCT colocation_id)::int AS groups,
          ARRAY(SELECT relname::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
            AND NOT EXISTS (SELECT FROM citus_tables WHERE table_name = pg_class.oid) ORDER BY 1) AS locals
        FROM citus_tables WHERE citus_table_type = 'distributed'`,
    );
    // People belong to no tenant. Their tables are never joined with those of tenants.
    const people = ['identities', 'known_networks', 'one_time_tokens', 'passkeys', 'people', 'sessions'];
    expect(rows).toEqual([{ groups: 1, locals: ['address_hours', 'migrations', ...people].sort() }]);
  });

  it('is not distributed while a service uses it, or from a worker, where nothing is changed', async () => {
    const { migrations } = await loadTables();
    await expect(distribute(app.database.url, migrations)).rejects.toThrow('Trivet is running');
    const database = await createDatabase({ empty: true });
    try {
      const [coordinator, worker] = await serversOfCluster();
      const url = new URL(database.url);
      for (const { host, port } of await serversOfCluster()) {
        url.host = `${host}:${port}`;
        await run(url.href, 'CREATE EXTENSION citus');
      }
      url.host = `${coordinator!.host}:${coordinator!.port}`;
      await run(url.href, `SELECT citus_set_coordinator_host('${coordinator!.host}', ${coordinator!.port})`);
      await run(url.href, `SELECT citus_add_node('${worker!.host}', ${worker!.port})`);
      url.host = `${worker!.host}:${worker!.port}`;
      await expect(distribute(url.href, migrations)).rejects.toThrow(`${worker!.host}:${worker!.port} is a worker`);
      const [{ tables }] = await run<[{ tables: number }]>(
        url.href,
        `SELECT count(*)::int AS tables FROM pg_class WHERE relname IN ('tenants', 'migrations')`,
      );
      expect(tables).toBe(0);
    } finally {
      await database.drop();
    }
  });

  it('takes tables that a later migration has created, with foreign keys and rows', async () => {
    const database = await createDatabase();
    try {
      await database.query(
        `CREATE TABLE notes (tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id), id uuid, PRIMARY KEY (tenant_id, id))`,
      );
      await database.query(
        `CREATE TABLE tallies AS SELECT ('ten_' || number) COLLATE "C" AS tenant_id, number FROM generate_series(1, 1000) AS number`,
      );
      const { migrations } = await loadTables();
      expect((await distribute(database.url, migrations)).tables).toEqual(['notes', 'tallies']);
      expect((await distribute(database.url, migrations)).tables).toEqual([]);
      const counted = await database.query(
        `SELECT count(*)::int AS rows, count(DISTINCT number)::int AS numbers FROM tallies`,
      );
      expect(counted).toEqual([{ rows: 1_000, numbers: 1_000 }]);
      expect(await database.query(`SELECT pg_relation_size('tallies')::int AS bytes`)).toEqual([{ bytes: 0 }]);
      await database.query(`INSERT INTO tenants VALUES ('ten_a', 'A', now())`);
      await database.query(`INSERT INTO notes VALUES ('ten_a', $1)`, [newUuid()]);
      await expect(database.query(`INSERT INTO notes VALUES ('ten_b', $1)`, [newUuid()])).rejects.toThrow(
        'foreign key',
      );
    } finally {
      await database.drop();
    }
  });

  it('cannot be backed up by npm run backup, which says so', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'trivet-citus-'));
    const config = { extensions: [], dataDir: directory, calledFrom: directory };
    const written = backUp({ config, url: app.database.url, path: join(directory, 'a.tar'), withoutKeys: false });
    await expect(written).rejects.toThrow('distributed over several servers');
    expect(await readdir(directory)).toEqual([]);
    await rm(directory, { recursive: true });
  });

  it('is swept by its processes in turns, which find work that no job announced', async () => {
    const worker = await startApp({ ROLE: 'worker' }, { database: app.database });
    const api = await startApp({ ROLE: 'api' }, { database: app.database });
    // One of them leaves its sweep to the other.
    await until(() => Promise.resolve([app, worker].some((one) => one.get(SharedSweeps).isElsewhere)));
    const tenant = api.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    await createDrafts(tenant, type, { title: 'a' });
    await until(async () => {
      const [row] = await app.database.query<{ relayed: number; pending: number }>(
        `SELECT (SELECT count(*)::int FROM event_positions WHERE tenant_id = $1) AS relayed,
            (SELECT count(*)::int FROM pending_events WHERE tenant_id = $1) AS pending`,
        [tenant.id],
      );
      return row!.relayed > 0 && row!.pending === 0;
    }, 10_000);
    await api.close();
    await worker.close();
  });

  it('loses and doubles no event of the feed, while shards move', async () => {
    const writers = 20;
    const commits = 100;
    const perCommit = 5;
    expectServerErrors(503);
    const other = await startApp({ ROLE: 'api' }, { database: app.database });
    const tenant = app.tenant();
    const write = async (from: TestApp, writer: number) => {
      for (let commit = 0; commit < commits; commit++) {
        const events = Array.from({ length: perCommit }, (_, index) => ({
          type: 'entry.created' as const,
          data: JSON.stringify({ writer, number: commit * perCommit + index }),
          at: new Date(),
        }));
        await again(() =>
          from
            .get(Database)
            .transaction(tenant.id, (transaction) => from.get(EventRecorder).record(transaction, tenant.id, events)),
        );
      }
    };
    let isWriting = true;
    const read = async () => {
      const found: FeedPage['data'] = [];
      for (let cursor = ''; ;) {
        const last = !isWriting;
        const response = await tenant.http.get(`/v1/events/${tenant.id}?per_page=100&cursor=${cursor}`);
        if (response.status === 503) continue;
        const { data, meta } = response.body as FeedPage;
        found.push(...data);
        cursor = meta.next_cursor;
        if (last && data.length === 0) return found;
      }
    };
    let moves = 0;
    const move = async () => {
      const servers = await serversOfCluster();
      while (isWriting) {
        const { shard, host, port } = await shardOf(tenant);
        const to = servers.slice(1).find((server) => server.port !== port)!;
        await app.database.query(`SELECT citus_move_shard_placement($1, $2, $3, $4, $5, 'block_writes')`, [
          shard,
          host,
          port,
          to.host,
          to.port,
        ]);
        moves++;
        // What the move has left would keep the shard from moving back.
        await app.database.query('CALL citus_cleanup_orphaned_resources()');
        await sleep(2_000);
      }
    };
    const reading = Promise.all([read(), read()]);
    const moving = move();
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer % 2 ? other : app, writer)));
    isWriting = false;
    await moving;
    for (const found of await reading) {
      const ids = found.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(found).toHaveLength(writers * commits * perCommit);
      for (let writer = 0; writer < writers; writer++) {
        const numbers = found.filter(({ data }) => data.writer === writer).map(({ data }) => data.number);
        expect(numbers).toEqual(numbers.map((_, index) => index));
      }
    }
    expect(moves).toBeGreaterThan(0);
    await other.close();
  }, 400_000);

  it('moves a tenant to another worker by itself, while it and another tenant are written', async () => {
    expectServerErrors(503);
    const moved = app.tenant();
    const { shard: shared, host, port } = await shardOf(moved);
    let other = app.tenant();
    while ((await shardOf(other)).shard === shared) other = app.tenant();
    let isWriting = true;
    const write = async (tenant: TestTenant) => {
      const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
      const statuses: number[] = [];
      while (isWriting) {
        // Each title has a new word, which is added to the dictionary.
        const fields = { title: `w${statuses.length}` };
        statuses.push((await tenant.http.post(type.entries, { fields })).status);
      }
      const { body } = await tenant.http.get(type.entries).expect(200);
      expect(body.meta.total).toBe(statuses.filter((status) => status === 201).length);
      return [...new Set(statuses)];
    };
    const writing = Promise.all([write(moved), write(other)]);
    const [isolated] = await app.database.query<{ shard: string }>(
      `SELECT isolate_tenant_to_new_shard('tenants', $1::text, 'CASCADE', 'block_writes') AS shard`,
      [moved.id],
    );
    const to = (await serversOfCluster()).slice(1).find((server) => server.port !== port)!;
    await app.database.query(`SELECT citus_move_shard_placement($1, $2, $3, $4, $5, 'block_writes')`, [
      isolated?.shard,
      host,
      port,
      to.host,
      to.port,
    ]);
    isWriting = false;
    const [ofMoved, ofOther] = await writing;
    expect([201, 503]).toEqual(expect.arrayContaining(ofMoved));
    expect(ofOther).toEqual([201]);
    expect(await shardOf(moved)).toEqual({ shard: isolated?.shard, host: to.host, port: to.port });
    await app.database.query('CALL citus_cleanup_orphaned_resources()');
  }, 240_000);

  it('serves the tenants of one worker, and says which it skips, while another worker is away', async () => {
    expectServerErrors(503);
    const here = app.tenant();
    const { port } = await shardOf(here);
    let away = app.tenant();
    while ((await shardOf(away)).port === port) away = app.tenant();
    const server = (await serversOfCluster()).find(
      (one) => one.port !== port && one.port !== portOf(app.database.url),
    )!;
    const types = new Map<TestTenant, TestType>();
    for (const tenant of [here, away]) {
      const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
      types.set(tenant, type);
      await createDrafts(tenant, type, { title: 'a' });
    }
    const statusOf = async (tenant: TestTenant, path: string) => (await tenant.http.get(path)).status;
    const list = (tenant: TestTenant) => statusOf(tenant, `${types.get(tenant)!.entries}?sort=title&search=a`);
    const skipped = async () =>
      Number(/^trivet_tenants_skipped (\d+)/m.exec((await app.client().get('/metrics')).text)?.[1]);
    const name = new URL(app.database.url).pathname.slice(1);
    expect([await list(here), await list(away), await skipped()]).toEqual([200, 200, 0]);
    await onServer(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    try {
      await onServer(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
      await until(async () => (await list(away)) === 503);
      await until(async () => (await skipped()) > 0);
      expect(await list(here)).toBe(200);
      await createDrafts(here, types.get(here)!, { title: 'b' });
      const feed = `/v1/events/${here.id}`;
      expect(await statusOf(here, feed)).toBe(200);
      const keys = `/v1/keys/${here.id}`;
      const { body } = await here.http.post(keys, { name: 'A key', scopes: ['*'] }).expect(201);
      const { data: made } = body as { data: { id: string; key: string } };
      await app.client(`Bearer ${made.key}`).get(feed).expect(200);
      const api_keys = [{ name: 'test', key: here.key }];
      const TENANTS = JSON.stringify([{ id: here.id, name: 'Here', api_keys }]);
      const started = await startApp({ TENANTS }, { database: app.database });
      await started.client(`Bearer ${made.key}`).get(feed).expect(200);
      await started.close();
      await here.http.delete(`${keys}/${made.id}`).expect(200);
      await app.client(`Bearer ${made.key}`).get(feed).expect(503);
    } finally {
      await onServer(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    }
    await until(async () => (await list(away)) === 200 && (await skipped()) === 0);
  });

  it('serves the tenants of one worker, and starts, while another worker hangs', async () => {
    expectServerErrors(503);
    const here = app.tenant();
    const { port } = await shardOf(here);
    let away = app.tenant();
    while ((await shardOf(away)).port === port) away = app.tenant();
    const hung = await shardOf(away);
    const types = new Map<TestTenant, TestType>();
    for (const tenant of [here, away]) types.set(tenant, await createType(tenant, [{ name: 'title', type: 'text' }]));
    const create = async (tenant: TestTenant) =>
      (await tenant.http.post(types.get(tenant)!.entries, { fields: { title: 'a' } })).status;
    const url = new URL(app.database.url);
    url.host = `${hung.host}:${hung.port}`;
    const holder = new pg.Client({ connectionString: url.href });
    await holder.connect();
    try {
      // Whatever reads or writes a row there waits, as if the server hung.
      await holder.query('BEGIN');
      // Workers hide the tables of shards, and protect them.
      await holder.query('SET LOCAL citus.override_table_visibility = off');
      await holder.query('SET LOCAL citus.enable_manual_changes_to_shards = on');
      const { rows } = await holder.query<{ tables: string }>(
        `SELECT string_agg(oid::regclass::text, ', ') AS tables FROM pg_class
          WHERE relkind = 'r' AND relname ~ '^(tenants|entries|content_types|access_versions|pending_events)_[0-9]+$'`,
      );
      await holder.query(`LOCK TABLE ${rows[0]!.tables} IN ACCESS EXCLUSIVE MODE`);
      const lost = Array.from({ length: 20 }, () => create(away));
      await until(async () => (await app.client().get('/health/ready').expect(200)).body.status === 'degraded');
      expect(new Set(await Promise.all(lost))).toEqual(new Set([503]));
      for (let count = 0; count < 10; count++) expect(await create(here)).toBe(201);
      const TENANTS = JSON.stringify(
        [here, away].map(({ id, key }) => ({ id, name: 'A tenant', api_keys: [{ name: 'test', key }] })),
      );
      const started = await startApp({ TENANTS }, { database: app.database });
      await started.client(`Bearer ${here.key}`).get(`/v1/events/${here.id}`).expect(200);
      await started.client(`Bearer ${away.key}`).get(`/v1/events/${away.id}`).expect(503);
      await started.close();
    } finally {
      await holder.end();
    }
    await until(async () => (await create(away)) === 201);
    await until(async () => (await app.client().get('/health/ready').expect(200)).body.status === 'ok');
  }, 120_000);
});

async function run<Rows extends object[]>(url: string, text: string): Promise<Rows> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Rows;
  } finally {
    await client.end();
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** Repeats a write that is answered with 503, as a client does. */
async function again(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (!/^(CIINF|40001|40P01|unavailable)$/.test(code)) throw error;
    }
  }
}
