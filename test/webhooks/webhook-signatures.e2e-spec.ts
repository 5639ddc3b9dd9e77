import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { startApp, type TestApp } from '../support/app.js';
import { RECEIVER_ENV, type Receiver, type Received, startReceiver } from '../support/receiver.js';
import { Subscription } from '../support/subscription.js';

const ENV = { ...RECEIVER_ENV, ENCRYPTION_KEY: randomBytes(32).toString('base64') };

/** Whether one of the `v1a` signatures of a delivery was made with the private key that belongs to `publicKey`. */
function isGenuine({ headers, text }: Received, publicKey: string): boolean {
  const x = Buffer.from(publicKey.replace('whpk_', ''), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = Buffer.from(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`);
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((one) => one.startsWith('v1a,'))
    .some((one) => verify(null, signed, key, Buffer.from(one.slice(4), 'base64')));
}

describe('a webhook with an ed25519 signature', () => {
  let app: TestApp;
  let receiver: Receiver;
  beforeAll(async () => {
    [app, receiver] = await Promise.all([startApp(ENV), startReceiver()]);
  });
  afterAll(() => Promise.all([app.close(), receiver.close()]));

  const publicKeyOf = async ({ tenant, webhook }: Subscription) =>
    (await tenant.http.get(webhook).expect(200)).body.data.public_key as string;

  it('signs deliveries so that its public key verifies them', async () => {
    const webhook = await Subscription.create(app, receiver, { signature: 'ed25519' });
    const other = await Subscription.create(app, receiver, { signature: 'ed25519' }, webhook);
    await webhook.happen();
    const [received] = await receiver.until(webhook.path, 1);
    expect(received!.headers['webhook-signature']).toMatch(/^v1a,[\w+/]{86}==$/);
    const publicKey = await publicKeyOf(webhook);
    expect(publicKey).toMatch(/^whpk_[\w+/]{43}=$/);
    expect(isGenuine(received!, publicKey)).toBe(true);
    expect(isGenuine(received!, await publicKeyOf(other))).toBe(false);
  });

  it('signs with its secret too, and keeps the key pair when the secret changes', async () => {
    const webhook = await Subscription.create(app, receiver, { signature: 'ed25519', secret: 'secret' });
    const publicKey = await publicKeyOf(webhook);
    await webhook.happen();
    const [received] = await receiver.until(webhook.path, 1);
    expect(received!.headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/);
    const { body } = await webhook.tenant.http.patch(webhook.webhook, { secret: null }).expect(200);
    expect(body.data).toMatchObject({ signature: 'ed25519', public_key: publicKey });
    await webhook.happen();
    const [, second] = await receiver.until(webhook.path, 2);
    expect(second!.headers['webhook-signature']).toMatch(/^v1a,\S+$/);
    expect(isGenuine(second!, publicKey)).toBe(true);
  });

  it('stores the private key encrypted, and shows it nowhere', async () => {
    const tenant = app.tenant();
    const path = `/v1/webhooks/${tenant.id}`;
    const body = { url: 'https://hooks.example.com/', events: ['entry.created'], signature: 'ed25519' };
    const { data } = (await tenant.http.post(path, body).expect(201)).body;
    expect(JSON.stringify(data)).not.toContain('whsk_');
    const [row] = await app.database.query<{ signing_key: string }>(
      'SELECT signing_key FROM webhooks WHERE tenant_id = $1',
      [tenant.id],
    );
    expect(row!.signing_key).toMatch(/^v1\./);
    const [listed] = (await tenant.http.get(path).expect(200)).body.data;
    expect(Object.keys(listed)).toEqual(['id', 'url', 'events', 'active', 'created_at']);
  });

  it('is chosen at creation only', async () => {
    const tenant = app.tenant();
    const path = `/v1/webhooks/${tenant.id}`;
    const body = { url: 'https://hooks.example.com/', events: ['entry.created'] };
    const refused = await tenant.http.post(path, { ...body, signature: 'rsa' }).expect(422);
    expect(refused.body.errors).toMatchObject([{ path: 'signature' }]);
    const { data } = (await tenant.http.post(path, body).expect(201)).body;
    expect(data).not.toHaveProperty('public_key');
    const late = await tenant.http.patch(`${path}/${data.id}`, { signature: 'ed25519' }).expect(422);
    expect(late.body.errors).toMatchObject([{ path: 'signature', code: 'unknown_property' }]);
  });
});
