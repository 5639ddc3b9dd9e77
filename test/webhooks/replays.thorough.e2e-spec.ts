import { randomBytes } from 'node:crypto';
import { uuidOf } from '../support/backup-writer.js';
import { startApp, type TestApp } from '../support/app.js';
import { newForm, submit } from '../support/notified-form.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { Subscription } from '../support/subscription.js';
import { until } from '../support/until.js';

const ENV = { ...RECEIVER_ENV, WEBHOOK_RETRY_SCHEDULE: '100ms', ENCRYPTION_KEY: randomBytes(32).toString('base64') };
const LONG_AGO = '2020-01-01T00:00:00Z';

describe('a replay', () => {
  let app: TestApp;
  let receiver: Receiver;
  beforeAll(async () => {
    [app, receiver] = await Promise.all([startApp(ENV), startReceiver()]);
  });
  afterAll(() => Promise.all([app.close(), receiver.close()]));

  const subscribe = (body: object = {}, of?: Subscription) => Subscription.create(app, receiver, body, of);
  const replay = async ({ tenant, webhook }: Subscription, body: object = {}) =>
    (await tenant.http.post(`${webhook}/replay`, { from: LONG_AGO, ...body }).expect(202)).body.data.count as number;
  const types = (path: string) => receiver.received(path).map(({ body }) => body.type);

  it('requires a key of the tenant that may write webhooks', async () => {
    const { webhook, tenant } = await subscribe();
    await app.client().post(`${webhook}/replay`, { from: LONG_AGO }).expect(401);
    await app.client(`Bearer ${tenant.publishedKey}`).post(`${webhook}/replay`, { from: LONG_AGO }).expect(403);
    const other = app.tenant();
    await app.client(`Bearer ${other.key}`).post(`${webhook}/replay`, { from: LONG_AGO }).expect(403);
  });

  it('sends events from before the webhook was made, as new deliveries with the IDs of the events', async () => {
    const first = await subscribe();
    const entries = [await first.happen('a'), await first.happen('b')];
    const [one, two] = await receiver.until(first.path, 2);
    const late = await subscribe({ payload: 'thin' }, first);
    expect(await replay(late)).toBe(2);
    const received = await receiver.until(late.path, 2);
    expect(received.map(({ body }) => body.data['id']).sort()).toEqual(entries.map(({ id }) => id).sort());
    expect(Object.keys(received[0]!.body.data)).toEqual(['id', 'content_type_id']);
    const ids = received.map(({ headers }) => headers['webhook-id']).sort();
    expect(ids).toEqual([one!, two!].map(({ headers }) => headers['webhook-id']).sort());

    // The first deliveries stay as they are beside those of a replay.
    expect(await replay(first)).toBe(2);
    await receiver.until(first.path, 4);
    const deliveries = await until(async () => {
      const found = await first.deliveries();
      return found.every(({ status }) => status === 'succeeded') && found;
    });
    expect(deliveries).toHaveLength(4);
    expect(new Set(deliveries.map(({ id }) => id)).size).toBe(4);
    expect(deliveries.map(({ event_id }) => event_id).sort()).toEqual([...ids, ...ids].sort());
    const pages = (await first.tenant.http.get(`${first.webhook}/deliveries?cursor=&per_page=3`).expect(200)).body;
    const rest = await first.deliveries(`?cursor=${pages.meta.next_cursor}&per_page=3`);
    expect([...pages.data, ...rest].map(({ id }: { id: string }) => id)).toEqual(deliveries.map(({ id }) => id));
  });

  it('sends only events that fit the events, the filters and the range', async () => {
    const webhook = await subscribe({ events: ['entry.created', 'entry.published'] });
    const { tenant } = webhook;
    const { id } = await webhook.happen('draft');
    const entry = `${(webhook as unknown as { entries: string }).entries}/${id}`;
    await tenant.http.patch(entry, { status: 'published' }).expect(200);
    await receiver.until(webhook.path, 2);
    const published = await subscribe({ events: ['*'], filters: { status: 'published' } }, webhook);
    // Content types have no status, so the filter does not apply to them.
    expect(await replay(published)).toBe(3);
    await receiver.until(published.path, 3);
    expect(types(published.path).sort()).toEqual(['content_type.created', 'entry.published', 'entry.updated']);
    expect(await replay(webhook, { types: ['entry.published', 'media.uploaded'], dry_run: true })).toBe(1);
    expect(await replay(webhook, { types: ['entry.updated'], dry_run: true })).toBe(0);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await replay(webhook, { from: later, dry_run: true })).toBe(0);
    expect(await replay(webhook, { to: '2021-01-01T00:00:00Z', dry_run: true })).toBe(0);
    const [created] = receiver.received(webhook.path).filter(({ body }) => body.type === 'entry.created');
    const { timestamp } = created!.body;
    expect(await replay(webhook, { from: timestamp, to: timestamp })).toBe(1);
    const day = String(timestamp).slice(0, 10);
    expect(await replay(webhook, { from: day, to: day, types: ['entry.created'], dry_run: true })).toBe(1);
    await receiver.until(webhook.path, 3);
    expect(types(webhook.path).filter((type) => type === 'entry.created')).toHaveLength(2);
  });

  it('does not send tests', async () => {
    const webhook = await subscribe({ events: ['*'] });
    await webhook.tenant.http.post(`${webhook.webhook}/test`).expect(202);
    await receiver.until(webhook.path, 1);
    // That of the content type.
    expect(await replay(webhook, { dry_run: true })).toBe(1);
  });

  it('does not send events that were erased', async () => {
    const webhook = await subscribe({ events: ['form.submitted'] });
    const { tenant } = webhook;
    const form = await newForm(app, { tenant });
    const ids = [await submit(app, form), await submit(app, form)];
    await receiver.until(webhook.path, 2);
    await tenant.http.delete(`${form.path}/${ids[0]}`).expect(200);
    expect(await replay(webhook)).toBe(1);
    await receiver.until(webhook.path, 3);
    expect(receiver.received(webhook.path)[2]!.body.data['id']).toBe(ids[1]);
    expect(await webhook.deliveries()).toHaveLength(3);
  });

  it('of an inactive webhook is a conflict', async () => {
    const webhook = await subscribe();
    await webhook.tenant.http.patch(webhook.webhook, { active: false }).expect(200);
    const { body } = await webhook.tenant.http.post(`${webhook.webhook}/replay`, { from: LONG_AGO }).expect(409);
    expect(body.code).toBe('conflict');
  });

  it.each<[string, object, string]>([
    ['no beginning', {}, 'from'],
    ['a beginning that is not a time', { from: 'yesterday' }, 'from'],
    ['an end before the beginning', { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'to'],
    ['an empty list of types', { from: LONG_AGO, types: [] }, 'types'],
    ['an unknown type', { from: LONG_AGO, types: ['*'] }, 'types.0'],
    ['a dry_run that is not a boolean', { from: LONG_AGO, dry_run: 'yes' }, 'dry_run'],
  ])('is refused with %s', async (_name, body, at) => {
    const { tenant, webhook } = await subscribe();
    const response = await tenant.http.post(`${webhook}/replay`, body).expect(422);
    expect(response.body.errors.map(({ path }: { path: string }) => path)).toEqual([at]);
  });

  describe('of many events', () => {
    /** Adds events of the past, as if they had been relayed. */
    const addEvents = (webhook: Subscription, count: number) =>
      app.database.query(
        `INSERT INTO events (tenant_id, id, type, data, occurred_at)
          SELECT $1, (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || substr(md5(n::text), 1, 20))::uuid,
            'entry.created', json_build_object('id', 'ent_' || n), at
          FROM generate_series(1, $2::int) AS n, LATERAL (SELECT now() - interval '1 day' + n * interval '1 ms' AS at) AS t`,
        [webhook.tenant.id, count],
      );
    const due = async ({ id }: Subscription) => {
      const [row] = await app.database.query<{ due: number }>(
        `SELECT count(*)::int AS due FROM deliveries WHERE webhook_id = $1 AND status = 'pending'`,
        [uuidOf('wh', id)],
      );
      return row!.due;
    };

    it('adds deliveries little by little, and a new event does not wait behind all of them', async () => {
      const webhook = await subscribe();
      await addEvents(webhook, 3_000);
      const release: (() => void)[] = [];
      receiver.answer(webhook.path, () => new Promise((resolve) => release.push(() => resolve(200))));
      expect(await replay(webhook)).toBe(3_000);
      await receiver.until(webhook.path, 1);
      expect(await due(webhook)).toBeLessThanOrEqual(500);
      const { id } = await webhook.happen('new');
      receiver.answer(webhook.path, () => 200);
      for (const answer of release) answer();
      const place = await until(() => {
        const at = receiver.received(webhook.path).findIndex(({ body }) => body.data['id'] === id);
        return Promise.resolve(at >= 0 && at);
      }, 60_000);
      expect(place).toBeLessThan(2_500);
      const sent = () => new Set(receiver.received(webhook.path).map(({ body }) => body.id)).size;
      await until(() => Promise.resolve(sent() === 3_001), 60_000);
      const left = () => app.database.query('SELECT FROM webhook_replays WHERE tenant_id = $1', [webhook.tenant.id]);
      await until(async () => (await left()).length === 0);
    }, 120_000);

    it('is refused beyond 100,000', async () => {
      const webhook = await subscribe();
      await addEvents(webhook, 100_001);
      const { http } = webhook.tenant;
      const { body } = await http.post(`${webhook.webhook}/replay`, { from: LONG_AGO, dry_run: true }).expect(422);
      expect(body.errors).toMatchObject([{ path: 'from', code: 'too_many' }]);
      expect(await due(webhook)).toBe(0);
    }, 60_000);

    it('ends when the webhook becomes inactive', async () => {
      const webhook = await subscribe();
      await addEvents(webhook, 3_000);
      receiver.answer(webhook.path, () => 410);
      expect(await replay(webhook)).toBe(3_000);
      const left = () => app.database.query('SELECT FROM webhook_replays WHERE tenant_id = $1', [webhook.tenant.id]);
      await until(async () => (await left()).length === 0, 30_000);
      await until(async () => (await due(webhook)) === 0, 30_000);
      expect(receiver.received(webhook.path).length).toBeLessThan(1_000);
    }, 90_000);
  });
});
