import { randomBytes } from 'node:crypto';
import { startApp, type TestApp } from '../support/app.js';
import { uuidOf } from '../support/backup-writer.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { Subscription } from '../support/subscription.js';

const ENV = {
  ...RECEIVER_ENV,
  WEBHOOK_RETRY_SCHEDULE: '10ms,1h',
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};

describe('the statistics of a webhook', () => {
  let app: TestApp;
  let receiver: Receiver;
  beforeAll(async () => {
    [app, receiver] = await Promise.all([startApp(ENV), startReceiver()]);
  });
  afterAll(() => Promise.all([app.close(), receiver.close()]));

  const statsOf = async ({ tenant, webhook }: Subscription, query = '') =>
    (await tenant.http.get(`${webhook}/stats${query}`).expect(200)).body.data as Record<string, unknown>;
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

  it('require a key that may read webhooks', async () => {
    const { webhook, tenant } = await Subscription.create(app, receiver);
    await app.client().get(`${webhook}/stats`).expect(401);
    await app.client(`Bearer ${tenant.publishedKey}`).get(`${webhook}/stats`).expect(403);
    const other = app.tenant();
    await other.http.get(`/v1/webhooks/${other.id}/${webhook.split('/').pop()}/stats`).expect(404);
  });

  it('are zero and null without deliveries', async () => {
    expect(await statsOf(await Subscription.create(app, receiver))).toEqual({
      delivered: 0,
      failed: 0,
      pending: 0,
      p50_ms: null,
      p95_ms: null,
      last_success_at: null,
      last_failure_at: null,
      failing_since: null,
    });
  });

  it('count what was delivered, has failed and is pending, and say since when it fails', async () => {
    const webhook = await Subscription.create(app, receiver);
    await webhook.happen();
    await webhook.newest('succeeded');
    expect(await statsOf(webhook, '?hours=1')).toEqual({
      delivered: 1,
      failed: 0,
      pending: 0,
      p50_ms: expect.any(Number),
      p95_ms: expect.any(Number),
      last_success_at: time,
      last_failure_at: null,
      failing_since: null,
    });
    receiver.answer(webhook.path, () => 500);
    await webhook.happen();
    await webhook.newest('pending', 2);
    expect(await statsOf(webhook)).toMatchObject({
      delivered: 1,
      failed: 0,
      pending: 1,
      last_success_at: time,
      last_failure_at: time,
      failing_since: time,
    });
  });

  it('count only what ended in these hours, also if its event is older', async () => {
    const webhook = await Subscription.create(app, receiver);
    await app.database.query(
      `INSERT INTO deliveries (tenant_id, id, webhook_id, event_id, event_type, status, attempts, created_at, finished_at)
        SELECT $1, id, $2, id, 'entry.created', status, 1, now(), now() - hours * interval '1 hour'
        FROM (VALUES (1, 'succeeded', 0), (2, 'failed', 1), (30, 'succeeded', 0), (30, 'failed', 2), (2, 'succeeded', 1))
          AS d (hours, status, late),
          LATERAL (SELECT (lpad(to_hex((extract(epoch FROM now() - (hours + late) * interval '1 hour') * 1000)::bigint), 12, '0')
            || left(md5(random()::text), 20))::uuid AS id) AS i`,
      [webhook.tenant.id, uuidOf('wh', webhook.id)],
    );
    expect(await statsOf(webhook)).toMatchObject({ delivered: 2, failed: 1 });
    expect(await statsOf(webhook, '?hours=168')).toMatchObject({ delivered: 3, failed: 2 });
    expect(await statsOf(webhook, '?hours=2')).toMatchObject({ delivered: 1, failed: 0 });
  });

  it.each(['0', '169', 'many', '1.5', ''])('are refused for %j hours', async (hours) => {
    const { tenant, webhook } = await Subscription.create(app, receiver);
    const { body } = await tenant.http.get(`${webhook}/stats?hours=${hours}`).expect(400);
    expect(body.code).toBe('invalid_parameter');
  });
});
