import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { DeliveryWorker } from '../../src/webhooks/deliveries/delivery-worker.js';
import { startApp, type TestApp } from '../support/app.js';
import { ACTIVITY } from '../support/citus.js';
import { type Answer, RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { describeWithRedis, TEST_REDIS_URL } from '../support/redis.js';
import { type DeliveryRecord, Subscription } from '../support/subscription.js';
import { ofEntries } from '../support/stored-events.js';
import { until } from '../support/until.js';

const SECRET = `whsec_${randomBytes(24).toString('base64')}`;
const ENV = {
  ...RECEIVER_ENV,
  WEBHOOK_RETRY_SCHEDULE: '100ms,200ms',
  WEBHOOK_TIMEOUT: '1s',
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** The tests that hold with and without Redis. */
function tests(env: Record<string, string>): void {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ ...ENV, ...env });
  });
  afterAll(() => app.close());

  const subscribe = (body: object = {}, of?: Subscription) => Subscription.create(app, receiver, body, of);

  describe('an attempt', () => {
    it('posts the event as the feed shows it, with the headers of Standard Webhooks', async () => {
      const webhook = await subscribe({ secret: SECRET });
      const entry = await webhook.happen('Ünïcode “quotes”');
      const [received] = await receiver.until(webhook.path, 1);
      const { headers, body, text } = received!;
      expect(Object.keys(body)).toEqual(['id', 'type', 'timestamp', 'tenant_id', 'data']);
      expect(body).toMatchObject({ type: 'entry.created', tenant_id: webhook.tenant.id });
      const entryPath = `/v1/content/${webhook.tenant.id}/types/${String(body.data['content_type_id'])}/entries/${entry.id}`;
      expect(body.data).toEqual((await webhook.tenant.http.get(entryPath).expect(200)).body.data);
      expect(headers['content-type']).toBe('application/json');
      expect(headers['webhook-id']).toBe(body.id);
      expect(body.id).toMatch(/^evt_/);
      const verified = new Webhook(SECRET).verify(text, headers as Record<string, string>);
      expect(verified).toEqual(body);
      const feed = await until(async () => {
        const { data } = (await webhook.tenant.http.get(`/v1/events/${webhook.tenant.id}`).expect(200)).body;
        const events = ofEntries<{ type: string }>(data);
        return events.length > 0 && events;
      });
      expect(feed).toEqual([body]);
    });

    it('without a secret has no signature', async () => {
      const webhook = await subscribe();
      await webhook.happen();
      const [received] = await receiver.until(webhook.path, 1);
      expect(received!.headers).not.toHaveProperty('webhook-signature');
    });

    it('is shown with its time, status, duration and the beginning of the response', async () => {
      const webhook = await subscribe();
      receiver.answer(webhook.path, () => ({ status: 202, body: 'ü'.repeat(2000) }));
      await webhook.happen();
      const delivery = await webhook.newest('succeeded', 1);
      expect(Object.keys(delivery)).toEqual([
        'id',
        'webhook_id',
        'event_id',
        'event_type',
        'status',
        'created_at',
        'next_attempt_at',
        'finished_at',
        'attempts',
      ]);
      expect(delivery).toMatchObject({ webhook_id: webhook.id, event_type: 'entry.created', next_attempt_at: null });
      const [attempt] = delivery.attempts;
      expect(attempt).toMatchObject({ status: 202, error: null, response: 'ü'.repeat(512) });
      expect(attempt!.attempted_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(attempt!.duration_ms).toBeGreaterThanOrEqual(0);
    });

    it('goes only to webhooks that subscribe to the type', async () => {
      const created = await subscribe();
      const others = await subscribe({ events: ['entry.updated', 'form.submitted'] }, created);
      await created.happen();
      await receiver.until(created.path, 1);
      expect(await others.deliveries()).toEqual([]);
    });
  });

  describe('a failed attempt', () => {
    it('is retried by the schedule with the same ID and a new timestamp, and the delivery ends as failed', async () => {
      const webhook = await subscribe({ secret: SECRET });
      receiver.answer(webhook.path, () => ({ status: 500, body: 'broken' }));
      await webhook.happen();
      const delivery = await webhook.newest('failed', 3);
      expect(delivery.attempts.map(({ status, response }) => [status, response])).toEqual(
        Array(3).fill([500, 'broken']),
      );
      const received = receiver.received(webhook.path);
      expect(received).toHaveLength(3);
      expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery.event_id]));
      expect(new Set(received.map(({ text }) => text)).size).toBe(1);
      for (const { text, headers } of received) new Webhook(SECRET).verify(text, headers as Record<string, string>);
    });

    it.each<[string, Answer, Partial<DeliveryRecord['attempts'][number]>]>([
      ['a redirect, which is not followed', { status: 302, headers: { location: '/elsewhere' } }, { status: 302 }],
      ['a missing response', 'hang', { status: null, error: 'No complete response arrived in time.' }],
      ['a broken connection', 'reset', { status: null }],
      ['a 404', 404, { status: 404 }],
    ])('is %s', async (_name, answer, attempt) => {
      const webhook = await subscribe();
      // A reused connection that breaks is retried once within the attempt.
      const times = answer === 'reset' ? 2 : 1;
      receiver.answer(webhook.path, (_request, count) => (count < times ? answer : 200));
      await webhook.happen();
      const delivery = await webhook.newest('succeeded', 2);
      expect(delivery.attempts.at(-1)).toMatchObject(attempt);
      expect(receiver.received('/elsewhere')).toEqual([]);
    });

    it.each([429, 503])('waits for the Retry-After of a %i', async (status) => {
      const webhook = await subscribe();
      receiver.answer(webhook.path, () => ({ status, headers: { 'retry-after': '3600' } }));
      await webhook.happen();
      const delivery = await webhook.newest('pending', 1);
      const wait = Date.parse(delivery.next_attempt_at!) - Date.parse(delivery.attempts[0]!.attempted_at);
      expect(wait).toBeGreaterThan(3_590_000);
      expect(wait).toBeLessThan(3_700_000);
    });

    it('with 410 deactivates the webhook at once and cancels its pending deliveries', async () => {
      const webhook = await subscribe();
      receiver.answer(webhook.path, (_request, count) =>
        count === 0 ? { status: 503, headers: { 'retry-after': '600' } } : 410,
      );
      await webhook.happen();
      await webhook.newest('pending', 1);
      await webhook.happen();
      const { data } = await until(async () => {
        const { body } = await webhook.tenant.http.get(webhook.webhook).expect(200);
        return body.data.active === false && body;
      });
      expect(data.disabled_reason).toBe('gone');
      const statuses = await until(async () => {
        const all = (await webhook.deliveries()).map(({ status }) => status);
        return !all.includes('pending') && all;
      });
      expect(statuses).toEqual(['failed', 'canceled']);
      await webhook.happen();
      await webhook.tenant.http.post(`${webhook.webhook}/test`).expect(409);
      await webhook.tenant.http.post(`${webhook.webhook}/redeliver`, { since: '2020-01-01T00:00:00Z' }).expect(409);
      expect(receiver.received(webhook.path)).toHaveLength(2);
    });

    it('keeps nothing that the receiver said if its delivery is being canceled meanwhile', async () => {
      const webhook = await subscribe();
      const client = new pg.Client({ connectionString: app.database.url });
      await client.connect();
      try {
        receiver.answer(webhook.path, async () => {
          // As an erasure does: it locks and cancels the delivery, and commits later.
          await client.query('BEGIN');
          await client.query(
            `UPDATE deliveries SET status = 'canceled', next_attempt_at = NULL, claimed_until = NULL, finished_at = now()
             WHERE tenant_id = $1`,
            [webhook.tenant.id],
          );
          return { status: 500, body: 'ada@example.com' };
        });
        await webhook.happen();
        await until(async () => {
          const waiting = await app.database.query(
            `SELECT 1 FROM ${ACTIVITY} WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return waiting.length > 0;
        });
        await client.query('COMMIT');
      } finally {
        await client.end();
      }
      const delivery = await webhook.newest('canceled', 1);
      expect(delivery.attempts[0]!.response).toBe('');
    });

    it('deactivates the webhook after five days of only failures, until it is activated again', async () => {
      const webhook = await subscribe();
      receiver.answer(webhook.path, () => 500);
      await app.database.query(
        `UPDATE webhooks SET failing_since = now() - interval '5 days 1 minute', last_failed_at = now() - interval '1 day'
         WHERE tenant_id = $1`,
        [webhook.tenant.id],
      );
      await webhook.happen();
      const { data } = await until(async () => {
        const { body } = await webhook.tenant.http.get(webhook.webhook).expect(200);
        return body.data.active === false && body;
      });
      expect(data.disabled_reason).toBe('failing');
      const active = await webhook.tenant.http.patch(webhook.webhook, { active: true }).expect(200);
      expect(active.body.data).toMatchObject({ active: true, disabled_reason: null });
      receiver.answer(webhook.path, () => 200);
      await webhook.happen();
      await webhook.newest('succeeded', 1);
    });

    it('starts a new failure streak after a long gap, and a success ends the streak', async () => {
      const webhook = await subscribe();
      const streak = `UPDATE webhooks SET failing_since = now() - interval '30 days', last_failed_at = now() - $2::interval
         WHERE tenant_id = $1`;
      await app.database.query(streak, [webhook.tenant.id, '29 days']);
      receiver.answer(webhook.path, (_request, count) => (count === 0 ? 500 : 200));
      await webhook.happen();
      await webhook.newest('succeeded', 2);
      const [row] = await app.database.query('SELECT active, failing_since FROM webhooks WHERE tenant_id = $1', [
        webhook.tenant.id,
      ]);
      expect(row).toEqual({ active: true, failing_since: null });
    });
  });

  describe('a subscription', () => {
    const types = async (webhook: Subscription) => (await webhook.deliveries()).map(({ event_type }) => event_type);
    const change = (webhook: Subscription, body: object) =>
      webhook.tenant.http.patch(webhook.webhook, body).expect(200);

    it('does not receive events from before the webhook was created', async () => {
      const first = await subscribe();
      for (let round = 0; round < 5; round++) {
        await first.happen();
        const webhook = await subscribe({}, first);
        await webhook.happen();
        await receiver.until(webhook.path, 1);
        expect(await types(webhook)).toEqual(['entry.created']);
      }
    });

    it('does not receive events while the webhook is inactive, nor of other types', async () => {
      const webhook = await subscribe();
      for (const [without, again] of [
        [{ active: false }, { active: true }],
        [{ events: ['media.deleted'] }, { events: ['entry.created'] }],
      ] as const) {
        const before = (await webhook.deliveries()).length;
        await change(webhook, without);
        await webhook.happen();
        await change(webhook, again);
        await webhook.happen();
        await until(async () => (await webhook.deliveries()).length > before);
        expect(await webhook.deliveries()).toHaveLength(before + 1);
      }
    });

    it('still receives events from before it was changed', async () => {
      for (let round = 0; round < 5; round++) {
        const webhook = await subscribe();
        await webhook.happen();
        await change(webhook, { events: ['media.deleted'] });
        expect(await types(webhook)).toEqual(['entry.created']);
        await receiver.until(webhook.path, 1);
      }
    });
  });

  it('a deleted webhook receives nothing', async () => {
    const webhook = await subscribe();
    const witness = await subscribe({}, webhook);
    receiver.answer(webhook.path, () => 500);
    await webhook.happen();
    await receiver.until(webhook.path, 1);
    await webhook.tenant.http.delete(webhook.webhook).expect(200);
    const before = receiver.received(webhook.path).length;
    await witness.happen();
    await receiver.until(witness.path, 2);
    // Only an attempt that was already in progress may still arrive.
    expect(receiver.received(webhook.path).length - before).toBeLessThanOrEqual(1);
    expect(
      receiver.received(webhook.path).filter(({ body }) => body.id === receiver.received(witness.path)[1]!.body.id),
    ).toEqual([]);
  });

  it.each(['becomes inactive', 'is deleted', 'moves'])(
    'begins no attempt at its URL after a webhook %s',
    async (change) => {
      const webhook = await subscribe();
      const { http, id } = webhook.tenant;
      let answerAll: (() => void) | undefined;
      const held = new Promise<void>((resolve) => (answerAll = resolve));
      receiver.answer(webhook.path, () => held.then(() => 200));
      const [{ id: type }] = (await http.get(`/v1/content/${id}/types`).expect(200)).body.data as [{ id: string }];
      const operation = { op: 'create', content_type: type, fields: { title: 'One of many' } };
      const operations = Array.from({ length: 60 }, () => operation);
      await http.post(`/v1/content/${id}/bulk`, { operations }).expect(200);
      await receiver.until(webhook.path, 20);
      const elsewhere = `${webhook.path}/elsewhere`;
      if (change === 'is deleted') await http.delete(webhook.webhook).expect(200);
      else {
        const body = change === 'moves' ? { url: receiver.url(elsewhere) } : { active: false };
        await http.patch(webhook.webhook, body).expect(200);
      }
      answerAll!();
      const witness = await subscribe({}, webhook);
      await witness.happen();
      await receiver.until(witness.path, 1);
      if (change === 'moves') await receiver.until(elsewhere, 40);
      expect(receiver.received(webhook.path)).toHaveLength(20);
    },
  );

  describe('a secret', () => {
    const signers = (received: { text: string; headers: object }, ...secrets: string[]) =>
      secrets.map((secret) => {
        try {
          new Webhook(secret).verify(received.text, received.headers as Record<string, string>);
          return true;
        } catch {
          return false;
        }
      });
    const fresh = () => `whsec_${randomBytes(24).toString('base64')}`;
    const endPreviousSecrets = (tenantId: string) =>
      app.database.query(
        `UPDATE webhooks SET previous_secrets = regexp_replace(previous_secrets::text, '"until": *"\\d+', '"until":"2020', 'g')::json
          WHERE tenant_id = $1`,
        [tenantId],
      );

    it('that was replaced keeps signing beside the new one for a day', async () => {
      const [old, next] = [fresh(), fresh()];
      const webhook = await subscribe({ secret: old });
      await webhook.tenant.http.patch(webhook.webhook, { secret: next }).expect(200);
      // Sending the same secret again is not a rotation: the old one must not be lost.
      await webhook.tenant.http.patch(webhook.webhook, { secret: next }).expect(200);
      await webhook.happen();
      const [both] = await receiver.until(webhook.path, 1);
      expect(String(both!.headers['webhook-signature']).split(' ')).toHaveLength(2);
      expect(signers(both!, old, next)).toEqual([true, true]);

      await endPreviousSecrets(webhook.tenant.id);
      await webhook.happen();
      const [, after] = await receiver.until(webhook.path, 2);
      expect(signers(after!, old, next)).toEqual([false, true]);
    });

    it('signs for its day also if it is replaced again', async () => {
      const secrets = [fresh(), fresh(), fresh(), fresh(), fresh()];
      const webhook = await subscribe({ secret: secrets[0] });
      for (const secret of secrets.slice(1)) await webhook.tenant.http.patch(webhook.webhook, { secret }).expect(200);
      await webhook.happen();
      const [all] = await receiver.until(webhook.path, 1);
      expect(signers(all!, ...secrets)).toEqual([true, true, true, true, true]);

      const { body } = await webhook.tenant.http.patch(webhook.webhook, { secret: fresh() }).expect(409);
      expect(body.detail).toMatch(
        /^Deliveries are still signed with 4 replaced secrets\. The oldest ends at \d{4}-\S+Z\. /,
      );
      await webhook.happen();
      const [, same] = await receiver.until(webhook.path, 2);
      expect(signers(same!, ...secrets)).toEqual([true, true, true, true, true]);

      await endPreviousSecrets(webhook.tenant.id);
      const last = fresh();
      await webhook.tenant.http.patch(webhook.webhook, { secret: last }).expect(200);
      await webhook.happen();
      const [, , after] = await receiver.until(webhook.path, 3);
      expect(signers(after!, ...secrets, last)).toEqual([false, false, false, false, true, true]);
    });

    it('that is set again signs once, beside the one that replaced it', async () => {
      const [old, next] = [fresh(), fresh()];
      const webhook = await subscribe({ secret: old });
      await webhook.tenant.http.patch(webhook.webhook, { secret: next }).expect(200);
      await webhook.tenant.http.patch(webhook.webhook, { secret: old }).expect(200);
      await webhook.happen();
      const [both] = await receiver.until(webhook.path, 1);
      expect(String(both!.headers['webhook-signature']).split(' ')).toHaveLength(2);
      expect(signers(both!, old, next)).toEqual([true, true]);
    });

    it('can be removed with null, and set later', async () => {
      const [first, later] = [fresh(), fresh()];
      const webhook = await subscribe({ secret: first });
      await webhook.tenant.http.patch(webhook.webhook, { secret: null }).expect(200);
      await webhook.happen();
      const [bare] = await receiver.until(webhook.path, 1);
      expect(bare!.headers).not.toHaveProperty('webhook-signature');
      await webhook.tenant.http.patch(webhook.webhook, { secret: later }).expect(200);
      await webhook.happen();
      const [, signed] = await receiver.until(webhook.path, 2);
      expect(signers(signed!, first, later)).toEqual([false, true]);
    });
  });

  describe('deliveries', () => {
    it('answer 401 without a key and 403 for another tenant', async () => {
      const webhook = await subscribe();
      await app.client().get(`${webhook.webhook}/deliveries`).expect(401);
      await app.tenant().http.get(`${webhook.webhook}/deliveries`).expect(403);
    });

    it('are filtered by status and event type, paged by number and by cursor, newest event first', async () => {
      const webhook = await subscribe();
      receiver.answer(webhook.path, ({ body }) =>
        (body.data['fields'] as { title: string }).title === 'bad' ? 400 : 200,
      );
      for (const title of ['one', 'bad', 'three']) await webhook.happen(title);
      await webhook.tenant.http.post(`${webhook.webhook}/test`).expect(202);
      receiver.answer(webhook.path, ({ body }) =>
        body.data['fields'] ? ((body.data['fields'] as { title: string }).title === 'bad' ? 400 : 200) : 200,
      );
      const all = await until(async () => {
        const found = await webhook.deliveries();
        return found.length === 4 && found.every(({ status }) => status !== 'pending') && found;
      });
      expect(all.map(({ event_type, status }) => `${event_type} ${status}`)).toEqual([
        'webhook.test succeeded',
        'entry.created succeeded',
        'entry.created failed',
        'entry.created succeeded',
      ]);
      const ids = all.map(({ id }) => id);
      expect((await webhook.deliveries('?filter[status]=failed')).map(({ id }) => id)).toEqual([ids[2]]);
      expect((await webhook.deliveries('?filter[event_type]=webhook.test')).map(({ id }) => id)).toEqual([ids[0]]);
      expect(await webhook.deliveries('?filter[event_type]=webhook.test&filter[status]=pending')).toEqual([]);
      const page = await webhook.tenant.http.get(`${webhook.webhook}/deliveries?page=2&per_page=3`).expect(200);
      expect(page.body.data.map(({ id }: DeliveryRecord) => id)).toEqual(ids.slice(3));
      expect(page.body.meta).toEqual({ page: 2, per_page: 3, total: 4 });
      const walked: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const next: { body: { data: DeliveryRecord[]; meta: { next_cursor: string | null } } } =
          await webhook.tenant.http.get(`${webhook.webhook}/deliveries?per_page=3&cursor=${cursor}`).expect(200);
        walked.push(...next.body.data.map(({ id }) => id));
        cursor = next.body.meta.next_cursor;
      }
      expect(walked).toEqual(ids);
    });

    it.each(['filter[status]=done', 'filter[event_type]=x', 'filter[x]=1', 'cursor=abc', 'per_page=101', 'sort=id'])(
      'reject ?%s',
      async (query) => {
        const webhook = await subscribe();
        await webhook.tenant.http.get(`${webhook.webhook}/deliveries?${query}`).expect(400);
      },
    );

    it('of another tenant’s webhook are not found', async () => {
      const webhook = await subscribe();
      const other = app.tenant();
      await other.http.get(`/v1/webhooks/${other.id}/${webhook.id}/deliveries`).expect(404);
    });
  });

  describe('redelivery', () => {
    it('answers 401 without a key, 403 for another tenant and 404 for an unknown delivery', async () => {
      const webhook = await subscribe();
      const other = await subscribe({}, webhook);
      await webhook.happen();
      const { id } = await webhook.newest('succeeded', 1);
      const path = `${webhook.webhook}/deliveries/${id}/redeliver`;
      await app.client().post(path).expect(401);
      await app.tenant().http.post(path).expect(403);
      const stranger = app.tenant();
      await stranger.http.post(path.replace(webhook.tenant.id, stranger.id)).expect(404);
      await webhook.tenant.http.post(`${other.webhook}/deliveries/${id}/redeliver`).expect(404);
      await webhook.tenant.http.post(`${webhook.webhook}/deliveries/dlv_x/redeliver`).expect(404);
    });

    it('sends the same event with the same webhook-id, with a full retry schedule', async () => {
      const webhook = await subscribe();
      receiver.answer(webhook.path, () => 500);
      await webhook.happen();
      const failed = await webhook.newest('failed', 3);
      receiver.answer(webhook.path, (_request, count) => (count === 3 ? 500 : 200));
      const again = await webhook.tenant.http.post(`${webhook.webhook}/deliveries/${failed.id}/redeliver`).expect(202);
      expect(again.body.data).toMatchObject({
        id: failed.id,
        status: 'pending',
        event_id: failed.event_id,
        finished_at: null,
      });
      expect(again.body.data.attempts).toHaveLength(3);
      await webhook.newest('succeeded', 5);
      const received = receiver.received(webhook.path);
      expect(received).toHaveLength(5);
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    });

    it('sends all deliveries that failed since a given time', async () => {
      const webhook = await subscribe();
      receiver.answer(webhook.path, () => 500);
      for (let count = 0; count < 3; count++) await webhook.happen();
      await until(async () => (await webhook.deliveries('?filter[status]=failed')).length === 3);
      receiver.answer(webhook.path, () => 200);
      const later = new Date(Date.now() + 60_000).toISOString();
      const none = await webhook.tenant.http.post(`${webhook.webhook}/redeliver`, { since: later }).expect(202);
      expect(none.body).toEqual({ data: { count: 0 } });
      const since = new Date(Date.now() - 60_000).toISOString();
      const some = await webhook.tenant.http.post(`${webhook.webhook}/redeliver`, { since }).expect(202);
      expect(some.body).toEqual({ data: { count: 3 } });
      await until(async () => (await webhook.deliveries('?filter[status]=succeeded')).length === 3);
    });

    it.each([
      {},
      { since: 7 },
      { since: 'yesterday' },
      { since: '2026-13-01T00:00:00Z' },
      { since: '2026-W05-1' },
      { since: '2026-031' },
      { since: '20260131T093000Z' },
      { since: '2026-01-31T09Z' },
      { since: '2026-01-01T00:00:00Z', x: 1 },
    ])('of all failed deliveries rejects %j', async (body) => {
      const webhook = await subscribe();
      await webhook.tenant.http.post(`${webhook.webhook}/redeliver`, body).expect(422);
    });

    it('answers 409 if the event is no longer stored', async () => {
      const webhook = await subscribe();
      await webhook.happen();
      const { id } = await webhook.newest('succeeded', 1);
      await app.database.query('DELETE FROM events WHERE tenant_id = $1', [webhook.tenant.id]);
      await webhook.tenant.http.post(`${webhook.webhook}/deliveries/${id}/redeliver`).expect(409);
    });
  });

  it('a test event goes only to its webhook, and the feed does not show it', async () => {
    const webhook = await subscribe({ secret: SECRET });
    const other = await subscribe({}, webhook);
    await app.client().post(`${webhook.webhook}/test`).expect(401);
    await app.tenant().http.post(`${webhook.webhook}/test`).expect(403);
    const response = await webhook.tenant.http.post(`${webhook.webhook}/test`).expect(202);
    expect(response.body.data).toMatchObject({ event_type: 'webhook.test', status: 'pending', attempts: [] });
    const [received] = await receiver.until(webhook.path, 1);
    expect(received!.body).toMatchObject({
      id: response.body.data.event_id,
      type: 'webhook.test',
      data: { id: webhook.id },
    });
    new Webhook(SECRET).verify(received!.text, received!.headers as Record<string, string>);
    expect(await other.deliveries()).toEqual([]);
    const feed = await webhook.tenant.http.get(`/v1/events/${webhook.tenant.id}`).expect(200);
    expect(ofEntries(feed.body.data)).toEqual([]);
    expect(feed.body.data.filter(({ type }: { type: string }) => type === 'webhook.test')).toEqual([]);
  });

  it('a delivery claimed by a worker that died is attempted again', async () => {
    const webhook = await subscribe();
    await webhook.happen();
    const { id } = await webhook.newest('succeeded', 1);
    await app.database.query(
      `UPDATE deliveries SET status = 'pending', next_attempt_at = now() - interval '1 minute', finished_at = NULL,
         claimed_until = now() + interval '1 second' WHERE tenant_id = $1`,
      [webhook.tenant.id],
    );
    const claimedUntil = Date.now() + 900;
    const [, again] = await receiver.until(webhook.path, 2);
    expect(again!.at).toBeGreaterThan(claimedUntil);
    expect((await webhook.newest('succeeded', 2)).id).toBe(id);
  });

  it('a webhook gets at most twenty attempts at once', async () => {
    const webhook = await subscribe();
    receiver.answer(webhook.path, async () => {
      await sleep(100);
      return 200;
    });
    await Promise.all(Array.from({ length: 40 }, () => webhook.happen()));
    await receiver.until(webhook.path, 40);
    expect(receiver.peak(webhook.path)).toBeGreaterThan(1);
    expect(receiver.peak(webhook.path)).toBeLessThanOrEqual(20);
  });

  it('a receiver that hangs delays no other webhook of the tenant', async () => {
    const hanging = await subscribe();
    const healthy = await subscribe({}, hanging);
    receiver.answer(hanging.path, () => 'hang');
    for (let count = 0; count < 30; count++) await hanging.happen();
    const received = await receiver.until(healthy.path, 30);
    const delays = received.map(({ at, body }) => at - Date.parse(body.timestamp));
    expect(Math.max(...delays)).toBeLessThan(3_000);
    // Stops deliveries that would go on for seconds.
    await hanging.tenant.http.delete(hanging.webhook).expect(200);
  });

  it('a wake-up for a webhook that hangs does not wait for its attempts', async () => {
    const hanging = await subscribe();
    receiver.answer(hanging.path, () => 'hang');
    await Promise.all(Array.from({ length: 25 }, () => hanging.happen()));
    await receiver.until(hanging.path, 10);
    const woken = app.get(DeliveryWorker).work({ tenantId: hanging.tenant.id });
    expect(await Promise.race([woken.then(() => 'woken'), sleep(800).then(() => 'waits')])).toBe('woken');
    await hanging.tenant.http.delete(hanging.webhook).expect(200);
  });
}

describe('deliveries without Redis', () => tests({}));

describeWithRedis('deliveries through Redis', () => tests({ REDIS_URL: `${TEST_REDIS_URL}/11` }));

describe('deliveries by several workers', () => {
  it('are each made once', async () => {
    const first = await startApp(ENV);
    const second = await startApp({ ...ENV, ROLE: 'worker' }, { database: first.database });
    try {
      const webhook = await Subscription.create(first, receiver);
      const allSucceeded = () =>
        until(async () => {
          const deliveries = await webhook.deliveries('?per_page=100');
          return deliveries.length === 40 && deliveries.every(({ status }) => status === 'succeeded');
        });
      for (let count = 0; count < 40; count++) await webhook.happen();
      await allSucceeded();
      // Both workers claim from the same rows at once.
      await first.database.query(
        `UPDATE deliveries SET status = 'pending', next_attempt_at = now(), finished_at = NULL WHERE tenant_id = $1`,
        [webhook.tenant.id],
      );
      const workers = [first, second, first, second].map((app) => app.get(DeliveryWorker));
      await Promise.all(workers.map((worker) => worker.work({ tenantId: webhook.tenant.id })));
      await allSucceeded();
      const counts = new Map<unknown, number>();
      for (const { headers } of receiver.received(webhook.path)) {
        counts.set(headers['webhook-id'], (counts.get(headers['webhook-id']) ?? 0) + 1);
      }
      expect(counts.size).toBe(40);
      expect(new Set(counts.values())).toEqual(new Set([2]));
    } finally {
      await second.close();
      await first.close();
    }
  });

  it('that stop finish what is in progress, and release the rest at once', async () => {
    const first = await startApp(ENV);
    const webhook = await Subscription.create(first, receiver);
    receiver.answer(webhook.path, async () => {
      await sleep(300);
      return 200;
    });
    await Promise.all(Array.from({ length: 40 }, () => webhook.happen()));
    await receiver.until(webhook.path, 1);
    await first.app.close();
    const rows = () =>
      first.database.query<{ status: string; claimed_until: Date | null }>(
        'SELECT status, claimed_until FROM deliveries WHERE tenant_id = $1',
        [webhook.tenant.id],
      );
    const left = (await rows()).filter(({ status }) => status === 'pending');
    expect(left.length).toBeGreaterThan(0);
    expect(left.every(({ claimed_until }) => claimed_until === null)).toBe(true);
    expect((await rows()).length - left.length).toBe(receiver.received(webhook.path).length);

    const second = await startApp({ ...ENV, ROLE: 'worker' }, { database: first.database });
    await until(async () => {
      const all = await rows();
      return all.length === 40 && all.every(({ status }) => status === 'succeeded');
    });
    expect(receiver.received(webhook.path)).toHaveLength(40);
    await second.close();
    await first.database.drop();
  });

  it('are left to the worker by a process with ROLE=api', async () => {
    const api = await startApp({ ...ENV, ROLE: 'api' });
    const webhook = await Subscription.create(api, receiver);
    await webhook.happen();
    expect(await webhook.deliveries()).toEqual([]);
    const worker = await startApp({ ...ENV, ROLE: 'worker' }, { database: api.database });
    try {
      await webhook.newest('succeeded', 1);
      await worker.client(`Bearer ${webhook.tenant.key}`).get(`/v1/webhooks/${webhook.tenant.id}`).expect(404);
      await worker.client().get('/health/ready').expect(200);
      await worker.client().get('/metrics').expect(200);
    } finally {
      await worker.close();
      await api.close();
    }
  });
});
