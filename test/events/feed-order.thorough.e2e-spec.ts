import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Database } from '../../src/database/database.js';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { EventRecorder } from '../../src/events/event-recorder.js';
import { EventRelay } from '../../src/events/event-relay.js';
import { EventRetention } from '../../src/events/event-retention.js';
import { Subscribers } from '../../src/events/subscribers/subscriber.js';
import { newUuid } from '../../src/ids/type-id.js';
import { encodeCursor } from '../../src/lists/cursor.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { ACTIVITY } from '../support/citus.js';
import { createType } from '../support/content.js';
import type { TestDatabase } from '../support/database.js';
import { itOnPlain } from '../support/it-on-plain.js';
import { describeWithPgDump, pgDump } from '../support/pg-dump.js';
import { recordEvents } from '../support/record-events.js';
import { ofEntries } from '../support/stored-events.js';
import { until } from '../support/until.js';

interface FeedEvent {
  id: string;
  type: string;
  data: { number: number; id: string; fields: { n: number } };
}

interface FeedPage {
  data: FeedEvent[];
  meta: { per_page: number; next_cursor: string };
}

const START = '00000000-0000-0000-0000-000000000000';

describe('the order of the feed', () => {
  /** Two processes without workers: only reads of the feed and the tests themselves relay events. */
  let app: TestApp;
  let other: TestApp;
  let tenants: TestTenant[];
  let tenant: TestTenant;
  beforeAll(async () => {
    const keys = Array.from({ length: 60 }, (_, index) => ({ id: `ten_order${index}`, key: `key-${index}` }));
    const TENANTS = JSON.stringify(keys.map(({ id, key }) => ({ id, name: id, api_keys: [{ key }] })));
    app = await startApp({ TENANTS, ROLE: 'api' });
    other = await startApp({ TENANTS, ROLE: 'api' }, { database: app.database });
    tenants = keys.map(({ id, key }) => ({ id, key, http: app.client(`Bearer ${key}`) }));
  });
  afterAll(async () => {
    await other.close();
    await app.close();
  });
  const newTenant = () => tenants.shift()!;
  beforeEach(() => (tenant = newTenant()));

  const newEvent = (number: number) => ({
    type: 'entry.created' as const,
    data: JSON.stringify({ number }),
    at: new Date(),
  });
  const record = (...numbers: number[]) => recordEvents(app, tenant.id, numbers.map(newEvent));

  async function feed(query = '', from: { http: TestTenant['http']; id: string } = tenant): Promise<FeedPage> {
    return (await from.http.get(`/v1/events/${from.id}?${query}`).expect(200)).body as FeedPage;
  }
  const numbersOf = ({ data }: FeedPage) => data.map(({ data: { number } }) => number);

  /** Reads all pages after the cursor. */
  async function walk(cursor = '', from: { http: TestTenant['http']; id: string } = tenant) {
    const events: FeedEvent[] = [];
    for (;;) {
      const { data, meta } = await feed(`per_page=100&cursor=${cursor}`, from);
      cursor = meta.next_cursor;
      events.push(...data);
      if (data.length === 0) return { events, cursor, numbers: events.map(({ data: { number } }) => number) };
    }
  }

  /** A connection with an open transaction, until `end` is called. */
  async function inTransaction(...statements: [text: string, values: unknown[]][]) {
    const client = new pg.Client({ connectionString: app.database.url });
    await client.connect();
    await client.query('BEGIN');
    for (const [text, values] of statements) await client.query(text, values);
    return {
      async end() {
        await client.query('COMMIT');
        await client.end();
      },
    };
  }
  const lockWaits = async () => {
    const waiting = `SELECT 1 FROM ${ACTIVITY} WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (await app.database.query(waiting)).length;
  };
  const holdLock = async (tenantId: string) => {
    await app.database.query('INSERT INTO event_counters VALUES ($1, 0) ON CONFLICT DO NOTHING', [tenantId]);
    return inTransaction(['SELECT 1 FROM event_counters WHERE tenant_id = $1 FOR UPDATE', [tenantId]]);
  };
  /** Inserts events as `record` does, but with the given IDs, in one transaction. */
  const insert = (events: { id: string; number: number }[]): [string, unknown[]] => [
    `WITH event AS (SELECT * FROM unnest($2::uuid[], $3::text[]) AS event (id, data)), recorded AS (
      INSERT INTO events (tenant_id, id, type, data, occurred_at) SELECT $1, id, 'entry.updated', data::json, now() FROM event)
    INSERT INTO pending_events (tenant_id, event_id) SELECT $1, id FROM event`,
    [tenant.id, events.map(({ id }) => id), events.map(({ number }) => JSON.stringify({ number }))],
  ];

  describe('reading', () => {
    it('shows a write’s events at once when no worker runs', async () => {
      const type = await createType(tenant, [{ name: 'n', type: 'integer' }]);
      const created = await tenant.http.post(type.entries, { fields: { n: 1 } }).expect(201);
      expect((await feed()).data.map(({ type }) => type)).toEqual(['content_type.created', 'entry.created']);
      const entry = `${type.entries}/${created.body.data.id}`;
      await tenant.http.patch(entry, { fields: { n: 2 }, status: 'published' }).expect(200);
      await tenant.http.delete(entry).expect(200);
      expect((await feed()).data.map(({ type }) => type)).toEqual([
        'content_type.created',
        'entry.created',
        'entry.updated',
        'entry.published',
        'entry.deleted',
      ]);
    });

    it('puts an event that commits late after earlier ones', async () => {
      const late = await inTransaction(insert([{ id: newUuid(), number: 1 }]));
      await record(2);
      const before = await feed();
      expect(numbersOf(before)).toEqual([2]);
      await late.end();
      expect(numbersOf(await feed(`cursor=${before.meta.next_cursor}`))).toEqual([1]);
      expect((await walk()).numbers).toEqual([2, 1]);
    });

    it('follows the order of commits, not that of the event IDs', async () => {
      const ids = Array.from({ length: 1_300 }, newUuid).reverse();
      const events = ids.map((id, number) => ({ id, number }));
      // More than two batches, with the highest ID first.
      for (const event of events.slice(0, 3)) await app.database.query(...insert([event]));
      await app.database.query(...insert(events.slice(3)));
      expect((await walk()).numbers).toEqual(events.map(({ number }) => number));
    });

    it('waits for another relay of the tenant, and then shows its events too', async () => {
      await record(1);
      const relay = await holdLock(tenant.id);
      let answered = false;
      const reading = feed().then((page) => {
        answered = true;
        return page;
      });
      await until(async () => (await lockWaits()) === 1);
      expect(answered).toBe(false);
      await relay.end();
      expect(numbersOf(await reading)).toEqual([1]);
    });

    it('responds after two seconds without the events of an unfinished relay, and skips none of them', async () => {
      await record(1);
      await feed();
      const relay = await holdLock(tenant.id);
      await record(2);
      const began = Date.now();
      const page = await feed();
      expect(Date.now() - began).toBeGreaterThan(1_500);
      expect(Date.now() - began).toBeLessThan(8_000);
      expect(numbersOf(page)).toEqual([1]);
      await relay.end();
      expect(numbersOf(await feed(`cursor=${page.meta.next_cursor}`))).toEqual([2]);
    });

    it('does not wait for relays of other tenants', async () => {
      const slow = [newTenant(), newTenant(), newTenant(), newTenant()];
      const held = [];
      const readers: Promise<FeedPage>[] = [];
      const own = tenant;
      for (tenant of slow) {
        await record(1);
        held.push(await holdLock(tenant.id));
        readers.push(...Array.from({ length: 10 }, () => feed('', tenant)));
      }
      tenant = own;
      await until(async () => (await lockWaits()) === 2);
      for (let number = 1; number <= 5; number++) {
        await record(number);
        const began = Date.now();
        expect(numbersOf(await feed())).toHaveLength(number);
        expect(Date.now() - began).toBeLessThan(1_500);
      }
      for (const relay of held) await relay.end();
      await Promise.all(readers);
    });

    it('is not delayed by a subscriber that fails', async () => {
      const { id } = tenant;
      app.get(Subscribers).addToRelay({
        name: 'broken',
        accept: async (_transaction, tenantId) => {
          if (tenantId === id) throw new Error('not today');
          return Promise.resolve();
        },
      });
      await record(1);
      expect((await feed()).data).toEqual([]);
    });

    it('does not wait for the lock when nothing is pending', async () => {
      await record(1);
      await feed();
      const relay = await holdLock(tenant.id);
      expect(numbersOf(await feed())).toEqual([1]);
      await relay.end();
    });

    it('moves the cursor past events of other types', async () => {
      await record(1, 2, 3);
      const first = await feed('filter[type]=form.submitted');
      await record(4);
      const second = await feed(`filter[type]=form.submitted&cursor=${first.meta.next_cursor}`);
      expect([first.data, second.data]).toEqual([[], []]);
      expect(positionOf(first)).toBeGreaterThan(0n);
      expect(positionOf(second)).toBeGreaterThan(positionOf(first));
    });
  });

  const positionOf = ({ meta }: FeedPage) =>
    BigInt((JSON.parse(Buffer.from(meta.next_cursor, 'base64url').toString()) as [string, string])[1]);

  it.each([
    ['a position of version 0.1.0', ['7421', START]],
    ['a number above all positions', ['9'.repeat(19)]],
    ['a negative number', ['-1']],
    ['null', [null]],
  ])('rejects a cursor with %s', async (_title, keys) => {
    const { body } = await tenant.http
      .get(`/v1/events/${tenant.id}?cursor=${encodeCursor(keys, 'events ')}`)
      .expect(400);
    expect(body.code).toBe('invalid_parameter');
  });

  it('shows each event once, and those of an entry in the order of its changes, under concurrent writes, relays and reads', async () => {
    const second = other.client(`Bearer ${tenant.key}`);
    const clients = [tenant.http, second];
    const type = await createType(tenant, [{ name: 'n', type: 'integer' }]);
    const writers = 8;
    const changes = 12;
    let writing = true;
    const seen: FeedEvent[] = [];
    const reader = (async () => {
      let cursor = '';
      for (let last = false; ;) {
        const http = clients[seen.length % 2]!;
        const { data, meta } = await feed(`per_page=7&cursor=${cursor}`, { http, id: tenant.id });
        seen.push(...data);
        cursor = meta.next_cursor;
        if (data.length > 0) continue;
        if (last) return;
        last = !writing;
      }
    })();
    const relays = (async () => {
      while (writing) {
        await Promise.all([app, other].map((one) => one.get(EventRelay).work({ tenantId: tenant.id })));
        await sleep(Math.random() * 5);
      }
    })();
    const shared = await tenant.http.post(type.entries, { fields: { n: 0 } }).expect(201);
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        const own = await clients[writer % 2]!.post(type.entries, { fields: { n: 0 } }).expect(201);
        for (let n = 1; n <= changes; n++) {
          const http = clients[(writer + n) % 2]!;
          await http.patch(`${type.entries}/${own.body.data.id}`, { fields: { n } }).expect(200);
          // All clients change this shared entry, so that their writes conflict.
          await http.patch(`${type.entries}/${shared.body.data.id}`, { fields: {} }).expect(200);
        }
      }),
    );
    writing = false;
    await relays;
    await reader;

    const all = await app.database.query<{ id: string }>('SELECT id FROM events WHERE tenant_id = $1', [tenant.id]);
    expect(all).toHaveLength(2 + writers + writers * changes * 2);
    expect(seen).toHaveLength(all.length);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(all.length);
    const byEntry = new Map<string, number[]>();
    for (const { data } of ofEntries(seen)) byEntry.set(data.id, [...(byEntry.get(data.id) ?? []), data.fields.n]);
    byEntry.delete(shared.body.data.id as string);
    expect([...byEntry.values()]).toEqual(
      Array.from({ length: writers }, () => Array.from({ length: changes + 1 }, (_, n) => n)),
    );
    expect((await walk()).events.map(({ id }) => id)).toEqual(seen.map(({ id }) => id));
  });

  it('stays correct while transactions of different lengths commit in any order', async () => {
    const database = app.get(Database);
    const recorder = app.get(EventRecorder);
    const seen: number[] = [];
    let writing = true;
    const reader = (async () => {
      let cursor = '';
      for (let last = false; ;) {
        const page = await feed(`per_page=7&cursor=${cursor}`);
        seen.push(...numbersOf(page));
        cursor = page.meta.next_cursor;
        if (page.data.length > 0) continue;
        if (last) return;
        last = !writing;
      }
    })();
    const numbers = Array.from({ length: 120 }, (_, number) => number);
    await Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (const number of numbers.filter((one) => one % 6 === writer)) {
          await database.transaction(tenant.id, async (transaction) => {
            await recorder.record(transaction, tenant.id, [newEvent(number)]);
            await sleep(Math.random() * 15);
          });
        }
      }),
    );
    writing = false;
    await reader;
    expect([...seen].sort((a, b) => a - b)).toEqual(numbers);
  });

  describe('after pruning', () => {
    const old = () => {
      const hex = (Date.now() - 40 * 86_400_000).toString(16).padStart(12, '0');
      return `${hex.slice(0, 8)}-${hex.slice(8)}${newUuid().slice(13)}`;
    };
    const positions = () =>
      app.database.query('SELECT event_id FROM event_positions WHERE tenant_id = $1', [tenant.id]);
    const prune = () => app.get(EventRetention).prune();

    it('continues from every cursor, and never returns to an earlier position', async () => {
      await app.database.query(...insert([1, 2, 3].map((number) => ({ id: old(), number }))));
      const first = await feed('per_page=1');
      const all = await walk();
      expect(all.numbers).toEqual([1, 2, 3]);
      await prune();
      expect(await positions()).toEqual([]);
      for (const cursor of ['', first.meta.next_cursor, all.cursor]) {
        const page = await feed(`cursor=${cursor}`);
        expect(page.data).toEqual([]);
        expect(page.meta.next_cursor).toBe(all.cursor);
      }
      await record(4);
      expect(numbersOf(await feed(`cursor=${all.cursor}`))).toEqual([4]);
      expect(numbersOf(await feed(`cursor=${first.meta.next_cursor}`))).toEqual([4]);
    });

    it('still shows newer events and those that were not relayed yet', async () => {
      await app.database.query(...insert([{ id: old(), number: 1 }]));
      await record(2);
      await feed();
      const relay = await holdLock(tenant.id);
      await app.database.query(...insert([{ id: old(), number: 3 }]));
      await prune();
      await relay.end();
      expect((await walk()).numbers).toEqual([2, 3]);
      expect(await positions()).toHaveLength(2);
    });

    it('shows a full page even when events in between were deleted', async () => {
      await record(1);
      await feed();
      await app.database.query(...insert([{ id: old(), number: 2 }]));
      await feed();
      await record(3, 4);
      await feed();
      await app.database.query(`DELETE FROM events WHERE tenant_id = $1 AND data->>'number' = '2'`, [tenant.id]);
      expect(numbersOf(await feed('per_page=2'))).toEqual([1, 3]);
    });
  });

  describe('on another server', () => {
    let elsewhere: { database: TestDatabase; stop: () => Promise<void> };
    beforeEach(async () => (elsewhere = await startServer()));
    afterEach(() => elsewhere.stop());

    const settings = () => ({
      ROLE: 'api',
      TENANTS: JSON.stringify([{ id: tenant.id, name: 'Moved', api_keys: [{ key: tenant.key }] }]),
    });
    const from = (moved: TestApp) => ({ id: tenant.id, http: moved.client(`Bearer ${tenant.key}`) });
    const recordIn = (moved: TestApp, ...numbers: number[]) => recordEvents(moved, tenant.id, numbers.map(newEvent));

    it('continues from an old cursor after the rows of the tenant were moved', async () => {
      await record(1, 2, 3);
      const before = await feed('per_page=2');
      const relay = await holdLock(tenant.id);
      await record(4);
      const moved = await startApp(settings(), { database: elsewhere.database });
      for (const [table, columns] of [
        ['events', 'tenant_id, id, type, data, occurred_at'],
        ['event_counters', 'tenant_id, position'],
        ['event_positions', 'tenant_id, position, event_id, type'],
        ['pending_events', 'tenant_id, event_id'],
      ]) {
        const [{ rows } = { rows: '' }] = await app.database.query<{ rows: string }>(
          `SELECT json_agg(t)::text AS rows FROM ${table} t WHERE tenant_id = $1`,
          [tenant.id],
        );
        await elsewhere.database.query(
          `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
          [rows],
        );
      }
      await relay.end();
      await recordIn(moved, 5);
      expect((await walk(before.meta.next_cursor, from(moved))).numbers).toEqual([3, 4, 5]);
      expect((await walk('', from(moved))).numbers).toEqual([1, 2, 3, 4, 5]);
      await moved.close();
    });

    it('skips no event when the position counter is behind the cursor, as after restoring an old backup', async () => {
      await record(1, 2);
      const { cursor } = await walk();
      // The backup is older: it contains neither the events nor their counter.
      const restored = await startApp(settings(), { database: elsewhere.database });
      const empty = await feed(`cursor=${cursor}`, from(restored));
      expect(empty).toMatchObject({ data: [], meta: { next_cursor: cursor } });
      await recordIn(restored, 3);
      expect(numbersOf(await feed(`cursor=${cursor}`, from(restored)))).toEqual([3]);
      await restored.close();
    });

    describeWithPgDump('by pg_dump', () => {
      // The dump of a coordinator has no rows of tenants.
      itOnPlain('continues from an old cursor after the dump is restored', async () => {
        await record(1, 2, 3);
        const before = await feed('per_page=2');
        const relay = await holdLock(tenant.id);
        await record(4);
        const dump = await pgDump(app.database.url);
        await relay.end();
        await elsewhere.database.query(dump);
        await elsewhere.database.query(`SELECT set_config('search_path', 'public', false)`);
        const restored = await startApp(settings(), { database: elsewhere.database });
        await recordIn(restored, 5);
        expect((await walk(before.meta.next_cursor, from(restored))).numbers).toEqual([3, 4, 5]);
        expect((await walk('', from(restored))).numbers).toEqual([1, 2, 3, 4, 5]);
        await restored.close();
      });
    });
  });
});

/** A new PostgreSQL server with an empty database. */
async function startServer(): Promise<{ database: TestDatabase; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'trivet-elsewhere-'));
  const server = await startEmbeddedPostgres({ dataDir, log: { info: () => undefined, error: () => undefined } });
  const pool = new pg.Pool({ connectionString: server.url, max: 1 });
  pool.on('error', () => undefined);
  const database: TestDatabase = {
    url: server.url,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
    drop: () => pool.end(),
  };
  return {
    database,
    async stop() {
      await pool.end();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
