import { Webhook } from 'standardwebhooks';
import { startApp, type TestApp } from '../support/app.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { Subscription } from '../support/subscription.js';
import { until } from '../support/until.js';

const SECRET = 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0';
const ENV = {
  ...RECEIVER_ENV,
  WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 20 }, () => '200ms').join(),
  WEBHOOK_TIMEOUT: '2s',
  MAX_BYTES_IN_FLIGHT: '16777216',
};

describe('deliveries of large events', () => {
  let receiver: Receiver;
  let app: TestApp;
  beforeAll(async () => {
    receiver = await startReceiver();
    app = await startApp(ENV);
  });
  afterAll(async () => {
    await app.close();
    await receiver.close();
  });

  it('send complete events, a few at a time, and a receiver that hangs delays no other tenant', async () => {
    const webhook = await Subscription.create(app, receiver, { secret: SECRET });
    const other = await Subscription.create(app, receiver);
    receiver.answer(webhook.path, () => 'hang');
    const titles = Array.from({ length: 12 }, (_, index) => `${index} ${'Ü'.repeat(450_000)}`);
    for (const title of titles) await webhook.happen(title);
    await receiver.until(webhook.path, 1);

    await other.happen(titles[0]);
    const [received] = await receiver.until(other.path, 1);
    expect(received!.body.data).toMatchObject({ fields: { title: titles[0] } });

    receiver.answer(webhook.path, () => 200);
    await until(async () => (await webhook.deliveries('?filter[status]=succeeded')).length === 12);
    const all = receiver.received(webhook.path);
    const sent = all.map(({ body }) => (body.data['fields'] as { title: string }).title);
    expect(new Set(sent)).toEqual(new Set(titles));
    const { text, headers, body } = all[0]!;
    expect(new Webhook(SECRET).verify(text, headers as Record<string, string>)).toEqual(body);
    // One tenant may use half of 32 MiB, and each event counts three times its size.
    expect(receiver.peak(webhook.path)).toBeLessThanOrEqual(8);
  }, 240_000);

  it('end as failed when the event no longer exists', async () => {
    const webhook = await Subscription.create(app, receiver);
    receiver.answer(webhook.path, () => 500);
    await webhook.happen('Ü'.repeat(100_000));
    await receiver.until(webhook.path, 1);
    await app.database.query('DELETE FROM events WHERE tenant_id = $1', [webhook.tenant.id]);
    expect((await webhook.newest('failed', 2)).attempts[0]).toMatchObject({ error: 'The event is no longer stored.' });
  });
});
