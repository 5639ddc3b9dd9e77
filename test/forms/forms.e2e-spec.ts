import { startApp, type TestApp } from '../support/app.js';

const FIELDS = [
  { name: 'name', type: 'text', required: true, label: 'Your name', max: 80 },
  { name: 'reply-to', type: 'email' },
  { type: 'textarea', name: 'message' },
];

describe('forms', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  /** Creates a tenant with a key that has only these scopes. */
  async function withScopes(scopes: string[]) {
    const key = `scoped-key-${scopes.join()}`;
    const tenant = { id: 'ten_scoped', name: 'Scoped', api_keys: [{ name: 'only', key, scopes }] };
    const scoped = await startApp({ TENANTS: JSON.stringify([tenant]) }, { database: app.database });
    return { path: '/v1/forms/ten_scoped', http: scoped.client(`Bearer ${key}`), close: () => scoped.close() };
  }

  describe('create', () => {
    it('needs a key', async () => {
      const { id } = app.tenant();
      const response = await app.client().post(`/v1/forms/${id}`, { name: 'Contact', fields: FIELDS }).expect(401);
      expect(response.body.code).toBe('unauthorized');
      expect(response.headers['www-authenticate']).toBe('Bearer');
    });

    it('rejects another tenant’s key and one without forms:write', async () => {
      const body = { name: 'Contact', fields: FIELDS };
      await app.tenant().http.post(`/v1/forms/${app.tenant().id}`, body).expect(403);
      const scoped = await withScopes(['forms:read', 'content:write']);
      await scoped.http.post(scoped.path, body).expect(403);
      await scoped.http.get(scoped.path).expect(200);
      await scoped.close();
    });

    it('returns the form with notify_email, and without a count', async () => {
      const { id, http } = app.tenant();
      const body = { name: '  Contact us ', slug: 'hello', fields: FIELDS, notify_email: 'office@acme.example' };
      const response = await http.post(`/v1/forms/${id}`, body).expect(201);
      expect(response.body).toEqual({
        data: {
          id: expect.stringMatching(/^frm_[0-9a-z]{26}$/),
          name: 'Contact us',
          slug: 'hello',
          fields: FIELDS,
          notify_email: 'office@acme.example',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      });
      expect(Object.keys(response.body.data.fields[2])).toEqual(['type', 'name']);
    });

    it('omits notify_email if it was not given', async () => {
      const { id, http } = app.tenant();
      const response = await http.post(`/v1/forms/${id}`, { name: 'Contact', fields: FIELDS }).expect(201);
      expect(Object.keys(response.body.data)).toEqual(['id', 'name', 'slug', 'fields', 'created_at']);
    });

    it('derives slugs from names, and numbers those that are taken, also under concurrency', async () => {
      const { id, http } = app.tenant();
      const create = async (name: string) => {
        const response = await http.post(`/v1/forms/${id}`, { name, fields: FIELDS }).expect(201);
        return response.body.data.slug as string;
      };
      expect(await create('Über uns')).toBe('uber-uns');
      expect(await create('Uber Uns!')).toBe('uber-uns-2');
      expect(await create('联系')).toBe('form');
      expect(await create('???')).toBe('form-2');
      const slugs = await Promise.all(Array.from({ length: 5 }, () => create('Same')));
      expect(slugs.sort()).toEqual(['same', 'same-2', 'same-3', 'same-4', 'same-5']);
    });

    it('answers 409 for a given slug that is taken in the same tenant', async () => {
      const { id, http } = app.tenant();
      const body = { name: 'Contact', slug: 'contact', fields: FIELDS };
      await http.post(`/v1/forms/${id}`, body).expect(201);
      const response = await http.post(`/v1/forms/${id}`, body).expect(409);
      expect(response.body).toMatchObject({ code: 'conflict', errors: [{ path: 'slug', code: 'taken' }] });
      const other = app.tenant();
      await other.http.post(`/v1/forms/${other.id}`, body).expect(201);
      await http.post(`/v1/content/${id}/types`, { ...body, fields: [{ name: 'title', type: 'text' }] }).expect(201);
    });

    it('reports every wrong value at once', async () => {
      const { id, http } = app.tenant();
      const fields = [
        { name: 'form_id', type: 'text' },
        { name: '1st', type: 'text' },
        { name: 'a', type: 'rich_text' },
        { name: 'b', type: 'select' },
        { name: 'b', type: 'text' },
        { name: 'c', type: 'text', unique: true },
        { name: 'd', type: 'email', max: -1, hint: 'x' },
        { name: 'e', type: 'number', default: 'many' },
        'f',
      ];
      const body = { name: ' ', slug: 'No', fields, notify_email: 'nobody', extra: 1 };
      const response = await http.post(`/v1/forms/${id}`, body).expect(422);
      const faults = response.body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
      expect(faults.sort()).toEqual([
        'extra unknown_property',
        'fields.0.name reserved',
        'fields.1.name format',
        'fields.2.type unsupported',
        'fields.3.options required',
        'fields.4.name duplicate',
        'fields.5.unique not_applicable',
        'fields.6.hint unknown_property',
        'fields.6.max format',
        'fields.7.default format',
        'fields.8 type',
        'name length',
        'notify_email format',
        'slug format',
      ]);
    });

    it.each([
      ['name', { fields: FIELDS }, 'required'],
      ['name', { name: 7, fields: FIELDS }, 'type'],
      ['name', { name: 'n'.repeat(256), fields: FIELDS }, 'length'],
      ['fields', { name: 'Contact' }, 'required'],
      ['fields', { name: 'Contact', fields: null }, 'required'],
      ['fields', { name: 'Contact', fields: {} }, 'type'],
      ['fields', { name: 'Contact', fields: [] }, 'length'],
      ['slug', { name: 'Contact', fields: FIELDS, slug: null }, 'type'],
      ['slug', { name: 'Contact', fields: FIELDS, slug: 's'.repeat(101) }, 'length'],
      ['slug', { name: 'Contact', fields: FIELDS, slug: 'a--b' }, 'format'],
      ['notify_email', { name: 'Contact', fields: FIELDS, notify_email: null }, 'type'],
      ['notify_email', { name: 'Contact', fields: FIELDS, notify_email: '' }, 'format'],
      ['notify_email', { name: 'Contact', fields: FIELDS, notify_email: ['a@b.example'] }, 'type'],
      ['notify_email', { name: 'Contact', fields: FIELDS, notify_email: 'a@b.example\r\nBcc: c@d.example' }, 'format'],
      ['notify_email', { name: 'Contact', fields: FIELDS, notify_email: `a@${'b.'.repeat(126)}example` }, 'format'],
      ['name', { name: 'NUL \0', fields: FIELDS }, 'text'],
    ])('rejects a wrong %s (%#)', async (path, body, code) => {
      const { id, http } = app.tenant();
      const response = await http.post(`/v1/forms/${id}`, body).expect(422);
      expect(response.body.errors).toEqual([{ path, code, message: expect.any(String) }]);
    });

    it('accepts every type, names with a hyphen, and emails and names up to their limits', async () => {
      const { id, http } = app.tenant();
      const types = ['text', 'email', 'textarea', 'number', 'tel', 'url', 'date', 'checkbox', 'hidden'];
      const fields = [
        ...types.map((type) => ({ name: `a-${type}`, type })),
        { name: 's', type: 'select', options: ['x'] },
      ];
      const notify_email = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(53)}.example`;
      expect(notify_email).toHaveLength(254);
      const body = { name: '💬'.repeat(255), slug: 's'.repeat(100), fields, notify_email };
      const response = await http.post(`/v1/forms/${id}`, body).expect(201);
      expect(response.body.data).toMatchObject(body);
    });

    it('rejects a body that is not a JSON object', async () => {
      const { id, http } = app.tenant();
      const path = `/v1/forms/${id}`;
      await http.post(path).set('Content-Type', 'application/json').send('{"name":').expect(400);
      await http.post(path, []).expect(400);
      await http.post(path).type('form').send('name=Contact').expect(415);
      await http.post(path, { name: 'x'.repeat(1024 * 1024) }).expect(413);
    });
  });

  describe('list', () => {
    it('needs a key', async () => {
      await app.client().get(`/v1/forms/${app.tenant().id}`).expect(401);
    });

    it('rejects another tenant’s key and one that may only write', async () => {
      await app.tenant().http.get(`/v1/forms/${app.tenant().id}`).expect(403);
      const scoped = await withScopes(['forms:write']);
      await scoped.http.get(scoped.path).expect(403);
      await scoped.http.post(scoped.path, { name: 'Contact', fields: FIELDS }).expect(201);
      await scoped.close();
    });

    it('shows the newest first, each with its count and without notify_email', async () => {
      const { id, http } = app.tenant();
      const [first, second] = [await create('First'), await create('Second')];
      async function create(name: string) {
        const body = { name, fields: FIELDS, notify_email: 'office@acme.example' };
        const response = await http.post(`/v1/forms/${id}`, body).expect(201);
        return response.body.data as Record<string, unknown>;
      }
      const submission = { fields: { name: 'Ada' } };
      const visitor = app.client(undefined, { 'X-Forwarded-For': '198.51.100.1' });
      for (let i = 0; i < 3; i++) await visitor.post(`/v1/forms/${id}/first/submissions`, submission).expect(201);

      const response = await http.get(`/v1/forms/${id}`).expect(200);
      const shown = ({ notify_email: _, ...form }: Record<string, unknown>, submission_count: number) => {
        return { ...form, submission_count };
      };
      expect(response.body).toEqual({
        data: [shown(second ?? {}, 0), shown(first ?? {}, 3)],
        meta: { page: 1, per_page: 25, total: 2 },
      });
      expect(Object.keys(response.body.data[0])).toEqual([
        'id',
        'name',
        'slug',
        'fields',
        'submission_count',
        'created_at',
      ]);
    });

    it('has the same order by page and by cursor', async () => {
      const { id, http } = app.tenant();
      const path = `/v1/forms/${id}`;
      for (let i = 0; i < 5; i++) await http.post(path, { name: `Form ${i}`, fields: FIELDS }).expect(201);
      const names = async (query: string) => {
        const { body } = await http.get(`${path}?${query}`).expect(200);
        return { names: body.data.map(({ name }: { name: string }) => name) as string[], meta: body.meta };
      };
      expect(await names('per_page=2&page=2')).toEqual({
        names: ['Form 2', 'Form 1'],
        meta: { page: 2, per_page: 2, total: 5 },
      });
      expect(await names('per_page=2&page=9')).toEqual({ names: [], meta: { page: 9, per_page: 2, total: 5 } });
      const walked: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: Awaited<ReturnType<typeof names>> = await names(`per_page=2&cursor=${cursor}`);
        expect(Object.keys(page.meta)).toEqual(['per_page', 'next_cursor']);
        walked.push(...page.names);
        cursor = page.meta.next_cursor;
      }
      expect(walked).toEqual(['Form 4', 'Form 3', 'Form 2', 'Form 1', 'Form 0']);
    });

    it.each([
      ['page=0', 'invalid_parameter'],
      ['per_page=101', 'invalid_parameter'],
      ['per_page=2.5', 'invalid_parameter'],
      ['page=1&page=2', 'invalid_parameter'],
      ['cursor=nonsense', 'invalid_parameter'],
      ['sort=name', 'unknown_parameter'],
    ])('rejects %s', async (query, code) => {
      const { id, http } = app.tenant();
      const response = await http.get(`/v1/forms/${id}?${query}`).expect(400);
      expect(response.body.code).toBe(code);
    });

    it('answers 405 with Allow to other methods, and 404 for a single form, which has no endpoint', async () => {
      const { id, http } = app.tenant();
      const response = await http.delete(`/v1/forms/${id}`).expect(405);
      expect(response.headers['allow']).toBe('GET, HEAD, POST');
      await http.get(`/v1/forms/${id}/contact`).expect(404);
    });
  });
});
