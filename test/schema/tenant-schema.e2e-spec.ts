import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { storedEvents } from '../support/stored-events.js';

const TITLE = { name: 'title', type: 'text' };
const ENGLISH = { default: 'en', locales: [{ code: 'en', name: 'English', fallback: null }] };
const EMPTY = { types: [], forms: [], webhooks: [] };

interface Document {
  locales?: object;
  types: Record<string, unknown>[];
  forms: Record<string, unknown>[];
  webhooks: Record<string, unknown>[];
}

interface Step {
  kind: string;
  item: string;
  op: string;
  field?: string;
  class: string;
  entries: number;
  failing: number;
  samples: object[];
}

describe('the schema of a tenant as a document', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => {
    tenant = app.tenant();
  });
  afterAll(() => app.close());

  const path = (end = '') => `/v1/schema/${tenant.id}${end}`;
  const read = async () => (await tenant.http.get(path()).expect(200)).body.data as Document;
  const plan = async (document: object, more: object = {}) =>
    (await tenant.http.post(path('/plan'), { document, ...more }).expect(200)).body.data as {
      steps: Step[];
      hash: string;
    };
  const apply = (document: object, hash: string, more: object = {}) =>
    tenant.http.post(path('/apply'), { document, hash, ...more });
  const push = async (document: object, more: object = {}) => {
    const { hash } = await plan(document, more);
    return (await apply(document, hash, more).expect(200)).body.data as { steps: Step[]; changes: object[] };
  };
  const addType = async (body: object) =>
    (await tenant.http.post(`/v1/content/${tenant.id}/types`, body).expect(201)).body.data as { id: string };
  const addEntry = (slug: string, fields: object, status = 'published') =>
    tenant.http.post(`/v1/content/${tenant.id}/types/${slug}/entries`, { fields, status }).expect(201);
  const keyWith = async (scopes: string[]) => {
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'Build', scopes }).expect(201);
    return app.client(`Bearer ${body.data.key}`);
  };
  const shortOf = (steps: Step[]) => steps.map(({ op, item, field }) => [op, item, field].filter(Boolean).join(' '));

  describe('access', () => {
    it('needs a key of the tenant that reads content, forms and webhooks, and one with every scope to apply', async () => {
      await app.client().get(path()).expect(401);
      await app.tenant().http.get(path()).expect(403);
      await app.client(`Bearer ${tenant.publishedKey}`).get(path()).expect(403);
      const content = await keyWith(['content:read']);
      await content.get(path()).expect(403);
      await content.post(path('/plan'), { document: EMPTY }).expect(403);
      const reader = await keyWith(['content:read', 'forms:read', 'webhooks:read']);
      await reader.get(path()).expect(200);
      const { body } = await reader.post(path('/plan'), { document: EMPTY }).expect(200);
      const writer = await keyWith(['read', 'write']);
      await writer.post(path('/apply'), { document: EMPTY, hash: body.data.hash }).expect(403);
      await apply(EMPTY, body.data.hash).expect(200);
    });

    it('is refused to a key that is limited to content types', async () => {
      await addType({ name: 'Post', fields: [TITLE] });
      const narrowed = await keyWith(['content:read@post', 'forms:read', 'webhooks:read']);
      await narrowed.get(path()).expect(403);
    });
  });

  describe('get', () => {
    it('has locales, types, forms and webhooks without IDs and secrets, in the order of slugs', async () => {
      const author = await addType({ name: 'Writer', slug: 'writer', fields: [TITLE], public: false });
      await addType({
        name: 'Article',
        slug: 'article',
        public: true,
        language: 'en',
        preview_url: 'https://site.example/{title}',
        fields: [
          { type: 'text', required: true, name: 'title', label: 'Title' },
          { name: 'author', type: 'reference', content_type: author.id },
          {
            name: 'parts',
            type: 'blocks',
            blocks: [{ name: 'by', fields: [{ name: 'who', type: 'reference', content_types: ['writer'] }] }],
          },
        ],
      });
      await tenant.http
        .post(`/v1/forms/${tenant.id}`, {
          name: 'Contact',
          fields: [{ name: 'email', type: 'email' }],
          notify_email: 'office@acme.example',
          settings: { thanks: 'Thanks!' },
        })
        .expect(201);
      await tenant.http
        .post(`/v1/webhooks/${tenant.id}`, {
          url: 'https://hooks.example.com/a',
          events: ['entry.updated', 'entry.created'],
          secret: 'a secret',
          headers: { Authorization: 'Bearer secret' },
          filters: { content_types: [author.id], forms: ['contact'] },
        })
        .expect(201);
      expect(await read()).toEqual({
        locales: ENGLISH,
        types: [
          {
            name: 'Article',
            slug: 'article',
            public: true,
            language: 'en',
            preview_url: 'https://site.example/{title}',
            fields: [
              { name: 'title', type: 'text', label: 'Title', required: true },
              { name: 'author', type: 'reference', content_type: 'writer' },
              {
                name: 'parts',
                type: 'blocks',
                blocks: [{ name: 'by', fields: [{ name: 'who', type: 'reference', content_types: ['writer'] }] }],
              },
            ],
          },
          { name: 'Writer', slug: 'writer', fields: [TITLE] },
        ],
        forms: [
          {
            name: 'Contact',
            slug: 'contact',
            notify_email: 'office@acme.example',
            settings: { thanks: 'Thanks!' },
            fields: [{ name: 'email', type: 'email' }],
          },
        ],
        webhooks: [
          {
            url: 'https://hooks.example.com/a',
            events: ['entry.created', 'entry.updated'],
            filters: { content_types: ['writer'], forms: ['contact'] },
          },
        ],
      });
      const { text } = await tenant.http.get(path());
      expect(text).not.toMatch(/secret|Authorization|ct_|frm_|wh_/);
      expect(text.indexOf('"name":"title","type":"text","label":"Title","required":true')).toBeGreaterThan(0);
    });

    it('names a content type by the slug that it has now', async () => {
      await addType({ name: 'Author', slug: 'author', fields: [TITLE] });
      await addType({
        name: 'Post',
        slug: 'post',
        fields: [{ name: 'by', type: 'reference', content_type: 'author' }],
      });
      await tenant.http.put(`/v1/content/${tenant.id}/types/author`, { slug: 'writer' }).expect(200);
      await addType({ name: 'Author', slug: 'author', fields: [TITLE] });
      const document = await read();
      expect(document.types.find(({ slug }) => slug === 'post')?.['fields']).toEqual([
        { name: 'by', type: 'reference', content_type: 'writer' },
      ]);
      expect((await plan(document, { prune: true })).steps).toEqual([]);
    });
  });

  describe('plan', () => {
    it('is empty for what the tenant has, whatever the order of attributes', async () => {
      await addType({ name: 'Post', fields: [{ name: 'title', type: 'text', required: true, max: 3 }] });
      const document = await read();
      expect((await plan(document, { prune: true })).steps).toEqual([]);
      document.types[0]!['fields'] = [{ max: 3, required: true, type: 'text', name: 'title' }];
      expect((await plan(document)).steps).toEqual([]);
    });

    it('says what each step does, with the entries that it concerns, and changes nothing', async () => {
      await addType({ name: 'Post', fields: [TITLE, { name: 'stars', type: 'text' }, { name: 'old', type: 'text' }] });
      await addEntry('post', { title: 'A', stars: 'many', old: 'x' });
      await addEntry('post', { title: 'B', stars: '3' });
      const before = await read();
      const { steps } = await plan({
        types: [
          {
            name: 'Article',
            slug: 'post',
            fields: [
              { ...TITLE, label: 'Title' },
              { name: 'stars', type: 'integer' },
              { name: 'new', type: 'date' },
            ],
          },
          { name: 'Author', slug: 'author', fields: [TITLE] },
        ],
        forms: [{ name: 'Contact', slug: 'contact', fields: [{ name: 'email', type: 'email' }] }],
        webhooks: [{ url: 'https://hooks.example.com/a', events: ['*'] }],
      });
      const none = { class: 'safe', entries: 0, failing: 0, samples: [] };
      expect(steps).toEqual([
        { kind: 'content_type', item: 'post', op: 'describe', field: 'name', ...none },
        { kind: 'content_type', item: 'post', op: 'describe', field: 'title', ...none, entries: 2 },
        {
          kind: 'content_type',
          item: 'post',
          op: 'retype',
          field: 'stars',
          class: 'needs_data',
          entries: 2,
          failing: 1,
          samples: [{ entry_id: expect.stringMatching(/^ent_/), message: expect.stringContaining('stars') }],
        },
        { kind: 'content_type', item: 'post', op: 'add', field: 'new', ...none },
        { kind: 'content_type', item: 'post', op: 'remove', field: 'old', ...none, class: 'lossy', entries: 1 },
        { kind: 'content_type', item: 'author', op: 'create', ...none },
        { kind: 'form', item: 'contact', op: 'create', ...none },
        { kind: 'webhook', item: 'https://hooks.example.com/a', op: 'create', ...none },
      ]);
      expect(await read()).toEqual(before);
    });

    it('deletes what the document does not have only with prune, and says what would be lost', async () => {
      await addType({ name: 'Post', fields: [TITLE] });
      await addType({ name: 'Empty', fields: [TITLE] });
      await addEntry('post', { title: 'A' });
      await tenant.http
        .post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields: [{ name: 'a', type: 'text' }] })
        .expect(201);
      await app
        .client()
        .post(`/v1/forms/${tenant.id}/contact/submissions`, { fields: { a: 'x' } })
        .expect(201);
      expect((await plan(EMPTY)).steps).toEqual([]);
      const { steps } = await plan(EMPTY, { prune: true });
      expect(steps.map(({ item, op, class: kind, entries }) => [op, item, kind, entries])).toEqual([
        ['delete', 'contact', 'lossy', 1],
        ['delete', 'empty', 'safe', 0],
        ['delete', 'post', 'lossy', 1],
      ]);
    });

    it('answers 422 with every fault at its place in the document', async () => {
      const { body } = await tenant.http
        .post(path('/plan'), {
          document: {
            types: [
              { name: 'Post', slug: 'post', fields: [{ name: 'by', type: 'reference', content_type: 'nobody' }] },
              { name: 'Page', slug: 'page', fields: [{ name: 'x', type: 'nonsense' }] },
            ],
            forms: [
              { name: 'Contact', slug: 'contact', fields: [{ name: 'a', type: 'text' }], settings: { redirect: 'x' } },
            ],
            webhooks: [{ url: 'http://127.0.0.1/', events: ['*'], secret: 'x' }],
          },
        })
        .expect(422);
      expect(body.errors.map((error: { path: string; code: string }) => [error.path, error.code])).toEqual(
        expect.arrayContaining([
          ['document.types.0.fields.0.content_type', 'reference'],
          ['document.types.1.fields.0.type', 'unsupported'],
          ['document.forms.0.settings.redirect', 'format'],
          ['document.webhooks.0.secret', 'unknown_property'],
        ]),
      );
    });

    it('refuses what is not a document', async () => {
      const wrong = async (document: unknown) =>
        (await tenant.http.post(path('/plan'), { document }).expect(422)).body.errors[0].path as string;
      expect(await wrong([])).toBe('document');
      expect(await wrong({ forms: [], webhooks: [] })).toBe('document.types');
      expect(await wrong({ ...EMPTY, types: {} })).toBe('document.types');
      expect(await wrong({ ...EMPTY, types: [1] })).toBe('document.types.0');
      expect(await wrong({ ...EMPTY, other: 1 })).toBe('document.other');
      expect(await wrong({ ...EMPTY, types: [{ name: 'A', fields: [TITLE] }] })).toBe('document.types.0.slug');
      const twice = { name: 'A', slug: 'a', fields: [TITLE] };
      expect(await wrong({ ...EMPTY, types: [twice, twice] })).toBe('document.types.1.slug');
      expect(await wrong({ ...EMPTY, locales: { default: 'de', locales: [{ code: 'en' }] } })).toBe(
        'document.locales.default',
      );
    });
  });

  describe('apply', () => {
    it('makes types that refer to each other in a circle, forms, webhooks and locales at once', async () => {
      const document = {
        locales: {
          default: 'en',
          locales: [
            { code: 'en', name: 'English', fallback: null },
            { code: 'de', name: 'German', fallback: 'en' },
          ],
        },
        types: [
          { name: 'A', slug: 'a', fields: [{ name: 'b', type: 'reference', content_type: 'b', on_delete: 'refuse' }] },
          {
            name: 'B',
            slug: 'b',
            language: 'en',
            fields: [
              { name: 'a', type: 'reference', content_types: ['a', 'b'] },
              { name: 'title', type: 'text', localized: true, required_in: ['de'] },
            ],
          },
        ],
        forms: [
          { name: 'Contact', slug: 'contact', settings: { closed: true }, fields: [{ name: 'a', type: 'text' }] },
        ],
        webhooks: [
          {
            url: 'https://hooks.example.com/a',
            events: ['*'],
            active: false,
            filters: { content_types: ['a'], forms: ['contact'] },
          },
          { url: 'https://hooks.example.com/a', events: ['entry.created'] },
        ],
      };
      await push(document);
      const now = await read();
      expect(now).toMatchObject({ types: document.types, forms: document.forms, locales: document.locales });
      expect(now.webhooks).toHaveLength(2);
      expect((await push(document, { prune: true })).steps).toEqual([]);
      expect((await push(now, { prune: true })).steps).toEqual([]);
      // The deletion of an entry looks for referrers.
      const { body } = await addEntry('b', {}, 'draft');
      await addEntry('a', { b: body.data.id });
      await tenant.http.delete(`/v1/content/${tenant.id}/types/b/entries/${body.data.id}`).expect(409);
    });

    it('emits events and is audited as the single requests are', async () => {
      await push({ ...EMPTY, types: [{ name: 'Post', slug: 'post', fields: [TITLE] }] });
      await push({ ...EMPTY, types: [{ name: 'Article', slug: 'post', fields: [TITLE] }] });
      await push(EMPTY, { prune: true });
      const events = await storedEvents(app, tenant.id);
      expect(events.map(({ type }) => type)).toEqual([
        'content_type.created',
        'content_type.updated',
        'content_type.deleted',
      ]);
      const { body } = await tenant.http.get(`/v1/audit/${tenant.id}`).expect(200);
      expect(body.data.map(({ action }: { action: string }) => action).reverse()).toEqual([
        'created',
        'updated',
        'deleted',
      ]);
    });

    it('removes what an item no longer sets', async () => {
      const whole = {
        types: [
          { name: 'P', slug: 'p', public: true, language: 'en', preview_url: 'https://a.example/', fields: [TITLE] },
        ],
        forms: [
          {
            name: 'F',
            slug: 'f',
            notify_email: 'a@b.example',
            settings: { thanks: 'x', closed: true },
            fields: [{ name: 'a', type: 'text' }],
          },
        ],
        webhooks: [
          {
            url: 'https://hooks.example.com/a',
            events: ['*'],
            description: 'x',
            ordered: true,
            filters: { status: 'draft' },
          },
        ],
      };
      await push(whole);
      const bare = {
        types: [{ name: 'P', slug: 'p', fields: [TITLE] }],
        forms: [{ name: 'F', slug: 'f', settings: { closed: true }, fields: [{ name: 'a', type: 'text' }] }],
        webhooks: [{ url: 'https://hooks.example.com/a', events: ['*'] }],
      };
      await push(bare);
      expect(await read()).toEqual({ locales: ENGLISH, ...bare });
    });

    it('renames content types, forms and fields with their values, once', async () => {
      await push({
        types: [{ name: 'P', slug: 'p', fields: [TITLE] }],
        forms: [{ name: 'F', slug: 'f', fields: [{ name: 'a', type: 'text' }] }],
        webhooks: [],
      });
      await addEntry('p', { title: 'Kept' });
      const renamed = {
        types: [
          {
            name: 'P',
            slug: 'page',
            renamed_from: 'p',
            fields: [{ name: 'headline', type: 'text', renamed_from: 'title' }],
          },
          { name: 'Q', slug: 'q', fields: [{ name: 'page', type: 'reference', content_type: 'page' }] },
        ],
        forms: [{ name: 'F', slug: 'form', renamed_from: 'f', fields: [{ name: 'a', type: 'text' }] }],
        webhooks: [],
      };
      const { steps } = await push(renamed, { prune: true });
      expect(shortOf(steps)).toEqual(['describe page slug', 'rename page headline', 'create q', 'describe form slug']);
      const { body } = await tenant.http.get(`/v1/content/${tenant.id}/types/page/entries`).expect(200);
      expect(body.data[0].fields).toEqual({ headline: 'Kept' });
      expect((await push(renamed, { prune: true })).steps).toEqual([]);
    });

    it('is 409 when the schema or the request is not the planned one', async () => {
      const document = { ...EMPTY, types: [{ name: 'Post', slug: 'post', fields: [TITLE] }] };
      const { hash } = await plan(document);
      await apply({ ...EMPTY }, hash).expect(409);
      await apply(document, hash, { prune: true }).expect(409);
      await addType({ name: 'Other', fields: [TITLE] });
      await apply(document, hash).expect(409);
      await apply(document, (await plan(document)).hash).expect(200);
    });

    it('never makes a lossy step without its flag, and changes nothing then', async () => {
      await addType({ name: 'Post', fields: [TITLE, { name: 'old', type: 'text' }] });
      await addEntry('post', { title: 'A', old: 'x' });
      const document = {
        ...EMPTY,
        types: [
          { name: 'A', slug: 'a', fields: [TITLE] },
          { name: 'Post', slug: 'post', fields: [TITLE] },
        ],
      };
      const before = await read();
      const { hash } = await plan(document);
      const { body } = await apply(document, hash).expect(409);
      expect(body.detail).toContain('remove old of post');
      expect(await read()).toEqual(before);
      await apply(document, hash, { allow_lossy: true }).expect(409);
      await push(document, { allow_lossy: true });
      expect((await read()).types).toHaveLength(2);
    });

    it('refuses values that were written after the plan', async () => {
      await addType({ name: 'Post', fields: [TITLE, { name: 'old', type: 'text' }] });
      const without = { ...EMPTY, types: [{ name: 'Post', slug: 'post', fields: [TITLE] }] };
      const planned = await plan(without);
      expect(planned.steps.map((step) => step.class)).toEqual(['safe']);
      await addEntry('post', { title: 'A', old: 'x' });
      await apply(without, planned.hash).expect(409);
      const pruned = await plan(EMPTY, { prune: true });
      await apply(EMPTY, pruned.hash, { prune: true }).expect(409);
      await push(EMPTY, { prune: true, allow_lossy: true });
      expect((await read()).types).toEqual([]);
    });

    it('is one transaction: what fails last undoes what came first', async () => {
      await addType({ name: 'Old', slug: 'old', fields: [TITLE] });
      await addType({
        name: 'User',
        slug: 'user',
        fields: [{ name: 'old', type: 'reference', content_type: 'old', on_delete: 'refuse' }],
      });
      const { body: old } = await addEntry('old', { title: 'x' });
      await addEntry('user', { old: old.data.id });
      const user = (await read()).types.find(({ slug }) => slug === 'user')!;
      const document = { ...EMPTY, types: [{ name: 'New', slug: 'new', fields: [TITLE] }, user] };
      const before = await read();
      const more = { prune: true, allow_lossy: true };
      await apply(document, (await plan(document, more)).hash, more).expect(409);
      expect(await read()).toEqual(before);
      expect((await storedEvents(app, tenant.id)).filter(({ type }) => type === 'content_type.created')).toHaveLength(
        2,
      );
    });

    it('deletes types that refuse each other in the right order', async () => {
      await push({
        ...EMPTY,
        types: [
          { name: 'A', slug: 'a', fields: [TITLE] },
          { name: 'B', slug: 'b', fields: [{ name: 'a', type: 'reference', content_type: 'a', on_delete: 'refuse' }] },
        ],
      });
      const { body } = await addEntry('a', { title: 'x' });
      await addEntry('b', { a: body.data.id });
      await push(EMPTY, { prune: true, allow_lossy: true });
      expect((await read()).types).toEqual([]);
    });

    it('refuses a reference to a type that it deletes', async () => {
      await addType({ name: 'Old', slug: 'old', fields: [TITLE] });
      const document = {
        ...EMPTY,
        types: [{ name: 'P', slug: 'p', fields: [{ name: 'x', type: 'reference', content_type: 'old' }] }],
      };
      const { body } = await tenant.http.post(path('/plan'), { document, prune: true }).expect(422);
      expect(body.errors[0].path).toBe('document.types.0.fields.0.content_type');
      await plan(document);
    });

    it('leaves secrets, headers, and webhooks that the service has made inactive alone', async () => {
      const webhook = {
        url: 'https://hooks.example.com/a',
        events: ['*'],
        secret: 'a secret',
        headers: { 'X-Key': 'k' },
      };
      const { body } = await tenant.http.post(`/v1/webhooks/${tenant.id}`, webhook).expect(201);
      const document = await read();
      document.webhooks[0]!['events'] = ['entry.created'];
      await push(document);
      const got = await tenant.http.get(`/v1/webhooks/${tenant.id}/${body.data.id}?view=full`).expect(200);
      expect(got.body.data).toMatchObject({ events: ['entry.created'], signed: true, headers: { 'X-Key': '***' } });
    });

    it('begins the change of a large type in the transaction, and says that it goes on', async () => {
      await addType({ name: 'Post', fields: [TITLE] });
      const operations = Array.from({ length: 1_000 }, (_, index) => ({
        op: 'create',
        content_type: 'post',
        fields: { title: String(index) },
      }));
      await tenant.http.post(`/v1/content/${tenant.id}/bulk`, { operations }).expect(200);
      await tenant.http.post(`/v1/content/${tenant.id}/bulk`, { operations }).expect(200);
      const document = {
        ...EMPTY,
        types: [
          { name: 'New', slug: 'new', fields: [TITLE] },
          { name: 'Post', slug: 'post', fields: [{ name: 'title', type: 'integer' }] },
        ],
      };
      const { changes } = await push(document);
      expect(changes).toEqual([expect.objectContaining({ content_type: 'post', state: 'running' })]);
      const { id } = changes[0] as { id: string };
      let state = 'running';
      while (state === 'running') {
        const { body } = await tenant.http.get(`/v1/content/${tenant.id}/changes/${id}`).expect(200);
        state = body.data.state;
      }
      expect(state).toBe('done');
      expect((await push(document)).steps).toEqual([]);
    });

    it('answers a repeated request with the same Idempotency-Key as before, and applies it once', async () => {
      const document = { ...EMPTY, types: [{ name: 'Post', slug: 'post', fields: [TITLE] }] };
      const { hash } = await plan(document);
      const send = () => apply(document, hash).set('Idempotency-Key', 'once').expect(200);
      const first = await send();
      expect((await send()).body).toEqual(first.body);
      expect(await storedEvents(app, tenant.id)).toHaveLength(1);
    });
  });
});
