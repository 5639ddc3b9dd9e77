import { setTimeout as sleep } from 'node:timers/promises';
import { distribute } from '../src/distribution/distribute.js';
import { Database } from '../src/database/database.js';
import { EventRecorder } from '../src/events/event-recorder.js';
import { newUuid } from '../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from './support/app.js';
import { describeOnCitus, serversOfCluster } from './support/citus.js';
import { createDatabase, type TestDatabase } from './support/database.js';
import { loadTables } from './support/tables.js';

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
          WHERE shardid = get_shard_id_for_distribution_column('tenants', $1)`,
        [id],
      )
    )[0]!;

  it('has the tables of tenants on its workers, co-located, and nothing is left to distribute', async () => {
    const rows = await app.database.query<{ groups: number; locals: string[] }>(
      `SELECT count(DISTINCT colocation_id)::int AS groups,
          ARRAY(SELECT relname::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
            AND NOT EXISTS (SELECT FROM citus_tables WHERE table_name = pg_class.oid) ORDER BY 1) AS locals
        FROM citus_tables WHERE citus_table_type = 'distributed'`,
    );
    expect(rows).toEqual([{ groups: 1, locals: ['autoresponder_hours', 'migrations'] }]);
    const { migrations } = await loadTables();
    expect((await distribute(app.database.url, migrations)).tables).toEqual([]);
  });

  it('takes a table that a later migration has created, with its foreign key', async () => {
    const database = await createDatabase();
    try {
      await database.query(
        `CREATE TABLE notes (tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id), id uuid, PRIMARY KEY (tenant_id, id))`,
      );
      const { migrations } = await loadTables();
      expect((await distribute(database.url, migrations)).tables).toEqual(['notes']);
      await database.query(`INSERT INTO tenants VALUES ('ten_a', 'A', now())`);
      await database.query(`INSERT INTO notes VALUES ('ten_a', $1)`, [newUuid()]);
      await expect(database.query(`INSERT INTO notes VALUES ('ten_b', $1)`, [newUuid()])).rejects.toThrow(
        'foreign key',
      );
    } finally {
      await database.drop();
    }
  });

  it('loses and doubles no event of the feed, while shards move', async () => {
    const writers = 20;
    const commits = 100;
    const perCommit = 5;
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
        await sleep(1_000);
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
});

/** Repeats a write that is answered with 503, as a client does. */
async function again(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (!/^(CIINF|40001|40P01)$/.test(code)) throw error;
    }
  }
}
