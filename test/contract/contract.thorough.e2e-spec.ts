import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Validator } from '@seriousme/openapi-schema-validator';
import { operationsOf } from '../../src/openapi/operations.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { ALL_FIELDS, createHostileTypes, FORM_FIELDS, SLUGS } from './hostile-types.js';

describe('the contract of a tenant', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => {
    tenant = app.tenant();
  });
  afterAll(() => app.close());

  const path = (id = tenant.id) => `/v1/contract/${id}/openapi.json`;
  const types = () => `/v1/content/${tenant.id}/types`;
  const createType = (slug: string, fields: object[], more: object = {}) =>
    tenant.http.post(types(), { name: slug, slug, fields, ...more }).expect(201);
  const read = async (http = tenant.http): Promise<OpenAPIObject> =>
    (await http.get(path()).expect(200)).body as OpenAPIObject;
  const keyWith = async (scopes: string[]) => {
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'Build', scopes }).expect(201);
    return app.client(`Bearer ${body.data.key}`);
  };
  const etag = async () => (await tenant.http.get(path()).expect(200)).headers['etag'] ?? '';

  it('needs a key that reads more than published entries', async () => {
    await app.client().get(path()).expect(401);
    await app.client(`Bearer ${tenant.publishedKey}`).get(path()).expect(403);
    await tenant.http.get(path(app.tenant().id)).expect(403);
    await tenant.http.get(path()).expect(200);
  });

  it('has everything that the document of the service has, and its server', async () => {
    const own = await read();
    expect(own.servers?.map(({ url }) => url)).toEqual([app.url]);
    const { body: service } = await tenant.http.get('/openapi.json').expect(200);
    expect(own).toEqual(service);
  });

  it('has the paths of each content type, with its values, filters, sorts and paths to include', async () => {
    await createType('author', [
      { name: 'name', type: 'text' },
      { name: 'photo', type: 'media' },
    ]);
    await createType('post', [
      { name: 'title', type: 'text', required: true, max: 80 },
      { name: 'price', type: 'number' },
      { name: 'author', type: 'reference', content_type: 'author' },
    ]);
    const { paths, components } = await read();
    const { get, post } = paths[`${types()}/post/entries`] ?? {};
    expect([get?.operationId, post?.operationId]).toEqual(['listPostEntries', 'createPostEntry']);
    const schemaOf = (name: string) =>
      (get?.parameters as { name: string; schema: object }[]).find((one) => one.name === name)?.schema;
    expect(schemaOf('sort')).toMatchObject({
      items: { enum: expect.arrayContaining(['title', '-price', '-created_at']) },
    });
    expect(schemaOf('include')).toMatchObject({ items: { enum: ['author', 'author.photo'] } });
    expect(schemaOf('filter')).toMatchObject({ properties: { price: { type: 'number' } } });
    expect(components?.schemas).toMatchObject({
      PostFields: { properties: { title: { type: 'string' }, price: { type: 'number' } } },
      PostNewFields: {
        required: ['title'],
        properties: { title: { type: 'string', maxLength: 80 }, price: { type: ['number', 'null'] } },
      },
      PostChangedFields: {
        additionalProperties: false,
        properties: { title: { type: 'string' }, price: { type: ['number', 'null'] } },
      },
      PostConditions: {
        properties: { price: { $ref: '#/components/schemas/NumberCondition' } },
        patternProperties: { '^(?:author)\\.': {} },
      },
    });
    expect(components?.schemas?.['PostChangedFields']).not.toHaveProperty('required');
  });

  it('describes the real entries, and bodies that are accepted', async () => {
    await createType('a1', [{ name: 'name', type: 'text' }]);
    await createType('post', [{ name: 'name', type: 'text' }]);
    await createType('whole', ALL_FIELDS);
    const document = await read();
    const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true }).addSchema(
      document,
      'document',
    );
    const isValid = (component: string, value: unknown) =>
      ajv.validate({ $ref: `document#/components/schemas/${component}` }, value) || ajv.errorsText();
    const fields = {
      title: 'A',
      cover: { url: '/a', alt: '' },
      day: '2026-01-31',
      seo: { title: 'B' },
      inner: { inner: [{ block: 'line' }] },
    };
    expect(isValid('WholeCreateEntry', { fields, status: 'published' })).toBe(true);
    const entries = `${types()}/whole/entries`;
    const { body: created } = await tenant.http.post(entries, { fields, status: 'published' }).expect(201);
    expect(isValid('WholeCreatedEntry', created.data)).toBe(true);
    for (const query of ['', '?view=full', '?select=title', '?cursor=', '?include=parent']) {
      const { body } = await tenant.http.get(entries + query).expect(200);
      expect([query, isValid('WholeEntryPage', body)]).toEqual([query, true]);
    }
    const where = { title: { contains: 'A' }, or: [{ stock: { gte: 1 } }, { 'parent.name': 'x' }], kind: null };
    expect(isValid('WholeConditions', where)).toBe(true);
    await tenant.http.get(`${entries}?where=${encodeURIComponent(JSON.stringify(where))}`).expect(200);
    for (const wrong of [{ stock: { contains: 'x' } }, { stock: '1' }, { none: 1 }]) {
      expect(isValid('WholeConditions', wrong)).not.toBe(true);
      await tenant.http.get(`${entries}?where=${encodeURIComponent(JSON.stringify(wrong))}`).expect(400);
    }
  });

  it('has the paths of forms, with what visitors send', async () => {
    await tenant.http
      .post(`/v1/forms/${tenant.id}`, { name: 'Contact', slug: 'contact', fields: FORM_FIELDS })
      .expect(201);
    const document = await read();
    expect(document.paths[`/v1/forms/${tenant.id}/contact/submissions`]?.post?.operationId).toBe('submitContactForm');
    const validate = new Ajv2020({ strict: false, validateFormats: false })
      .addSchema(document, 'document')
      .compile({ $ref: 'document#/components/schemas/ContactSubmission' });
    const good = { name: 'Ada', email: 'ada@example.com', site: '', topic: ['Press'], agree: 'true' };
    for (const [fields, isValid] of [
      [good, true],
      [{ ...good, email: 'nobody' }, false],
      [{ ...good, more: 'x' }, false],
      [{ ...good, topic: 'None' }, false],
      [{ name: 'Ada', email: 'ada@example.com' }, false],
    ] as const) {
      expect([fields, validate(fields)]).toEqual([fields, isValid]);
      await app
        .client()
        .post(`/v1/forms/${tenant.id}/contact/submissions`, { fields })
        .expect(isValid ? 201 : 422);
    }
  });

  it('shows a key that is limited to content types these alone', async () => {
    await createType('post', [{ name: 'title', type: 'text' }]);
    await createType('secret', [{ name: 'title', type: 'text' }]);
    await tenant.http
      .post(`/v1/forms/${tenant.id}`, { name: 'Contact', slug: 'contact', fields: FORM_FIELDS })
      .expect(201);
    const ownPaths = ({ paths }: OpenAPIObject) => Object.keys(paths).filter((one) => one.includes(tenant.id));
    const limited = ownPaths(await read(await keyWith(['content:read@post'])));
    expect(limited).toContain(`${types()}/post/entries`);
    expect(limited.join()).not.toMatch(/secret|contact/);
    expect(ownPaths(await read(await keyWith(['content:read@post', 'forms:read']))).join()).toMatch(/contact/);
    await (await keyWith(['content:read:published@post'])).get(path()).expect(403);
    await (await keyWith(['forms:read'])).get(path()).expect(403);
  });

  it('has an ETag that changes with types and forms, and with nothing else', async () => {
    const empty = await etag();
    await createType('post', [{ name: 'title', type: 'text' }]);
    const first = await etag();
    expect(first).not.toBe(empty);
    await tenant.http
      .post(`${types()}/post/entries`, { fields: { title: 'Engines' }, status: 'published' })
      .expect(201);
    await tenant.http.put(`${types()}/post`, { language: 'en' }).expect(200);
    expect(await etag()).toBe(first);
    await app.client(`Bearer ${tenant.key}`, { 'If-None-Match': first }).get(path()).expect(304);
    const { body } = await tenant.http
      .post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields: FORM_FIELDS })
      .expect(201);
    const second = await etag();
    expect(second).not.toBe(first);
    await tenant.http.patch(`/v1/forms/${tenant.id}/${body.data.id}`, { settings: { closed: true } }).expect(200);
    expect(await etag()).toBe(second);
    await tenant.http.put(`${types()}/post`, { fields: [{ name: 'title', type: 'text', max: 50 }] }).expect(200);
    expect(await etag()).not.toBe(second);
  });

  it('notices a change that another process made', async () => {
    const before = await etag();
    const key = 'tvt_key_of_another_process_0000000000000';
    const TENANTS = JSON.stringify([{ id: tenant.id, name: 'Same', api_keys: [{ name: 'other', key }] }]);
    const other = await startApp({ TENANTS }, { database: app.database });
    const type = { name: 'Elsewhere', fields: [{ name: 'title', type: 'text' }] };
    const { status } = await other.client(`Bearer ${key}`).post(types(), type);
    await other.close();
    expect(status).toBe(201);
    expect(await etag()).not.toBe(before);
  });

  it('is valid, with an operation ID for each operation, whatever the slugs are', async () => {
    await createHostileTypes(tenant);
    const document = await read();
    expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toMatchObject({ valid: true });
    const ids = operationsOf(document).map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const slug of SLUGS) expect(document.paths).toHaveProperty([`${types()}/${slug}/entries`]);
    const { body: service } = await tenant.http.get('/openapi.json').expect(200);
    expect(document.components?.schemas).toMatchObject((service as OpenAPIObject).components?.schemas ?? {});
  });

  it('is refused if there are more definitions than it may have', async () => {
    const options = Array.from({ length: 500 }, (_, index) => `${index}`.padStart(240, 'x'));
    const fields = Array.from({ length: 7 }, (_, index) => ({ name: `field${index}`, type: 'select', options }));
    for (let number = 0; number < 6; number++) await createType(`large-${number}`, fields);
    const { body } = await tenant.http.get(path()).expect(403);
    expect(body.code).toBe('limit_reached');
    await (await keyWith(['content:read@large-1'])).get(path()).expect(200);
  }, 60_000);
});
