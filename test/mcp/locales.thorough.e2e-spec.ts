import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { Assistant } from '../support/assistant.js';
import { createType, type TestType } from '../support/content.js';
import { makeKey } from '../support/make-key.js';

const LOCALES = {
  default: 'en',
  locales: [
    { code: 'en', name: 'English', fallback: null },
    { code: 'de', name: 'Deutsch' },
    { code: 'fr', name: 'Français' },
  ],
};
const FIELDS = [
  { name: 'title', type: 'text', required: true, localized: true, max: 20_000 },
  { name: 'body', type: 'rich_text', localized: true },
  { name: 'price', type: 'number' },
];

describe('an assistant of a tenant with several locales', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  /** A published entry in English and German, one in English alone, and an assistant with these scopes. */
  async function scene(scopes: string[] = ['*']) {
    const tenant = app.tenant();
    await tenant.http.put(`/v1/locales/${tenant.id}`, LOCALES).expect(200);
    const type = await createType(tenant, FIELDS, 'Post');
    const [both, english] = [
      await created(tenant, type, { title: { en: 'Tide', de: 'Ebbe' }, price: 1 }),
      await created(tenant, type, { title: { en: 'Wave' }, price: 2 }),
    ];
    const assistant = await Assistant.connect(app, tenant.id, await makeKey(tenant, scopes));
    const called = async (name: string, args: object) => (await assistant.call(name, { ...args })).body;
    const api = async (path: string) => (await tenant.http.get(`${type.entries}${path}`).expect(200)).body as object;
    return { tenant, type, both, english, assistant, called, api };
  }

  async function created(tenant: TestTenant, type: TestType, fields: object): Promise<string> {
    const { body } = await tenant.http.post(`${type.entries}?locale=*`, { fields, status: 'published' }).expect(201);
    return body.data.id;
  }

  it.each<Record<string, string>>([
    { locale: 'de' },
    { locale: 'de', fallback: 'none' },
    { locale: '*' },
    { locale: 'de', search: 'ebbe' },
    { locale: 'de', sort: '-title' },
    { translated: 'de' },
    { missing: 'de' },
    { missing: 'de,fr', locale: 'fr' },
    { behind: 'de' },
  ])('finds what the API finds with %j', async (parameters) => {
    const { tenant, type, both, called, api } = await scene();
    await tenant.http.patch(`${type.entries}/${both}`, { fields: { title: 'Tides' } }).expect(200);
    const found = await called('search_entries', { content_type: 'post', ...parameters });
    expect(found.data).toBeDefined();
    expect(found).toEqual(await api(`?${new URLSearchParams(parameters).toString()}`));
  });

  it('finds entries by the values of a locale', async () => {
    const { both, called } = await scene();
    const where = { title: { contains: 'bbe' } };
    const ids = async (args: object) =>
      (await called('search_entries', { content_type: 'post', where, ...args })).data.map(
        ({ id }: { id: string }) => id,
      );
    expect([await ids({ locale: 'de' }), await ids({})]).toEqual([[both], []]);
  });

  it.each<Record<string, string>>([
    { locale: 'de' },
    { locale: 'fr', fallback: 'none' },
    { locale: '*' },
    { translated: 'de' },
  ])('gets an entry as the API shows it with %j', async (parameters) => {
    const { both, english, called, api } = await scene();
    const query = new URLSearchParams(parameters).toString();
    expect(await called('get_entry', { entry_id: both, ...parameters })).toEqual(await api(`/${both}?${query}`));
    const { status } = await called('get_entry', { entry_id: english, ...parameters });
    expect(status).toBe('translated' in parameters ? 404 : undefined);
  });

  it('is told which locales there are when it names another one', async () => {
    const { both, assistant } = await scene();
    for (const [name, args] of [
      ['search_entries', { content_type: 'post', locale: 'DE' }],
      ['get_entry', { entry_id: both, locale: 'it' }],
      ['create_entry', { content_type: 'post', locale: 'it', fields: { title: 'x' } }],
      ['update_entry', { entry_id: both, locale: 'it', fields: { title: 'x' } }],
      ['search_entries', { content_type: 'post', missing: 'it' }],
    ] as const) {
      const { isError, body } = await assistant.call(name, args);
      expect([name, isError, body.code]).toEqual([name, true, 'invalid_parameter']);
      expect(body.detail).toContain('en, de, fr');
    }
    const { body } = await assistant.call('validate_entry', { content_type: 'post', locale: 'it', fields: {} });
    expect(body.data).toMatchObject({ valid: false, errors: [{ path: 'locale', code: 'options' }] });
  });

  it('drafts in one locale, and leaves the others and what is live as they are', async () => {
    const { both, called, api } = await scene(['content:draft', 'content:read']);
    const args = { entry_id: both, locale: 'de', fields: { title: 'Flut' } };
    const draft = await called('update_entry', args);
    expect(draft.data).toMatchObject({ id: both, changed: ['title'], locale: 'de', fields: { title: 'Flut' } });
    expect(await api(`/${both}?locale=*`)).toMatchObject({ data: { fields: { title: { en: 'Tide', de: 'Ebbe' } } } });
    expect(await called('get_entry', { entry_id: both, locale: '*', preview: true })).toMatchObject({
      data: { fields: { title: { en: 'Tide', de: 'Flut' } } },
    });
  });

  it('makes a new entry in all locales, and adds another language to it', async () => {
    const { called, api } = await scene();
    const fields = { title: { en: 'New', de: 'Neu' } };
    const { data } = await called('create_entry', { content_type: 'post', locale: '*', fields });
    expect(data).toMatchObject({ status: 'draft', fields });
    await called('update_entry', { entry_id: data.id, locale: 'fr', fields: { title: 'Nouveau' } });
    expect(await api(`/${data.id}?locale=*`)).toMatchObject({
      data: { status: 'draft', fields: { title: { en: 'New', de: 'Neu', fr: 'Nouveau' } } },
    });
  });

  it('checks the values of a locale', async () => {
    const { both, called } = await scene(['content:draft', 'content:read']);
    const check = async (args: object) => (await called('validate_entry', { content_type: 'post', ...args })).data;
    expect(await check({ entry_id: both, locale: 'de', fields: { title: 'Flut' } })).toEqual({ valid: true });
    expect(await check({ entry_id: both, locale: 'de', fields: { title: 5 } })).toMatchObject({
      valid: false,
      errors: [{ path: 'fields.title', code: 'type' }],
    });
    expect(await check({ locale: '*', fields: { title: { en: 'New', de: 5 } } })).toMatchObject({
      valid: false,
      errors: [{ path: 'fields.title.de', code: 'type' }],
    });
    expect(await check({ locale: 'de', fields: { title: 'Neu' } })).toMatchObject({
      valid: false,
      errors: [{ code: 'required' }],
    });
  });

  it('with a key for a locale, changes nothing of another one', async () => {
    const { tenant, both } = await scene();
    const body = { name: 'translator', scopes: ['content:draft', 'content:read'], locales: ['de'] };
    const made = await tenant.http.post(`/v1/keys/${tenant.id}`, body).expect(201);
    const assistant = await Assistant.connect(app, tenant.id, made.body.data.key);
    const change = async (args: object) => (await assistant.call('update_entry', { entry_id: both, ...args })).body;
    expect((await change({ locale: 'de', fields: { title: 'Flut' } })).data.fields.title).toBe('Flut');
    for (const args of [
      { fields: { title: 'Flood' } },
      { locale: 'fr', fields: { title: 'Flux' } },
      { locale: 'de', fields: { price: 3 } },
    ]) {
      expect((await change(args)).code).toBe('forbidden');
    }
  });

  it('reads on in a long text of a locale', async () => {
    const { tenant, type, called } = await scene();
    const [en, de] = ['english '.repeat(20_000), 'deutsch '.repeat(20_000)];
    const id = await created(tenant, type, { title: { en: 'Long' }, body: { en, de } });
    for (const [locale, name] of [
      ['de', 'body'],
      ['*', 'body.de'],
    ]) {
      const { data, cut, note } = await called('get_entry', { entry_id: id, locale });
      expect(note).toContain('`locale`');
      const place = cut.find(({ field }: { field: string }) => field === name);
      const shown: string = locale === '*' ? data.fields.body.de : data.fields.body;
      const { piece } = await called('get_entry', { entry_id: id, locale, field: name, offset: place.offset });
      expect([place.length, de.startsWith(shown + piece.text)]).toEqual([de.length, true]);
    }
  });
});

describe('an assistant of a service with MCP_WRITES=live, and several locales', () => {
  it('publishes one language of a draft', async () => {
    const app = await startApp({ MCP_WRITES: 'live' });
    try {
      const tenant = app.tenant();
      await tenant.http.put(`/v1/locales/${tenant.id}`, LOCALES).expect(200);
      const type = await createType(tenant, FIELDS, 'Post');
      const body = { fields: { title: 'Tide' }, status: 'published' };
      const { body: entry } = await tenant.http.post(type.entries, body).expect(201);
      const { id } = entry.data;
      const assistant = await Assistant.connect(app, tenant.id, tenant.key);
      await assistant.call('update_entry', { entry_id: id, locale: '*', fields: { title: { en: 'Ebb', de: 'Ebbe' } } });
      expect((await assistant.call('publish_entry', { entry_id: id, locale: 'de' })).isError).toBe(false);
      const { body: live } = await tenant.http.get(`${type.entries}/${id}?locale=*`).expect(200);
      expect(live.data.fields.title).toEqual({ en: 'Tide', de: 'Ebbe' });
      await assistant.call('publish_entry', { entry_id: id });
      const again = await assistant.call('publish_entry', { entry_id: id, locale: 'de' });
      expect([again.isError, again.body.code]).toEqual([true, 'not_found']);
    } finally {
      await app.close();
    }
  });
});
