import { randomUUID } from 'node:crypto';
import { formatId } from '../../src/ids/type-id.js';
import { uuidOf } from '../support/backup-writer.js';
import { SecretCipher } from '../../src/secrets/secret-cipher.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';

const EVENT_TYPES = [
  'entry.created',
  'entry.updated',
  'entry.deleted',
  'entry.published',
  'media.uploaded',
  'media.deleted',
  'form.submitted',
];
const URL = 'https://hooks.example.com/in?from=trivet';

describe('webhooks', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let path: string;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(() => {
    tenant = app.tenant();
    path = `/v1/webhooks/${tenant.id}`;
  });

  async function newWebhook(body: object = {}): Promise<string> {
    const response = await tenant.http.post(path, { url: URL, events: ['entry.created'], ...body }).expect(201);
    return response.body.data.id as string;
  }

  const storedSecret = async (id: string): Promise<string> => {
    const [row] = await app.database.query<{ secret: string }>(
      'SELECT secret FROM webhooks WHERE tenant_id = $1 AND id = $2',
      [tenant.id, uuidOf('wh', id)],
    );
    return new SecretCipher(app.config.encryptionKeys).decrypt(row!.secret, `${tenant.id}/${uuidOf('wh', id)}`);
  };

  it('say with view=full whether they are signed and since when they fail', async () => {
    const ids = [
      await newWebhook(),
      await newWebhook({ secret: 's3cret' }),
      await newWebhook({ signature: 'ed25519' }),
    ];
    const listed = (await tenant.http.get(`${path}?view=full`).expect(200)).body.data as object[];
    for (const [index, signed] of [false, true, true].entries()) {
      const full = (await tenant.http.get(`${path}/${ids[index]}?view=full`).expect(200)).body.data;
      const plain = (await tenant.http.get(`${path}/${ids[index]}`).expect(200)).body.data;
      expect(full).toEqual({ ...plain, signed, failing_since: null });
      expect(listed).toContainEqual(full);
    }
    await tenant.http.get(`${path}?view=all`).expect(400);
  });

  describe('create', () => {
    it('answers 401 without a key and 403 for another tenant', async () => {
      await app
        .client()
        .post(path, { url: URL, events: ['entry.created'] })
        .expect(401);
      await app
        .tenant()
        .http.post(path, { url: URL, events: ['entry.created'] })
        .expect(403);
    });

    it('returns the documented fields, and never the secret', async () => {
      const response = await tenant.http.post(path, { url: URL, events: EVENT_TYPES, secret: 's3cret' }).expect(201);
      const { data } = response.body;
      expect(Object.keys(data)).toEqual(['id', 'url', 'events', 'active', 'created_at']);
      expect(data).toMatchObject({ url: URL, events: EVENT_TYPES, active: true });
      expect(data.id).toMatch(/^wh_[0-9a-hjkmnp-tv-z]{26}$/);
      expect(data.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(response.text).not.toContain('s3cret');
    });

    it('generates a secret that only the response to this request shows', async () => {
      const created = await tenant.http.post(path, { url: URL, events: EVENT_TYPES, secret: 'generate' }).expect(201);
      const { id, secret } = created.body.data;
      expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
      expect(await storedSecret(id)).toBe(secret);
      expect((await tenant.http.get(`${path}/${id}`).expect(200)).text).not.toContain('whsec');
      expect((await tenant.http.get(`${path}?view=full`).expect(200)).text).not.toContain('whsec');

      const updated = await tenant.http.patch(`${path}/${id}`, { secret: 'generate' }).expect(200);
      expect(updated.body.data.secret).toMatch(/^whsec_[\w+/]{43}=$/);
      expect(updated.body.data.secret).not.toBe(secret);
      expect(await storedSecret(id)).toBe(updated.body.data.secret);
      expect((await tenant.http.patch(`${path}/${id}`, { active: true }).expect(200)).body.data).not.toHaveProperty(
        'secret',
      );
    });

    it('refuses to generate a secret for a request whose answer would be kept', async () => {
      const body = { url: URL, events: ['entry.created'], secret: 'generate' };
      const send = () => tenant.http.post(path, body).set('Idempotency-Key', randomUUID());
      expect((await send().expect(400)).body.errors).toMatchObject([{ path: 'Idempotency-Key' }]);
      const id = await newWebhook();
      const change = tenant.http.patch(`${path}/${id}`, { secret: 'generate' }).set('Idempotency-Key', randomUUID());
      expect((await change.expect(400)).body.errors).toMatchObject([{ path: 'Idempotency-Key' }]);
      expect((await tenant.http.get(path).expect(200)).body.data).toHaveLength(1);
    });

    it('keeps the secret encrypted', async () => {
      await newWebhook({ secret: 'plain-as-day' });
      const [row] = await app.database.query<{ secret: string }>('SELECT secret FROM webhooks WHERE tenant_id = $1', [
        tenant.id,
      ]);
      expect(row?.secret).toMatch(/^v1\./);
      expect(row?.secret).not.toContain('plain');
    });

    it('reports every wrong value', async () => {
      const response = await tenant.http
        .post(path, {
          url: 'http://example.com',
          events: ['entry.created', 'nope', 'entry.created', 7],
          secret: '',
          x: 1,
        })
        .expect(422);
      expect(response.body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]).sort()).toEqual(
        [
          ['events.1', 'options'],
          ['events.2', 'duplicate'],
          ['events.3', 'type'],
          ['secret', 'length'],
          ['url', 'url'],
          ['x', 'unknown_property'],
        ],
      );
    });

    it.each([
      [{}, ['url:required', 'events:required']],
      [{ url: null, events: null }, ['url:required', 'events:required']],
      [{ url: 7, events: 'entry.created' }, ['url:type', 'events:type']],
      [{ url: URL, events: [] }, ['events:length']],
      [{ url: URL, events: ['webhook.test'] }, ['events.0:options']],
      [{ url: URL, events: ['entry.created'], secret: null }, ['secret:type']],
      [{ url: URL, events: ['entry.created'], secret: 'x'.repeat(257) }, ['secret:length']],
      [{ url: URL, events: ['entry.created'], active: false }, ['active:unknown_property']],
    ])('rejects %j', async (body, expected) => {
      const response = await tenant.http.post(path, body).expect(422);
      const errors = response.body.errors as { path: string; code: string }[];
      expect(errors.map(({ path, code }) => `${path}:${code}`).sort()).toEqual([...expected].sort());
    });

    it.each([
      'http://example.com/',
      'ftp://example.com/',
      'https:example.com',
      '/relative',
      'https://user:pass@example.com/',
      'https://example.com/#part',
      'https://localhost/',
      'https://a.localhost/',
      'https://printer.local/',
      'https://db.internal/',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://10.0.0.1/',
      'https://100.64.0.1/',
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://[64:ff9b::a00:1]/',
      'https://[2002:a00:1::]/',
      `https://example.com/${'x'.repeat(2048)}`,
    ])('rejects the URL %s', async (url) => {
      const response = await tenant.http.post(path, { url, events: ['entry.created'] }).expect(422);
      expect(response.body.errors).toEqual([expect.objectContaining({ path: 'url', code: 'url' })]);
    });

    it('rejects a secret that receivers cannot decode', async () => {
      const key = (bytes: number) => `whsec_${Buffer.alloc(bytes, 'k').toString('base64')}`;
      const create = (secret: string) =>
        tenant.http.post(path, { url: 'https://hooks.example.com', events: ['entry.created'], secret });
      for (const bytes of [24, 25, 64]) await create(key(bytes)).expect(201);
      for (const secret of [
        key(23),
        key(65),
        key(25).replace('=', ''),
        'whsec_',
        `${key(24)}!`,
        key(24).replace('a', '-'),
      ]) {
        const { body } = await create(secret).expect(422);
        expect(body.errors).toMatchObject([{ path: 'secret', code: 'format' }]);
        expect(JSON.stringify(body)).not.toContain(secret);
      }
      const { body } = await create('a plain secret, not whsec_').expect(201);
      await tenant.http.patch(`${path}/${body.data.id}`, { secret: key(23) }).expect(422);
      await tenant.http.patch(`${path}/${body.data.id}`, { secret: key(32) }).expect(200);
    });

    it('accepts a secret of 256 characters and a URL of 2,048', async () => {
      const url = `https://example.com/${'x'.repeat(2048 - 'https://example.com/'.length)}`;
      await tenant.http.post(path, { url, events: ['entry.created'], secret: 'é'.repeat(256) }).expect(201);
    });
  });

  describe('list', () => {
    it('answers 401 without a key and 403 for another tenant', async () => {
      await app.client().get(path).expect(401);
      await app.tenant().http.get(path).expect(403);
    });

    it('shows all of them, newest first, without meta', async () => {
      const first = await newWebhook({ secret: 'hidden' });
      const second = await newWebhook();
      const response = await tenant.http.get(path).expect(200);
      expect(Object.keys(response.body)).toEqual(['data']);
      expect(response.body.data.map(({ id }: { id: string }) => id)).toEqual([second, first]);
      for (const webhook of response.body.data) {
        expect(Object.keys(webhook)).toEqual(['id', 'url', 'events', 'active', 'created_at']);
      }
    });

    it('is not paginated', async () => {
      await tenant.http.get(`${path}?page=1`).expect(400);
    });
  });

  describe('get', () => {
    it('answers 401 without a key and 403 for another tenant', async () => {
      const id = await newWebhook();
      await app.client().get(`${path}/${id}`).expect(401);
      await app.tenant().http.get(`${path}/${id}`).expect(403);
    });

    it('shows why the service deactivated it', async () => {
      const id = await newWebhook();
      const response = await tenant.http.get(`${path}/${id}`).expect(200);
      expect(Object.keys(response.body.data)).toEqual([
        'id',
        'url',
        'events',
        'active',
        'created_at',
        'disabled_reason',
      ]);
      expect(response.body.data).toMatchObject({ id, active: true, disabled_reason: null });
    });

    it('answers 404 for unknown IDs and for another tenant’s webhook', async () => {
      const id = await newWebhook();
      const other = app.tenant();
      await other.http.get(`/v1/webhooks/${other.id}/${id}`).expect(404);
      for (const unknown of [formatId('wh', randomUUID()), formatId('ent', randomUUID()), 'wh_x', 'x']) {
        await tenant.http.get(`${path}/${unknown}`).expect(404);
      }
    });
  });

  describe('update', () => {
    it('answers 401 without a key and 403 for another tenant', async () => {
      const id = await newWebhook();
      await app.client().patch(`${path}/${id}`, {}).expect(401);
      await app.tenant().http.patch(`${path}/${id}`, {}).expect(403);
    });

    it('changes only what is sent', async () => {
      const id = await newWebhook();
      const changed = await tenant.http.patch(`${path}/${id}`, { url: 'https://new.example.com/' }).expect(200);
      expect(changed.body.data).toMatchObject({
        url: 'https://new.example.com/',
        events: ['entry.created'],
        active: true,
      });
      await tenant.http.patch(`${path}/${id}`, { events: ['form.submitted'], active: false }).expect(200);
      const { body } = await tenant.http.get(`${path}/${id}`).expect(200);
      expect(body.data).toMatchObject({
        url: 'https://new.example.com/',
        events: ['form.submitted'],
        active: false,
        disabled_reason: null,
      });
      await tenant.http.patch(`${path}/${id}`, {}).expect(200);
    });

    it('keeps the secret when it is sent unchanged with other changes', async () => {
      const id = await newWebhook({ secret: 's3cret' });
      const row = async () => {
        const text = 'SELECT tenant_id, secret, previous_secrets FROM webhooks WHERE tenant_id = $1';
        return (await app.database.query(text, [tenant.id]))[0];
      };
      const before = await row();
      const changes = { url: 'https://new.example.com/', events: ['form.submitted'], active: false };
      const changed = await tenant.http.patch(`${path}/${id}`, { ...changes, secret: 's3cret' }).expect(200);
      expect(changed.body.data).toMatchObject(changes);
      expect((await tenant.http.get(`${path}/${id}`).expect(200)).body.data).toMatchObject(changes);
      expect(await row()).toEqual(before);
    });

    it('replaces a secret whose encryption key is lost, and stops signing with it', async () => {
      const id = await newWebhook({ secret: 'old' });
      const foreign = new SecretCipher([Buffer.alloc(32, 7)]).encrypt('old', 'any');
      await app.database.query('UPDATE webhooks SET secret = $2 WHERE tenant_id = $1', [tenant.id, foreign]);
      await tenant.http.patch(`${path}/${id}`, { secret: 'new' }).expect(200);
      const [row] = await app.database.query('SELECT secret, previous_secrets FROM webhooks WHERE tenant_id = $1', [
        tenant.id,
      ]);
      expect(row).toMatchObject({ secret: expect.stringMatching(/^v1\./), previous_secrets: null });
      expect(row?.['secret']).not.toBe(foreign);
    });

    it.each([
      [{ url: null }, 'url:type'],
      [{ url: 'https://10.0.0.1/' }, 'url:url'],
      [{ events: null }, 'events:type'],
      [{ events: [] }, 'events:length'],
      [{ active: 'yes' }, 'active:type'],
      [{ active: null }, 'active:type'],
      [{ secret: '' }, 'secret:length'],
      [{ id: 'wh_x' }, 'id:unknown_property'],
    ])('rejects %j', async (body, expected) => {
      const id = await newWebhook();
      const response = await tenant.http.patch(`${path}/${id}`, body).expect(422);
      const errors = response.body.errors as { path: string; code: string }[];
      expect(errors.map(({ path, code }) => `${path}:${code}`)).toEqual([expected]);
    });

    it('answers 404 for unknown IDs and for another tenant’s webhook', async () => {
      const id = await newWebhook();
      const other = app.tenant();
      await other.http.patch(`/v1/webhooks/${other.id}/${id}`, { active: false }).expect(404);
      await tenant.http.patch(`${path}/${formatId('wh', randomUUID())}`, { active: false }).expect(404);
    });
  });

  describe('delete', () => {
    it('answers 401 without a key and 403 for another tenant', async () => {
      const id = await newWebhook();
      await app.client().delete(`${path}/${id}`).expect(401);
      await app.tenant().http.delete(`${path}/${id}`).expect(403);
    });

    it('deletes it once, and then answers 404', async () => {
      const id = await newWebhook();
      const response = await tenant.http.delete(`${path}/${id}`).expect(200);
      expect(response.body).toEqual({ message: expect.any(String) });
      await tenant.http.delete(`${path}/${id}`).expect(404);
      await tenant.http.get(`${path}/${id}/deliveries`).expect(404);
      expect((await tenant.http.get(path).expect(200)).body.data).toEqual([]);
    });

    it('answers 404 for another tenant’s webhook', async () => {
      const id = await newWebhook();
      const other = app.tenant();
      await other.http.delete(`/v1/webhooks/${other.id}/${id}`).expect(404);
      await tenant.http.get(`${path}/${id}`).expect(200);
    });
  });
});
