import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { compileErrors } from '../support/compile.js';

describe('the TypeScript of a tenant', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => {
    tenant = app.tenant();
  });
  afterAll(() => app.close());

  const path = (id = tenant.id) => `/v1/contract/${id}/types.ts`;
  const read = async () => (await tenant.http.get(path()).expect(200)).text;
  const createType = (name: string, fields: object[]) =>
    tenant.http.post(`/v1/content/${tenant.id}/types`, { name, fields }).expect(201);
  const createForm = (name: string, fields: object[]) =>
    tenant.http.post(`/v1/forms/${tenant.id}`, { name, fields }).expect(201);

  it('needs a key that reads more than published entries', async () => {
    await app.client().get(path()).expect(401);
    await app.client(`Bearer ${tenant.publishedKey}`).get(path()).expect(403);
    await tenant.http.get(path(app.tenant().id)).expect(403);
    await tenant.http.get(path()).expect(200);
  });

  it('is text that no browser takes for a script, and an empty schema compiles', async () => {
    const { headers, text } = await tenant.http.get(path()).expect(200);
    expect(headers).toMatchObject({
      'content-type': 'text/typescript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    });
    expect(compileErrors({ 'schema.ts': text })).toEqual([]);
  });

  it('has content types and forms in the order of their slugs, whenever they were made', async () => {
    await createType('Zebra', [{ name: 'title', type: 'text' }]);
    await createForm('Survey', [{ name: 'email', type: 'email', required: true }]);
    await createType('Author', [{ name: 'name', type: 'text', required: true, label: 'Full name' }]);
    await createForm('Contact', [{ name: 'message', type: 'textarea' }]);
    const text = await read();
    const names = [...text.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name);
    expect(names.slice(2)).toEqual([
      ...['Author', 'AuthorValues', 'Zebra', 'ZebraValues', 'ContactSubmission', 'SurveySubmission', 'Schema'],
    ]);
    expect(text).toContain('  /** Full name */\n  name: string;\n');
    expect(compileErrors({ 'schema.ts': text })).toEqual([]);
  });

  it('has an ETag that changes with types and forms only', async () => {
    await createType('Post', [{ name: 'title', type: 'text' }]);
    const etag = async () => (await tenant.http.get(path()).expect(200)).headers['etag'] ?? '';
    const first = await etag();
    const entry = { fields: { title: 'Engines' }, status: 'published' };
    await tenant.http.post(`/v1/content/${tenant.id}/types/post/entries`, entry).expect(201);
    expect(await etag()).toBe(first);
    await tenant.http.get(path()).set('If-None-Match', first).expect(304);
    await createForm('Contact', [{ name: 'email', type: 'email' }]);
    expect(await etag()).not.toBe(first);
  });

  it('shows a key that is limited to content types these alone', async () => {
    await createType('Author', [{ name: 'name', type: 'text' }]);
    await createType('Post', [{ name: 'author', type: 'reference', content_type: 'author' }]);
    const key = { name: 'narrow', scopes: ['content:read@post'] };
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, key).expect(201);
    const { text } = await app.client(`Bearer ${body.data.key}`).get(path()).expect(200);
    expect(text).toContain('export interface Post {\n  author?: string;\n}');
    expect(text).not.toContain('Author');
    expect(compileErrors({ 'schema.ts': text })).toEqual([]);
  });

  it('says nothing of locales before the tenant sets them', async () => {
    await createType('Post', [{ name: 'title', type: 'text' }]);
    expect(await read()).not.toMatch(/locale/i);
  });

  it('has the locales and the localized fields of the tenant, and another ETag when they change', async () => {
    const put = (locales: object[]) =>
      tenant.http.put(`/v1/locales/${tenant.id}`, { default: 'en', locales }).expect(200);
    const etag = async () => (await tenant.http.get(path()).expect(200)).headers['etag'] ?? '';
    await createType('Post', [{ name: 'title', type: 'text' }]);
    const before = await etag();
    await put([{ code: 'fr', fallback: null }, { code: 'en' }, { code: 'de' }]);
    const first = await etag();
    expect(first).not.toBe(before);
    const text = await read();
    expect(text).toContain("    codes: 'de' | 'en' | 'fr';\n    default: 'en';\n");
    expect(text).toContain("    completed: 'de' | 'en';\n");
    expect(text).not.toContain('localized');
    await put([{ code: 'en' }, { code: 'de', name: 'Deutsch' }, { code: 'fr', fallback: null }]);
    expect(await etag()).toBe(first);
    await put([{ code: 'en' }, { code: 'de' }, { code: 'fr' }]);
    expect(await etag()).not.toBe(first);
    const fields = [
      { name: 'title', type: 'text', localized: true },
      { name: 'price', type: 'number' },
      { name: 'body', type: 'rich_text', localized: true },
    ];
    await tenant.http.put(`/v1/content/${tenant.id}/types/post`, { fields }).expect(200);
    expect(await read()).toContain("      localized: 'title' | 'body';\n");
  });
});
