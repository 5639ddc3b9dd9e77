import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType } from '../support/content.js';
import { upload } from '../support/upload.js';

type Body = Record<string, unknown>;

/** A resource: where it is, and what it has besides what an update can set. */
interface Resource {
  /** The path in the document, without `/v1`. */
  path: string;
  method: 'put' | 'patch';
  /** Makes one, with everything that it can have, and returns its path. */
  make: (tenant: TestTenant, app: TestApp) => Promise<string>;
  /** What changes with every update. */
  changing?: readonly string[];
  readOnly: readonly string[];
}

const ENTRY = '/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}';

async function makeEntry(tenant: TestTenant): Promise<string> {
  const type = await createType(tenant, [
    { name: 'title', type: 'text' },
    { name: 'slug', type: 'text', unique: true },
    { name: 'next', type: 'reference', content_type: 'article' },
  ]);
  const [next] = await createEntries(tenant, type, [{ fields: { title: 'Next' } }]);
  const [id] = await createEntries(tenant, type, [{ fields: { title: 'A', slug: 'a', next }, status: 'published' }]);
  return `${type.entries}/${id}`;
}

async function makeForm(tenant: TestTenant): Promise<string> {
  const form = {
    name: 'Contact',
    fields: [
      { name: 'email', type: 'email', required: true },
      { name: 'message', type: 'textarea' },
    ],
    notify_email: 'office@acme.example',
    settings: { spam: { honeypot: 'website' }, thanks: 'Thank you.', retention_days: 30 },
  };
  const { body } = await tenant.http.post(`/v1/forms/${tenant.id}`, form).expect(201);
  return `/v1/forms/${tenant.id}/${body.data.id}`;
}

const RESOURCES: Record<string, Resource> = {
  'a content type': {
    path: '/content/{tenant_id}/types/{content_type_id}',
    method: 'put',
    make: async (tenant) => {
      const { path } = await createType(tenant, [{ name: 'title', type: 'text', required: true, max: 20 }]);
      await tenant.http
        .put(path, { public: true, language: 'en', preview_url: 'https://site.example/{title}' })
        .expect(200);
      return path;
    },
    readOnly: ['id', 'created_at', 'updated_at'],
  },
  'an entry': {
    path: ENTRY,
    method: 'patch',
    make: makeEntry,
    readOnly: ['id', 'content_type_id', 'created_at', 'updated_at', 'published_at'],
  },
  'an entry in full': {
    path: ENTRY,
    method: 'patch',
    make: async (tenant) => `${await makeEntry(tenant)}?view=full`,
    changing: ['updated_at'],
    readOnly: ['id', 'content_type_id', 'created_at', 'updated_at', 'published_at'],
  },
  'the locales': {
    path: '/locales/{tenant_id}',
    method: 'put',
    make: async (tenant) => {
      const locales = [{ code: 'en' }, { code: 'de', name: 'Deutsch', fallback: null }];
      await tenant.http.put(`/v1/locales/${tenant.id}`, { default: 'en', locales }).expect(200);
      return `/v1/locales/${tenant.id}`;
    },
    readOnly: [],
  },
  'a draft': {
    path: `${ENTRY}/draft`,
    method: 'patch',
    make: async (tenant) => {
      const path = await makeEntry(tenant);
      await tenant.http.patch(`${path}/draft`, { fields: { title: 'B', slug: null } }).expect(200);
      return `${path}/draft`;
    },
    // What was sent is the draft's own.
    changing: ['updated_at', 'changed'],
    readOnly: ['id', 'content_type_id', 'changed', 'base_version', 'created_at', 'updated_at'],
  },
  'a schedule': {
    path: `${ENTRY}/schedule`,
    method: 'put',
    make: async (tenant) => {
      const path = `${await makeEntry(tenant)}/schedule`;
      const times = { publish_at: '2100-01-31T09:30:00.000Z', unpublish_at: '2100-02-28T09:30:00.000Z' };
      await tenant.http.put(path, times).expect(200);
      return path;
    },
    readOnly: ['entry_id', 'content_type_id', 'state', 'problem'],
  },
  'a form': {
    path: '/forms/{tenant_id}/{form_id}',
    method: 'patch',
    make: makeForm,
    readOnly: ['id', 'submission_count', 'created_at'],
  },
  'a submission': {
    path: '/forms/{tenant_id}/{form_id}/submissions/{submission_id}',
    method: 'patch',
    make: async (tenant) => {
      const path = `${await makeForm(tenant)}/submissions`;
      const { body } = await tenant.http
        .post(path, { fields: { email: 'ada@acme.example', message: 'Hello' } })
        .set('Accept-Language', 'en-GB')
        .expect(201);
      await tenant.http.patch(`${path}/${body.data.id}`, { state: 'read', note: 'A note' }).expect(200);
      return `${path}/${body.data.id}`;
    },
    readOnly: ['id', 'form_id', 'fields', 'created_at', 'verdict', 'reasons', 'files', 'origin', 'locale'],
  },
  'a webhook': {
    path: '/webhooks/{tenant_id}/{webhook_id}',
    method: 'patch',
    make: async (tenant) => {
      const webhook = {
        url: 'https://hooks.example.com/trivet',
        events: ['entry.published'],
        description: 'Rebuilds',
        headers: { Authorization: 'Bearer token' },
        filters: { status: 'published', changed: ['title'] },
        payload: 'thin',
        ordered: true,
        max_concurrency: 3,
        signature: 'ed25519',
      };
      const { body } = await tenant.http.post(`/v1/webhooks/${tenant.id}`, webhook).expect(201);
      return `/v1/webhooks/${tenant.id}/${body.data.id}`;
    },
    readOnly: ['id', 'signature', 'public_key', 'disabled_reason', 'created_at'],
  },
  'a role': {
    path: '/roles/{tenant_id}/{role_id}',
    method: 'patch',
    make: async (tenant) => {
      const role = { name: 'Translator', scopes: ['content:read', 'content:draft'], locales: ['de'] };
      const { body } = await tenant.http.post(`/v1/roles/${tenant.id}`, role).expect(201);
      return `/v1/roles/${tenant.id}/${body.data.id}`;
    },
    readOnly: ['id', 'built_in'],
  },
  'a member': {
    path: '/users/{tenant_id}/{user_id}',
    method: 'patch',
    make: async (tenant) => {
      const member = { email: 'ada@example.com', name: 'Ada', role: 'editor' };
      const { body } = await tenant.http.post(`/v1/users/${tenant.id}`, member).expect(201);
      return `/v1/users/${tenant.id}/${body.data.id}`;
    },
    // Another request may have changed `last_seen_at` since.
    readOnly: ['id', 'email', 'name', 'state', 'created_at'],
  },
  'a media file': {
    path: '/media/{tenant_id}/{media_id}',
    method: 'patch',
    make: async (tenant, app) => {
      const { id } = await upload(app, tenant, Buffer.from('Hello'), 'a.txt', 'A text');
      return `/v1/media/${tenant.id}/${id}`;
    },
    readOnly: ['id', 'url', 'filename', 'mime_type', 'size', 'created_at'],
  },
};

describe('what GET answers', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(() => {
    tenant = app.tenant();
  });

  const read = async (path: string): Promise<Body> => (await tenant.http.get(path).expect(200)).body.data;
  const without = (body: Body, names: readonly string[]) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

  it('is sent back here for every resource that can be read and updated', async () => {
    const { paths } = (await app.client().get('/openapi.json').expect(200)).body;
    const updatable = Object.entries<object>(paths)
      .filter(([, methods]) => 'get' in methods && ('put' in methods || 'patch' in methods))
      .map(([path]) => path.replace(/^\/v1/, ''));
    // What is shown of a person is not what they can change.
    // Presence has nothing to send.
    const others = /^\/(redirects\/|me$)|\/presence$/;
    expect(updatable.filter((path) => !others.test(path)).sort()).toEqual(
      [...new Set(Object.values(RESOURCES).map(({ path }) => path))].sort(),
    );
  });

  it.each(Object.entries(RESOURCES))(
    'can be sent back: %s',
    async (_name, { make, method, changing = ['updated_at'] }) => {
      const path = await make(tenant, app);
      const before = await read(path);
      await tenant.http[method](path, before).expect(200);
      expect(without(await read(path), changing)).toEqual(without(before, changing));
    },
  );

  it.each(Object.entries(RESOURCES).filter(([, { readOnly }]) => readOnly.length > 0))(
    'is read-only where no request can set it: %s',
    async (_name, { make, method, readOnly }) => {
      const path = await make(tenant, app);
      const before = await read(path);
      const other = Object.fromEntries(readOnly.map((name) => [name, { other: 'value' }]));
      const { body } = await tenant.http[method](path, { ...before, ...other }).expect(422);
      expect(body.errors).toEqual(
        expect.arrayContaining(
          readOnly.map((name) => ({
            path: name,
            code: 'unknown_property',
            message: `${name} is read-only: leave it out, or send the value that the resource has.`,
          })),
        ),
      );
      expect(body.errors).toHaveLength(readOnly.length);
      expect(await read(path)).toEqual(before);
    },
  );

  it('is refused in a creation, with the properties that the service sets', async () => {
    const creations: [path: string, body: Body, readOnly: string[]][] = [
      [
        `/v1/content/${tenant.id}/types`,
        await read(await RESOURCES['a content type']!.make(tenant, app)),
        ['id', 'created_at'],
      ],
      [`/v1/forms/${tenant.id}`, await read(await makeForm(tenant)), ['id', 'created_at']],
      [
        `/v1/webhooks/${tenant.id}`,
        await read(await RESOURCES['a webhook']!.make(tenant, app)),
        ['id', 'active', 'created_at', 'public_key', 'disabled_reason'],
      ],
      [`/v1/keys/${tenant.id}`, { name: 'a', scopes: ['read'], id: 'key_1', source: 'api' }, ['id', 'source']],
    ];
    for (const [path, sent, readOnly] of creations) {
      const { body } = await tenant.http.post(path, sent).expect(422);
      const told = body.errors.filter(({ message }: { message: string }) => message.includes('is read-only'));
      expect(told.map((error: { path: string }) => error.path).sort()).toEqual([...readOnly].sort());
      expect(told[0]).toMatchObject({
        code: 'unknown_property',
        message: expect.stringContaining('the service sets it'),
      });
    }
    const type = await createType(tenant, [{ name: 'title', type: 'text' }], 'Other');
    const { body } = await tenant.http
      .post(type.entries, { fields: {}, id: 'ent_1', published_at: null, created: 1 })
      .expect(422);
    expect(body.errors.map(({ message }: { message: string }) => message)).toEqual([
      'id is read-only in a creation: the service sets it.',
      'published_at is read-only in a creation: the service sets it.',
      'created is not a known property. The properties are fields, status.',
    ]);
  });

  it('can be sent back in an operation of many', async () => {
    const path = `${await makeEntry(tenant)}?view=full`;
    const before = await read(path);
    const update = { op: 'update', content_type: 'article', entry_id: before['id'] };
    const bulk = `/v1/content/${tenant.id}/bulk`;
    await tenant.http.post(bulk, { operations: [{ ...before, ...update }] }).expect(200);
    expect(without(await read(path), ['updated_at'])).toEqual(without(before, ['updated_at']));
    // The entry has changed since.
    const stale = await tenant.http.post(bulk, { operations: [{ ...before, ...update }] }).expect(422);
    expect(stale.body.errors).toEqual([
      expect.objectContaining({ path: 'operations.0.updated_at', code: 'unknown_property' }),
    ]);
    const created = { op: 'create', content_type: 'article', fields: {}, id: before['id'] };
    const refused = await tenant.http.post(bulk, { operations: [created] }).expect(422);
    expect(refused.body.errors[0].message).toBe('id is read-only in a creation: the service sets it.');
  });

  it('is shown in a list, and can be sent back from there', async () => {
    const path = await makeForm(tenant);
    const [form] = (await tenant.http.get(`/v1/forms/${tenant.id}`).expect(200)).body.data;
    expect(form.submission_count).toBe(0);
    await tenant.http.patch(path, form).expect(200);
    await tenant.http.post(`${path}/submissions`, { fields: { email: 'ada@acme.example' } }).expect(201);
    await tenant.http.patch(path, form).expect(422);
  });

  // Updates of content types and entries answer as they are documented, whatever the key may read.
  it.each(['a draft', 'a schedule', 'a form', 'a submission', 'a webhook', 'a media file'])(
    'is compared for a key only that may read it: %s',
    async (name) => {
      const { make, method, readOnly } = RESOURCES[name]!;
      const path = await make(tenant, app);
      const whole = await read(path);
      const scopes = ['content:write', 'forms:write', 'webhooks:write', 'media:write'];
      const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'w', scopes }).expect(201);
      const writer = app.client(`Bearer ${body.data.key}`);
      const refused = await writer[method](path, whole).expect(422);
      const found = refused.body.errors.map((error: { path: string }) => error.path);
      expect(found.sort()).toEqual(readOnly.filter((property) => property in whole).sort());
      await writer[method](path, without(whole, readOnly)).expect(200);
    },
  );

  it('can be sent back: a webhook in full', async () => {
    const webhook = { url: 'https://hooks.example.com/trivet', events: ['entry.published'], secret: 'a secret' };
    const path = `/v1/webhooks/${tenant.id}`;
    const { id } = (await tenant.http.post(path, webhook).expect(201)).body.data;
    const full = await read(`${path}/${id}?view=full`);
    expect(full['signed']).toBe(true);
    await tenant.http.patch(`${path}/${id}`, full).expect(200);
    const { body } = await tenant.http.patch(`${path}/${id}`, { signed: false }).expect(422);
    expect(body.errors).toMatchObject([{ path: 'signed', code: 'unknown_property' }]);
  });

  it('cannot be sent back for another resource', async () => {
    const path = await makeEntry(tenant);
    const entry = await read(path);
    const [id] = await createEntries(tenant, { id: '', path: '', entries: path.replace(/\/ent_.*/, '') }, [
      { fields: {} },
    ]);
    const { body } = await tenant.http.patch(path.replace(/ent_.*/, id ?? ''), { ...entry, fields: {} }).expect(422);
    expect(body.errors.map((error: { path: string }) => error.path)).toContain('id');
  });
});
