import { Database } from '../../src/database/database.js';
import { Transaction } from '../../src/database/transaction.js';
import { EventRecorder } from '../../src/events/event-recorder.js';
import { EventRetention } from '../../src/events/event-retention.js';
import { type RelayedEvent, Subscribers } from '../../src/events/subscribers/subscriber.js';
import { formatId, newUuid } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { Queues } from '../../src/queues/queues.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { Subscription } from '../support/subscription.js';
import { recordEvents } from '../support/record-events.js';
import { until } from '../support/until.js';

interface FeedPage {
  data: { id: string; type: string; timestamp: string; tenant_id: string; data: { number: number } }[];
  meta: { per_page: number; next_cursor: string };
}

/** A version 7 UUID that was generated this many days ago. */
function uuidOfAge(days: number): string {
  const hex = (Date.now() - days * 86_400_000).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${newUuid().slice(13)}`;
}

describe('events', () => {
  let receiver: Receiver;
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    receiver = await startReceiver();
    app = await startApp({ ...RECEIVER_ENV, EVENT_RETENTION: '10d' });
  });
  afterAll(async () => {
    await app.close();
    await receiver.close();
  });
  beforeEach(() => (tenant = app.tenant()));

  const newEvent = (number: number) => ({
    type: 'entry.created' as const,
    data: JSON.stringify({ number }),
    at: new Date(),
  });

  async function feed(query = ''): Promise<FeedPage> {
    return (await tenant.http.get(`/v1/events/${tenant.id}?${query}`).expect(200)).body as FeedPage;
  }

  describe('the relay', () => {
    /** Adds a subscriber that handles only the events of this tenant. */
    function subscribe(accept: (events: readonly RelayedEvent[]) => Promise<void> | void): void {
      app.get(Subscribers).addToRelay({
        name: `test-${tenant.id}`,
        accept: async (_transaction, tenantId, events) => {
          if (tenantId === tenant.id) await accept(events);
        },
      });
    }

    it('delivers committed events in the order they were recorded, and no event that was rolled back', async () => {
      const ids: string[] = [];
      subscribe((events) => void ids.push(...events.map(({ id }) => formatId('evt', id))));
      const database = app.get(Database);
      const recorder = app.get(EventRecorder);
      const rolledBack = database.transaction(tenant.id, async (transaction) => {
        await recorder.record(transaction, tenant.id, [newEvent(0)]);
        throw new Error('rolled back');
      });
      await expect(rolledBack).rejects.toThrow('rolled back');
      await database.transaction(tenant.id, (transaction) =>
        recorder.record(transaction, tenant.id, [newEvent(1), newEvent(2)]),
      );
      const isPending = 'SELECT 1 FROM pending_events WHERE tenant_id = $1';
      await until(async () => (await app.database.query(isPending, [tenant.id])).length === 0);
      const { data: shown } = await feed();
      expect(shown.map(({ data }) => data.number)).toEqual([1, 2]);
      expect(shown.map(({ id }) => id)).toEqual(ids);
    });

    it('delivers an event again after a subscriber failed, and rolls back the rows of all subscribers', async () => {
      const webhook = await Subscription.create(app, receiver);
      tenant = webhook.tenant;
      let tries = 0;
      subscribe(() => {
        if (++tries < 3) throw new Error('not yet');
      });
      await webhook.happen();
      await receiver.until(webhook.path, 1);
      expect(tries).toBe(3);
      await webhook.newest('succeeded', 1);
      expect(receiver.received(webhook.path)).toHaveLength(1);
    });

    it('finds events that no wake-up announced', async () => {
      const types: string[] = [];
      subscribe((events) => void types.push(...events.map(({ type }) => type)));
      const wake = jest.spyOn(app.get(Queues), 'wake').mockReturnValue();
      await recordEvents(app, tenant.id, [newEvent(1)]);
      await until(() => Promise.resolve(types.length > 0));
      wake.mockRestore();
    });

    it('is woken by the commit of a change, and not by a change that is rolled back', async () => {
      const wake = jest.spyOn(app.get(Queues), 'wake').mockReturnValue();
      const woken = () => wake.mock.calls.filter(([name]) => name === 'events').map(([, job]) => job.tenantId);
      const database = app.get(Database);
      const rolledBack = database.transaction(tenant.id, async (transaction) => {
        await app.get(EventRecorder).record(transaction, tenant.id, [newEvent(0)]);
        throw new Error('rolled back');
      });
      await expect(rolledBack).rejects.toThrow('rolled back');
      expect(woken()).toEqual([]);
      await database.transaction(tenant.id, async (transaction) => {
        await app.get(EventRecorder).record(transaction, tenant.id, [newEvent(1)]);
        expect(woken()).toEqual([]);
      });
      expect(woken()).toEqual([tenant.id]);
      wake.mockRestore();
    });

    it('relays many events in batches', async () => {
      const sizes: number[] = [];
      subscribe((events) => void sizes.push(events.length));
      const events = Array.from({ length: 1_200 }, (_, number) => newEvent(number));
      await recordEvents(app, tenant.id, events);
      await until(() => Promise.resolve(sizes.reduce((sum, size) => sum + size, 0) === 1_200));
      expect(Math.max(...sizes)).toBe(500);
    });

    it('does not read the data of large events', async () => {
      const seen: RelayedEvent[] = [];
      subscribe((events) => void seen.push(...events));
      const large = { ...newEvent(0), data: JSON.stringify('x'.repeat(1_000_000)) };
      const query = jest.spyOn(Transaction.prototype, 'query');
      await recordEvents(
        app,
        tenant.id,
        Array.from({ length: 20 }, () => large),
      );
      await until(() => Promise.resolve(seen.length === 20));
      const answers = await Promise.all(query.mock.results.map(({ value }) => value as Promise<object[]>));
      query.mockRestore();
      expect(Math.max(...answers.map((rows) => JSON.stringify(rows).length))).toBeLessThan(20_000);
    });
  });

  describe('the feed', () => {
    const record = (...numbers: number[]) => recordEvents(app, tenant.id, numbers.map(newEvent));

    it('answers 401 without a key and 403 for another tenant', async () => {
      await app.client().get(`/v1/events/${tenant.id}`).expect(401);
      await app.tenant().http.get(`/v1/events/${tenant.id}`).expect(403);
    });

    it('continues from its cursor, also from the last one', async () => {
      const nothing = await feed('cursor=');
      expect(nothing.data).toEqual([]);
      await record(1, 2, 3);
      const first = await feed(`per_page=2&cursor=${nothing.meta.next_cursor}`);
      expect(first.data.map(({ data }) => data.number)).toEqual([1, 2]);
      expect(Object.keys(first.data[0]!)).toEqual(['id', 'type', 'timestamp', 'tenant_id', 'data']);
      expect(first.meta).toEqual({ per_page: 2, next_cursor: expect.any(String) });
      const second = await feed(`per_page=2&cursor=${first.meta.next_cursor}`);
      expect(second.data.map(({ data }) => data.number)).toEqual([3]);
      const end = await feed(`cursor=${second.meta.next_cursor}`);
      expect(end.data).toEqual([]);
      await record(4);
      const more = await feed(`cursor=${end.meta.next_cursor}`);
      expect(more.data.map(({ data }) => data.number)).toEqual([4]);
      expect((await feed()).data).toHaveLength(4);
    });

    it('shows events of one type with filter[type]', async () => {
      await record(1);
      expect((await feed('filter[type]=entry.created')).data).toHaveLength(1);
      const { data, meta } = await feed('filter[type]=form.submitted');
      expect(data).toEqual([]);
      await tenant.http.get(`/v1/events/${tenant.id}?cursor=${meta.next_cursor}`).expect(400);
    });

    it('does not show another tenant’s events', async () => {
      await record(1);
      tenant = app.tenant();
      expect((await feed()).data).toEqual([]);
    });

    it.each([
      'page=1',
      'per_page=0',
      'per_page=101',
      'cursor=abc',
      'filter[type]=webhook.test',
      'filter[x]=1',
      'sort=id',
    ])('rejects ?%s', async (query) => {
      await tenant.http.get(`/v1/events/${tenant.id}?${query}`).expect(400);
    });
  });

  describe('the retention', () => {
    const old = uuidOfAge;
    let position = 0;
    const insertEvent = (id: string) =>
      app.database.query(
        `WITH event AS (
            INSERT INTO events (tenant_id, id, type, data, occurred_at) VALUES ($1, $2, 'entry.created', '{}', now())
          )
          INSERT INTO event_positions (tenant_id, position, event_id, type) VALUES ($1, $3, $2, 'entry.created')`,
        [tenant.id, id, ++position],
      );
    const ids = async (table: string, column = 'id') => {
      const withoutTypes = table === 'events' ? `AND type NOT LIKE 'content_type.%'` : '';
      const text = `SELECT ${column} AS id FROM ${table} WHERE tenant_id = $1 ${withoutTypes} ORDER BY 1`;
      return (await app.database.query<{ id: string }>(text, [tenant.id])).map(({ id }) => id);
    };
    const prune = () => app.get(EventRetention).prune();

    it('deletes only what is older', async () => {
      const [older, younger] = [old(11), old(9)];
      await insertEvent(older);
      await insertEvent(younger);
      await prune();
      expect(await ids('events')).toEqual([younger]);
      expect(await ids('event_positions', 'event_id')).toEqual([younger]);
    });

    it('deletes old test events, which have no position in the feed', async () => {
      const webhook = await Subscription.create(app, receiver);
      tenant = webhook.tenant;
      await tenant.http.post(`${webhook.webhook}/test`).expect(202);
      await webhook.newest('succeeded', 1);
      await app.database.query(`UPDATE events SET id = $2 WHERE tenant_id = $1 AND type = 'webhook.test'`, [
        tenant.id,
        old(11),
      ]);
      await prune();
      expect(await ids('events')).toEqual([]);
    });

    it('deletes finished deliveries with their attempts, but no event that a pending delivery needs', async () => {
      const webhook = await Subscription.create(app, receiver);
      tenant = webhook.tenant;
      const [row] = await app.database.query<{ id: string }>('SELECT id FROM webhooks WHERE tenant_id = $1', [
        tenant.id,
      ]);
      const events = [old(13), old(12), old(11)];
      const deliveries: string[] = [];
      for (const [index, event] of events.entries()) {
        await insertEvent(event);
        const delivery = old(13 - index);
        deliveries.push(delivery);
        await app.database.query(
          `INSERT INTO deliveries (tenant_id, id, webhook_id, event_id, event_type, status, attempts, next_attempt_at, created_at)
           VALUES ($1, $2, $3, $4, 'entry.created', $5, 0, now() + interval '1 hour', now())`,
          [tenant.id, delivery, row!.id, event, index === 1 ? 'pending' : 'succeeded'],
        );
        await app.database.query(
          `INSERT INTO delivery_attempts (tenant_id, delivery_id, id, attempted_at, duration_ms, response)
           VALUES ($1, $2, $2, now(), 1, '')`,
          [tenant.id, delivery],
        );
      }
      await prune();
      expect(await ids('deliveries')).toEqual([deliveries[1]]);
      expect(await ids('delivery_attempts', 'delivery_id')).toEqual([deliveries[1]]);
      // Events newer than the oldest needed one are kept too.
      expect(await ids('events')).toEqual([events[1], events[2]]);

      await tenant.http.delete(webhook.webhook).expect(200);
      await prune();
      expect(await ids('deliveries')).toEqual([]);
      expect(await ids('events')).toEqual([]);
    });
  });
});
