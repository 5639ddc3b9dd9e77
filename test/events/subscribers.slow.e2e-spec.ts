import { Logger } from '@nestjs/common';
import pg from 'pg';
import { Database } from '../../src/database/database.js';
import type { Transaction } from '../../src/database/transaction.js';
import { EventRecorder } from '../../src/events/event-recorder.js';
import { EventRelay } from '../../src/events/event-relay.js';
import { EventRetention } from '../../src/events/event-retention.js';
import type { EventType } from '../../src/modules/module-manifest.js';
import { Retirement } from '../../src/events/subscribers/retirement.js';
import {
  type EventSubscriber,
  type RelayedEvent,
  type StartsFrom,
  Subscribers,
} from '../../src/events/subscribers/subscriber.js';
import { SubscriberFeeds } from '../../src/events/subscribers/subscriber-feeds.js';
import { SubscriberRegistry } from '../../src/events/subscribers/subscriber-registry.js';
import { firstUuidOf, formatId, newUuid } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import type { TestDatabase } from '../support/database.js';
import { itOnPlain } from '../support/it-on-plain.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { Subscription } from '../support/subscription.js';
import { until } from '../support/until.js';

const COUNT = 30;
const TENANTS = JSON.stringify(
  Array.from({ length: COUNT }, (_, index) => ({
    id: `ten_sub${index}`,
    name: 'A',
    api_keys: [{ key: `key-${index}` }],
  })),
);
const DAY = 86_400_000;

/** A subscriber that stores what it receives in a table of its own, which is created for the tests. */
class Journal implements EventSubscriber {
  /** The types of events that it does not accept. */
  readonly refused = new Set<EventType>();
  types?: readonly EventType[];

  constructor(
    readonly name: string,
    readonly startsFrom: StartsFrom,
  ) {}

  async accept(transaction: Transaction, tenantId: string, events: readonly RelayedEvent[]): Promise<void> {
    const written = {
      name: 'test.journal',
      inserts: ['journal'],
      writes: true,
      text: `INSERT INTO journal SELECT $1, $2, id, nextval('journal_number') FROM unnest($3::uuid[]) AS e (id)`,
      bind: (tenant: string, { ids }: { ids: string[] }) => [tenant, this.name, ids],
    };
    await transaction.query(tenantId, written, { ids: events.map(({ id }) => id) });
    const refused = events.find(({ type }) => this.refused.has(type));
    if (refused) throw new Error(`not ${refused.type}`);
  }
}

describe('a subscriber with positions of its own', () => {
  let receiver: Receiver;
  let database: TestDatabase;
  let first: TestApp;
  let taken = 0;
  const running: TestApp[] = [];
  const client = () => new pg.Client({ connectionString: database.url });

  beforeAll(async () => {
    receiver = await startReceiver();
    // An API process: nothing is relayed unless somebody asks for it.
    first = await startApp({ ...RECEIVER_ENV, TENANTS, ROLE: 'api', EVENT_RETENTION: '10d' });
    ({ database } = first);
    await database.query('CREATE SEQUENCE journal_number');
    await database.query(`CREATE TABLE journal (tenant_id text, name text, event_id uuid, number bigint,
      PRIMARY KEY (tenant_id, name, event_id))`);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(running.splice(0).map((app) => app.close()));
    await database.query('DELETE FROM subscribers');
  });
  afterAll(async () => {
    await first.close();
    await receiver.close();
  });

  const newTenant = (): TestTenant => {
    const index = taken++;
    return { id: `ten_sub${index}`, key: `key-${index}`, http: first.client(`Bearer key-${index}`) };
  };
  /** Starts a process that has these subscribers. */
  async function start(role: 'worker' | 'api', ...subscribers: EventSubscriber[]): Promise<TestApp> {
    const env = { ...RECEIVER_ENV, TENANTS, ROLE: role, EVENT_RETENTION: '10d' };
    const app = await startApp(env, { database });
    running.push(app);
    for (const subscriber of subscribers) app.get(Subscribers).add(subscriber);
    await app.get(SubscriberRegistry).onApplicationBootstrap();
    return app;
  }
  async function record(tenant: TestTenant, ...types: EventType[]): Promise<void> {
    const events = types.map((type) => ({ type, data: '{}', at: new Date() }));
    const recorder = first.get(EventRecorder);
    await first.get(Database).transaction(tenant.id, (transaction) => recorder.record(transaction, tenant.id, events));
  }
  /** Relays in a process that has no subscriber, as an old process in a rolling upgrade does. */
  const relayElsewhere = (tenant: TestTenant) => first.get(EventRelay).catchUp(tenant.id);
  const feed = async ({ id, http }: TestTenant) =>
    ((await http.get(`/v1/events/${id}?per_page=100`).expect(200)).body.data as { id: string }[]).map(
      (event) => event.id,
    );
  const journal = async ({ id }: TestTenant, name: string) => {
    const text = 'SELECT event_id FROM journal WHERE tenant_id = $1 AND name = $2 ORDER BY number';
    const rows = await database.query<{ event_id: string }>(text, [id, name]);
    return rows.map((row) => formatId('evt', row.event_id));
  };
  const untilJournal = (tenant: TestTenant, name: string, length: number) =>
    until(async () => {
      const ids = await journal(tenant, name);
      return ids.length >= length && ids;
    });

  /** Retires the subscriber as if no worker had reported it for an hour. */
  async function retireUnseen(name: string): Promise<void> {
    await database.query(`UPDATE subscribers SET seen_at = now() - interval '1 hour' WHERE name = $1`, [name]);
    const connection = client();
    await connection.connect();
    expect(await new Retirement(connection).retire(name)).toBe(true);
    await connection.end();
  }

  itOnPlain(
    'is registered later if the database does not answer for a tenant at the start, which goes on',
    async () => {
      const tenant = newTenant();
      await record(tenant, 'entry.created');
      await relayElsewhere(tenant);
      // This is what Citus reports if the server of a tenant is away.
      await database.query(
        `CREATE FUNCTION away() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'away' USING ERRCODE = '08006'; END $$`,
      );
      await database.query(
        `CREATE TRIGGER away BEFORE INSERT ON subscriber_positions FOR EACH ROW WHEN (NEW.tenant_id = '${tenant.id}') EXECUTE FUNCTION away()`,
      );
      const late = new Journal('late', 'oldest');
      const [worker, api] = [await start('worker', late), await start('api', new Journal('late', 'oldest'))];
      expect([worker, api].map((app) => app.get(SubscriberRegistry).idOf(late))).toEqual([undefined, undefined]);
      await record(tenant, 'entry.updated');
      await relayElsewhere(tenant);
      await database.query('DROP FUNCTION away() CASCADE');
      expect(await untilJournal(tenant, 'late', 2)).toEqual((await feed(tenant)).slice(-2));
      await until(() => Promise.resolve(api.get(SubscriberRegistry).idOf(late) !== undefined));
    },
  );

  it('receives the events that a process without it relayed, in the order of the feed', async () => {
    const tenant = newTenant();
    await start('worker', new Journal('crm', 'now'));
    for (let times = 0; times < 3; times++) {
      await record(tenant, 'entry.created', 'entry.updated');
      await relayElsewhere(tenant);
    }
    expect(await untilJournal(tenant, 'crm', 6)).toEqual(await feed(tenant));
  });

  it('receives the events of the time when no process had it', async () => {
    const tenant = newTenant();
    const worker = await start('worker', new Journal('crm', 'now'));
    await worker.close();
    running.pop();
    await record(tenant, 'entry.created');
    await relayElsewhere(tenant);
    await start('worker', new Journal('crm', 'now'));
    expect(await untilJournal(tenant, 'crm', 1)).toEqual(await feed(tenant));
  });

  it('starts from now or from the oldest event, as it chose', async () => {
    const tenant = newTenant();
    await record(tenant, 'entry.created', 'entry.updated');
    await relayElsewhere(tenant);
    await start('worker', new Journal('new', 'now'), new Journal('replay', 'oldest'));
    await record(tenant, 'entry.deleted');
    const all = await feed(tenant);
    expect(await untilJournal(tenant, 'new', 1)).toEqual(all.slice(2));
    expect(await untilJournal(tenant, 'replay', 3)).toEqual(all);
  });

  it('is registered before an API process serves requests, so that a later worker misses nothing', async () => {
    const tenant = newTenant();
    await start('api', new Journal('crm', 'now'));
    await record(tenant, 'entry.created');
    await relayElsewhere(tenant);
    await start('worker', new Journal('crm', 'now'));
    expect(await untilJournal(tenant, 'crm', 1)).toEqual(await feed(tenant));
  });

  it('finishes a registration that another process began', async () => {
    const tenant = newTenant();
    await record(tenant, 'entry.created');
    await relayElsewhere(tenant);
    const id = newUuid();
    await database.query(
      `INSERT INTO subscribers (name, id, starts_from, created_at) VALUES ('crm', $1, 'now', now())`,
      [id],
    );
    await start('worker', new Journal('crm', 'now'));
    await record(tenant, 'entry.updated');
    expect(await untilJournal(tenant, 'crm', 1)).toEqual((await feed(tenant)).slice(1));
  });

  it('receives each event once when several workers have it', async () => {
    const tenant = newTenant();
    await start('worker', new Journal('crm', 'now'));
    await start('worker', new Journal('crm', 'now'));
    const types = Array.from({ length: 700 }, () => 'entry.updated' as const);
    await Promise.all([record(tenant, ...types), record(tenant, ...types)]);
    // The primary key of the journal refuses an event that is accepted twice.
    const ids = await untilJournal(tenant, 'crm', 1_400);
    const { rows } = {
      rows: await database.query<{ id: string }>(
        'SELECT event_id AS id FROM event_positions WHERE tenant_id = $1 ORDER BY position',
        [tenant.id],
      ),
    };
    expect(ids).toEqual(rows.map((row) => formatId('evt', row.id)));
  });

  it('receives only events of its types', async () => {
    const tenant = newTenant();
    const crm = new Journal('crm', 'now');
    crm.types = ['entry.deleted'];
    await start('worker', crm);
    await record(tenant, 'entry.created', 'entry.deleted', 'entry.updated');
    expect(await untilJournal(tenant, 'crm', 1)).toEqual((await feed(tenant)).slice(1, 2));
  });

  it('that fails holds back neither webhooks nor other subscribers, and receives what it refused', async () => {
    const worker = await start('worker', new Journal('good', 'now'));
    const crm = new Journal('crm', 'now');
    crm.refused.add('entry.created');
    worker.get(Subscribers).add(crm);
    await worker.get(SubscriberRegistry).register();
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const tenant = newTenant();
    const webhook = await Subscription.create({ ...first, tenant: () => tenant }, receiver);
    await record(tenant, 'entry.updated');
    await webhook.happen();
    await receiver.until(webhook.path, 1);
    const all = await untilJournal(tenant, 'good', 2);
    // The event before the one that fails is passed, with smaller and smaller batches.
    expect(await untilJournal(tenant, 'crm', 1)).toEqual(all.slice(0, 1));
    await until(() => Promise.resolve(errors.mock.calls.some(([log]) => (log as { event?: string }).event === all[1])));
    expect(errors.mock.calls.map(([log]) => (log as { subscriber?: string }).subscriber)).toContain('crm');
    crm.refused.clear();
    expect(await untilJournal(tenant, 'crm', 2)).toEqual(all);
  }, 240_000);

  it('loses nothing when its process dies between accepting events and the commit', async () => {
    const tenant = newTenant();
    const worker = await start('worker', new Journal('crm', 'now'));
    await record(tenant, 'entry.created');
    await untilJournal(tenant, 'crm', 1);
    // A transaction that wrote rows and never commits: its connection ends.
    worker.get(SubscriberFeeds).stopClaiming();
    const dying = client();
    await dying.connect();
    await dying.query('BEGIN');
    await dying.query('SELECT 1 FROM subscriber_positions WHERE tenant_id = $1 FOR UPDATE', [tenant.id]);
    await record(tenant, 'entry.updated');
    await relayElsewhere(tenant);
    await start('worker', new Journal('crm', 'now'));
    await dying.end();
    expect(await untilJournal(tenant, 'crm', 2)).toEqual(await feed(tenant));
  });

  describe('the retention', () => {
    const old = () => firstUuidOf(new Date(Date.now() - 11 * DAY)).slice(0, 14) + newUuid().slice(14);
    const counts = async ({ id }: TestTenant) => {
      const text = `SELECT (SELECT count(*)::int FROM events WHERE tenant_id = $1) AS events,
        (SELECT count(*)::int FROM event_positions WHERE tenant_id = $1) AS positions`;
      return (await database.query<{ events: number; positions: number }>(text, [id]))[0];
    };
    /** Records an event that is older than the retention. */
    async function recordOld({ id }: TestTenant): Promise<void> {
      await database.query(
        `WITH event AS (INSERT INTO events (tenant_id, id, type, data, occurred_at) VALUES ($1, $2, 'entry.created', '{}', now()))
          INSERT INTO pending_events (tenant_id, event_id) VALUES ($1, $2)`,
        [id, old()],
      );
    }

    it('keeps events until every known subscriber has passed them', async () => {
      const tenant = newTenant();
      const crm = new Journal('crm', 'now');
      crm.refused.add('entry.created');
      const worker = await start('worker', crm);
      jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
      await recordOld(tenant);
      await relayElsewhere(tenant);
      await worker.get(EventRetention).prune();
      expect(await counts(tenant)).toEqual({ events: 1, positions: 1 });
      crm.refused.clear();
      await untilJournal(tenant, 'crm', 1);
      await worker.get(EventRetention).prune();
      expect(await counts(tenant)).toEqual({ events: 0, positions: 0 });
    });

    it('keeps all events in a process that lacks a subscriber, until the subscriber is retired', async () => {
      const tenant = newTenant();
      await start('worker', new Journal('crm', 'now'));
      await recordOld(tenant);
      await relayElsewhere(tenant);
      await untilJournal(tenant, 'crm', 1);
      await first.get(EventRetention).prune();
      expect(await counts(tenant)).toEqual({ events: 1, positions: 1 });
      await Promise.all(running.splice(0).map((app) => app.close()));

      const connection = client();
      await connection.connect();
      const retirement = new Retirement(connection);
      expect(await retirement.report()).toMatchObject([{ name: 'crm', isRunning: true, tenantsBehind: 0 }]);
      expect(await retirement.retire('crm')).toBe(false);
      await database.query(`UPDATE subscribers SET seen_at = now() - interval '1 hour'`);
      expect(await retirement.retire('crm')).toBe(true);
      expect(await retirement.retire('crm')).toBe(false);
      await connection.end();
      expect(await database.query('SELECT 1 FROM subscriber_positions WHERE tenant_id = $1', [tenant.id])).toEqual([]);
      await first.get(EventRetention).prune();
      expect(await counts(tenant)).toEqual({ events: 0, positions: 0 });
    });

    it('warns of a subscriber that no worker has had for ten minutes', async () => {
      const worker = await start('worker');
      await database.query(
        `INSERT INTO subscribers VALUES ('gone', $1, 'now', now(), now(), now() - interval '11 minutes')`,
        [newUuid()],
      );
      const warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
      const registry = worker.get(SubscriberRegistry);
      for (let times = 0; times < 2; times++) await registry.check();
      const texts = warnings.mock.calls.map(([, text]) => String(text));
      expect(texts.filter((text) => text.includes('npm run subscribers -- retire gone'))).toHaveLength(1);
    });
  });

  it('starts as a new one when it is added again after it was retired', async () => {
    const tenant = newTenant();
    await start('worker', new Journal('crm', 'now'));
    await record(tenant, 'entry.created');
    await untilJournal(tenant, 'crm', 1);
    await Promise.all(running.splice(0).map((app) => app.close()));
    await retireUnseen('crm');
    await record(tenant, 'entry.updated');
    await relayElsewhere(tenant);
    await start('worker', new Journal('crm', 'now'));
    await record(tenant, 'entry.deleted');
    const all = await feed(tenant);
    expect(await untilJournal(tenant, 'crm', 2)).toEqual([all[0], all[2]]);
  });

  describe('that was retired while its worker could not reach the database', () => {
    const retiredLines = (errors: jest.SpyInstance) =>
      errors.mock.calls.map(([, text]) => String(text)).filter((text) => text.includes('was retired'));
    const known = () =>
      database.query<{ id: string; seen: boolean }>('SELECT id, seen_at IS NOT NULL AS seen FROM subscribers');

    it('is reported once, and starts as a new one without a restart', async () => {
      const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
      const tenant = newTenant();
      const worker = await start('worker', new Journal('crm', 'now'));
      await record(tenant, 'entry.created');
      await untilJournal(tenant, 'crm', 1);
      await retireUnseen('crm');
      await record(tenant, 'entry.updated');
      await relayElsewhere(tenant);

      for (let times = 0; times < 2; times++) await worker.get(SubscriberRegistry).check();
      expect(retiredLines(errors)).toEqual([expect.stringContaining('npm run subscribers -- retire crm')]);
      expect(await known()).toMatchObject([{ seen: true }]);
      await record(tenant, 'entry.deleted');
      const all = await feed(tenant);
      expect(await untilJournal(tenant, 'crm', 2)).toEqual([all[0], all[2]]);
    });

    it('continues at the positions of the new one if another worker has registered it again', async () => {
      const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
      const tenant = newTenant();
      const worker = await start('worker', new Journal('crm', 'now'));
      await retireUnseen('crm');
      const other = await start('worker', new Journal('crm', 'now'));
      const registered = await known();
      await record(tenant, 'entry.created');
      await untilJournal(tenant, 'crm', 1);
      await other.close();
      running.pop();

      await worker.get(SubscriberRegistry).check();
      expect(retiredLines(errors)).toHaveLength(1);
      expect(await known()).toEqual(registered);
      await record(tenant, 'entry.updated');
      expect(await untilJournal(tenant, 'crm', 2)).toEqual(await feed(tenant));
    });
  });

  it('needs a name of its own', () => {
    const subscribers = new Subscribers();
    subscribers.add(new Journal('crm', 'now'));
    expect(() => subscribers.add(new Journal('crm', 'now'))).toThrow('two subscribers');
    expect(() => subscribers.add(new Journal('Not A Name', 'now'))).toThrow('not a name');
  });
});
