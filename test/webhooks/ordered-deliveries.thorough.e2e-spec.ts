import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type TestApp } from '../support/app.js';
import { uuidOf } from '../support/backup-writer.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { RECEIVER_ENV, type Received, type Receiver, startReceiver } from '../support/receiver.js';
import { Subscription } from '../support/subscription.js';
import { until } from '../support/until.js';

const ENV = { ...RECEIVER_ENV, WEBHOOK_RETRY_SCHEDULE: '300ms', ENCRYPTION_KEY: randomBytes(32).toString('base64') };
const EVENTS = ['entry.created', 'entry.updated', 'entry.published', 'entry.deleted'];

describe('an ordered webhook', () => {
  let database: TestDatabase;
  let apps: TestApp[];
  let receiver: Receiver;
  beforeAll(async () => {
    database = await createDatabase();
    receiver = await startReceiver();
    apps = await Promise.all([startApp(ENV, { database }), startApp(ENV, { database })]);
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await Promise.all([receiver.close(), database.drop()]);
  });

  const subscribe = (body: object = {}, of?: Subscription) =>
    Subscription.create(apps[0]!, receiver, { events: EVENTS, ordered: true, ...body }, of);
  const entryPath = (webhook: Subscription, { id }: { id: string }) =>
    `${(webhook as unknown as { entries: string }).entries}/${id}`;
  const update = (webhook: Subscription, entry: { id: string }, title: string) =>
    webhook.tenant.http.patch(entryPath(webhook, entry), { fields: { title } }).expect(200);
  const of = (webhook: Subscription, { id }: { id: string }) =>
    receiver.received(webhook.path).filter(({ body }) => body.data['id'] === id);
  const titles = (requests: readonly Received[]) =>
    requests.map(({ body }) => (body.data['fields'] as { title: string }).title);
  const ended = (webhook: Subscription, count: number) =>
    until(async () => {
      const deliveries = await webhook.deliveries('?per_page=100');
      return deliveries.length === count && deliveries.every(({ status }) => status !== 'pending') && deliveries;
    }, 30_000);

  it('gets the events of a resource one after the other, while other resources do not wait', async () => {
    const webhook = await subscribe();
    let answer: (() => void) | undefined;
    receiver.answer(webhook.path, ({ body }, count) => {
      if (count > 0 || (body.data['fields'] as { title: string }).title !== 'a1') return 200;
      return new Promise((resolve) => (answer = () => resolve(500)));
    });
    const a = await webhook.happen('a1');
    await receiver.until(webhook.path, 1);
    await update(webhook, a, 'a2');
    await update(webhook, a, 'a3');
    const b = await webhook.happen('b1');
    await update(webhook, b, 'b2');
    await until(() => Promise.resolve(of(webhook, b).length === 2));
    expect(titles(of(webhook, b))).toEqual(['b1', 'b2']);
    expect(titles(of(webhook, a))).toEqual(['a1']);
    // The delivery of b2 is pending until its result is recorded.
    const waiting = await until(async () => {
      const pending = (await webhook.deliveries()).filter(({ status }) => status === 'pending');
      return pending.length === 3 && pending;
    });
    expect(waiting.map(({ event_type }) => event_type)).toEqual(['entry.updated', 'entry.updated', 'entry.created']);
    for (const one of waiting.slice(0, 2)) expect(one).toMatchObject({ next_attempt_at: null, attempts: [] });
    answer!();
    await ended(webhook, 5);
    expect(titles(of(webhook, a))).toEqual(['a1', 'a1', 'a2', 'a3']);
  });

  it('goes on with the next event when a delivery has failed', async () => {
    const webhook = await subscribe();
    receiver.answer(webhook.path, ({ body }) => (body.type === 'entry.created' ? 500 : 200));
    const a = await webhook.happen('a1');
    await update(webhook, a, 'a2');
    const deliveries = await ended(webhook, 2);
    expect(deliveries.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    expect(titles(of(webhook, a))).toEqual(['a1', 'a1', 'a2']);
  });

  it('keeps the order with two workers and receivers of varying speed', async () => {
    const webhook = await subscribe();
    const free = await subscribe({ ordered: false }, webhook);
    let overlaps = 0;
    const open = new Set<unknown>();
    receiver.answer(webhook.path, async ({ body }, count) => {
      const { id } = body.data;
      if (open.has(id)) overlaps++;
      open.add(id);
      await sleep((count * 7) % 20);
      open.delete(id);
      return count % 9 === 0 ? 503 : 200;
    });
    const entries = await Promise.all(['a', 'b', 'c'].map((title) => webhook.happen(`${title}0`)));
    for (let change = 1; change <= 8; change++) {
      await Promise.all(entries.map((entry, index) => update(webhook, entry, `${'abc'[index]}${change}`)));
    }
    await ended(webhook, 27);
    expect(overlaps).toBe(0);
    for (const [index, entry] of entries.entries()) {
      const seen = titles(of(webhook, entry)).filter((title, at, all) => title !== all[at - 1]);
      expect(seen).toEqual(Array.from({ length: 9 }, (_, change) => `${'abc'[index]}${change}`));
    }
    await ended(free, 27);
  }, 60_000);

  it('does not wait for deliveries that are sent again, and replays and tests do not wait', async () => {
    const webhook = await subscribe();
    const { http } = webhook.tenant;
    receiver.answer(webhook.path, ({ body }) => (body.type === 'entry.created' ? 'hang' : 200));
    const a = await webhook.happen('a1');
    await receiver.until(webhook.path, 1);
    await update(webhook, a, 'a2');
    await http.post(`${webhook.webhook}/test`).expect(202);
    await until(() =>
      Promise.resolve(receiver.received(webhook.path).some(({ body }) => body.type === 'webhook.test')),
    );
    await http
      .post(`${webhook.webhook}/replay`, { from: '2026-01-01T00:00:00Z', types: ['entry.updated'] })
      .expect(202);
    await until(() => Promise.resolve(titles(of(webhook, a)).includes('a2')));
    const first = (await webhook.deliveries()).find(({ event_type }) => event_type === 'entry.created')!;
    await http.post(`${webhook.webhook}/deliveries/${first.id}/redeliver`).expect(202);
    await until(() => Promise.resolve(titles(of(webhook, a)).filter((title) => title === 'a2').length === 2));
  });

  it('that is no longer ordered sends what waited', async () => {
    const webhook = await subscribe();
    receiver.answer(webhook.path, ({ body }) => (body.type === 'entry.created' ? 'hang' : 200));
    const a = await webhook.happen('a1');
    await receiver.until(webhook.path, 1);
    await update(webhook, a, 'a2');
    const { data } = (await webhook.tenant.http.patch(webhook.webhook, { ordered: false }).expect(200)).body;
    expect(data.ordered).toBe(false);
    await until(() => Promise.resolve(titles(of(webhook, a)).includes('a2')));
    const left = () => database.query(`SELECT FROM scheduled_jobs WHERE key = $1`, [uuidOf('wh', webhook.id)]);
    await until(async () => (await left()).length === 0);
  });

  it('finds deliveries that wait for nothing when it becomes active again', async () => {
    const webhook = await subscribe();
    receiver.answer(webhook.path, () => 'hang');
    const a = await webhook.happen('a1');
    await receiver.until(webhook.path, 1);
    await update(webhook, a, 'a2');
    await until(async () => (await webhook.deliveries()).length === 2);
    // As if the first delivery had been canceled alone.
    await database.query(
      `UPDATE deliveries SET status = 'canceled', next_attempt_at = NULL, claimed_until = NULL
        WHERE webhook_id = $1 AND event_type = 'entry.created'`,
      [uuidOf('wh', webhook.id)],
    );
    receiver.answer(webhook.path, () => 200);
    await webhook.tenant.http.patch(webhook.webhook, { active: true }).expect(200);
    await until(() => Promise.resolve(titles(of(webhook, a)).includes('a2')));
  });

  it.each(['yes', 1])('is refused with %j', async (ordered) => {
    const { tenant, webhook } = await subscribe({ ordered: null });
    const { body } = await tenant.http.patch(webhook, { ordered }).expect(422);
    expect(body.errors).toMatchObject([{ path: 'ordered' }]);
  });
});
