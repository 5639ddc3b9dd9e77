import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createType, type TestType } from '../support/content.js';

const TITLE = {
  group: 'Content',
  placeholder: 'A title',
  name: 'title',
  type: 'text',
  help: 'What to call it.',
  label: 'T',
};
const SLUG = { name: 'slug', type: 'text' };
const URL = 'https://site.example/{slug}?preview={token}';

describe('a content type that describes its form', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, [TITLE, SLUG]);
  });

  const put = (body: object, status = 200) => tenant.http.put(type.path, body).expect(status);
  const read = async () => (await tenant.http.get(type.path).expect(200)).body.data;

  it('answers the descriptions of its fields as they were sent', async () => {
    expect(JSON.stringify((await read()).fields)).toBe(JSON.stringify([TITLE, SLUG]));
    const { body } = await tenant.http.get(`/v1/content/${tenant.id}/types`).expect(200);
    expect(body.data[0].fields).toEqual([TITLE, SLUG]);
  });

  it('is changed in its descriptions by steps that only describe', async () => {
    const fields = [
      { ...TITLE, group: 'Other', placeholder: '' },
      { ...SLUG, placeholder: 'my-page' },
    ];
    const { body } = await tenant.http.put(`${type.path}?dry_run=true`, { fields }).expect(200);
    expect(body.data.steps).toMatchObject([
      { op: 'describe', field: 'title', class: 'safe' },
      { op: 'describe', field: 'slug', class: 'safe' },
    ]);
    await put({ fields });
    expect((await read()).fields).toEqual(fields);
  });

  it('has a preview_url if it was sent, until it is removed', async () => {
    expect(await read()).not.toHaveProperty('preview_url');
    expect((await put({ preview_url: URL })).body.data.preview_url).toBe(URL);
    await put({ name: 'Other' });
    expect((await read()).preview_url).toBe(URL);
    await put({ preview_url: null });
    expect(await read()).not.toHaveProperty('preview_url');
    const made = { name: 'Page', fields: [SLUG], preview_url: URL };
    const { body } = await tenant.http.post(`/v1/content/${tenant.id}/types`, made).expect(201);
    expect(body.data.preview_url).toBe(URL);
  });

  it('names only its fields in preview_url, also after they change', async () => {
    const errorsOf = ({ body }: { body: { errors: { path: string }[] } }) => body.errors.map(({ path }) => path);
    const types = `/v1/content/${tenant.id}/types`;
    for (const url of ['https://site.example/{nope}', 'javascript:alert(1)', 'https://{slug}.example', 5, {}]) {
      expect(errorsOf(await put({ preview_url: url }, 422))).toEqual(['preview_url']);
      const made = { name: 'Page', fields: [SLUG], preview_url: url };
      expect(errorsOf(await tenant.http.post(types, made).expect(422))).toEqual(['preview_url']);
    }
    await tenant.http.post(types, { name: 'Page', fields: [null, 5], preview_url: URL }).expect(422);
    await tenant.http.post(types, { name: 'Page', fields: 'x', preview_url: URL }).expect(422);
    await put({ preview_url: URL });
    const { body } = await put({ fields: [TITLE] }, 422);
    expect(body.errors).toEqual([
      {
        path: 'preview_url',
        code: 'format',
        message: 'preview_url names {slug}, which is neither {token} nor a field whose value is one text or number.',
      },
    ]);
    await tenant.http.put(`${type.path}?dry_run=true`, { fields: [TITLE] }).expect(422);
    const renamed = { name: 'path', type: 'text', renamed_from: 'slug' };
    await put({ fields: [TITLE, renamed], preview_url: 'https://site.example/{path}' });
  });
});
