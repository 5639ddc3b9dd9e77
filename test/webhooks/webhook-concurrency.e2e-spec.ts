import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type TestApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { Subscription } from '../support/subscription.js';
import { until } from '../support/until.js';

const ENV = { ...RECEIVER_ENV, WEBHOOK_RETRY_SCHEDULE: '100ms', ENCRYPTION_KEY: randomBytes(32).toString('base64') };

describe('max_concurrency of a webhook', () => {
  let database: TestDatabase;
  let apps: TestApp[];
  let receiver: Receiver;
  beforeAll(async () => {
    database = await createDatabase();
    receiver = await startReceiver();
    // Two workers. Each finds work by its own queue or, if the other process was woken, by sweeping.
    apps = await Promise.all([startApp(ENV, { database }), startApp(ENV, { database })]);
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await Promise.all([receiver.close(), database.drop()]);
  });

  const subscribe = (body: object) => Subscription.create(apps[0]!, receiver, body);
  const settled = (webhook: Subscription) =>
    until(async () => {
      const deliveries = await webhook.deliveries('?per_page=100');
      return deliveries.length > 0 && deliveries.every(({ status }) => status === 'succeeded') && deliveries;
    }, 30_000);

  it.each([1, 3])(
    'limits the requests at once to %d over all workers, and all are sent',
    async (limit) => {
      const webhook = await subscribe({ max_concurrency: limit });
      receiver.answer(webhook.path, async () => {
        await sleep(20);
        return 200;
      });
      await Promise.all(Array.from({ length: 30 }, () => webhook.happen()));
      expect(await settled(webhook)).toHaveLength(30);
      expect(receiver.peak(webhook.path)).toBeLessThanOrEqual(limit);
    },
    60_000,
  );

  it('may be larger than the default', async () => {
    const webhook = await subscribe({ max_concurrency: 30 });
    const answers: (() => void)[] = [];
    receiver.answer(webhook.path, () => new Promise((resolve) => answers.push(() => resolve(200))));
    await Promise.all(Array.from({ length: 40 }, () => webhook.happen()));
    await receiver.until(webhook.path, 30);
    expect(receiver.peak(webhook.path)).toBe(30);
    receiver.answer(webhook.path, () => 200);
    for (const answer of answers) answer();
    expect(await settled(webhook)).toHaveLength(40);
    expect(receiver.peak(webhook.path)).toBe(30);
  }, 60_000);

  it('is answered where it was set, and null removes it', async () => {
    const { tenant, webhook } = await subscribe({ max_concurrency: 100 });
    expect((await tenant.http.get(webhook).expect(200)).body.data.max_concurrency).toBe(100);
    const { data } = (await tenant.http.patch(webhook, { max_concurrency: null }).expect(200)).body;
    expect(data).not.toHaveProperty('max_concurrency');
    const counted = await database.query('SELECT FROM deliveries WHERE limited AND status <> $1', ['pending']);
    expect(counted).toHaveLength(0);
  });

  it.each([0, 101, 1.5, '5', true])('is refused if it is %j', async (value) => {
    const { tenant, webhook } = await subscribe({});
    const { body } = await tenant.http.patch(webhook, { max_concurrency: value }).expect(422);
    expect(body.errors[0]).toMatchObject({ path: 'max_concurrency' });
  });
});
