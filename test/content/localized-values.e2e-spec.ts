import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createType, type TestType } from '../support/content.js';

const LOCALES = {
  default: 'en',
  locales: [{ code: 'en' }, { code: 'de' }, { code: 'de-CH', fallback: 'de' }, { code: 'fr', fallback: null }],
};

const FIELDS = [
  { name: 'title', type: 'text', localized: true, required: true },
  { name: 'body', type: 'rich_text', localized: true },
  { name: 'tags', type: 'text', localized: true, multiple: true },
  { name: 'price', type: 'number' },
];

describe('localized values', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(async () => {
    tenant = app.tenant();
    await tenant.http.put(`/v1/locales/${tenant.id}`, LOCALES).expect(200);
    type = await createType(tenant, FIELDS);
  });
  afterAll(() => app.close());

  const create = async (fields: object, locale?: string, status = 'draft') => {
    const query = locale === undefined ? '' : `?locale=${encodeURIComponent(locale)}`;
    const { body } = await tenant.http.post(`${type.entries}${query}`, { fields, status }).expect(201);
    return body.data as { id: string; fields: object; locale?: string; fallbacks?: object };
  };
  const patch = (id: string, fields: object, locale = 'de') =>
    tenant.http.patch(`${type.entries}/${id}?locale=${encodeURIComponent(locale)}`, { fields });
  const read = async (id: string, query = '') =>
    (await tenant.http.get(`${type.entries}/${id}?${query}`).expect(200)).body.data;

  it('are those of the default locale without the parameter, exactly as before', async () => {
    const created = await create({ title: 'Tides', price: 5 });
    expect(created).toMatchObject({ fields: { title: 'Tides', price: 5 } });
    await patch(created.id, { title: 'Gezeiten', tags: ['Meer'] }).expect(200);
    expect(await read(created.id)).toEqual({
      id: created.id,
      content_type_id: type.id,
      fields: { title: 'Tides', price: 5 },
      status: 'draft',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const { body } = await tenant.http.get(type.entries).expect(200);
    expect(body.data).toMatchObject([{ fields: { title: 'Tides', price: 5 } }]);
    expect(JSON.stringify(body)).not.toContain('@');
  });

  it('are shown in a locale with fallbacks, which the entry names', async () => {
    const { id } = await create({ title: 'Tides', body: '<p>High</p>', price: 5 });
    const { body } = await patch(id, { title: 'Gezeiten' }).expect(200);
    expect(body.data).toMatchObject({
      fields: { title: 'Gezeiten', body: '<p>High</p>', price: 5 },
      locale: 'de',
      fallbacks: { body: 'en' },
    });
    expect(await read(id, 'locale=de')).toMatchObject({ locale: 'de', fallbacks: { body: 'en' } });
    expect(await read(id, 'locale=de-CH')).toMatchObject({
      fields: { title: 'Gezeiten', body: '<p>High</p>', price: 5 },
      locale: 'de-CH',
      fallbacks: { title: 'de', body: 'en' },
    });
    const french = await read(id, 'locale=fr');
    expect([french.fields, french.fallbacks]).toEqual([{ price: 5 }, undefined]);
    const own = await read(id, 'locale=de&fallback=none');
    expect([own.fields, own.fallbacks]).toEqual([{ title: 'Gezeiten', price: 5 }, undefined]);
    const english = await read(id, 'locale=en');
    expect([english.fields, english.locale, english.fallbacks]).toEqual([
      { title: 'Tides', body: '<p>High</p>', price: 5 },
      'en',
      undefined,
    ]);
  });

  it('are objects from codes to values with all locales', async () => {
    const created = await create({ title: { en: 'Tides', de: 'Gezeiten' }, tags: { fr: ['mer'] }, price: 5 }, '*');
    expect(created).toMatchObject({
      fields: { title: { en: 'Tides', de: 'Gezeiten' }, tags: { fr: ['mer'] }, price: 5 },
      locale: '*',
    });
    await patch(created.id, { title: { de: null, fr: 'Marées' }, tags: null }, '*').expect(200);
    expect((await read(created.id, 'locale=*')).fields).toEqual({ title: { en: 'Tides', fr: 'Marées' }, price: 5 });
  });

  it('stop the chain with an empty text or list, but not with null', async () => {
    const { id } = await create({ title: 'Tides', tags: ['sea'] });
    await patch(id, { title: '', tags: [] }).expect(200);
    expect((await read(id, 'locale=de')).fields).toEqual({ title: '', tags: [] });
    await patch(id, { title: null, tags: null }).expect(200);
    expect((await read(id, 'locale=de')).fields).toEqual({ title: 'Tides', tags: ['sea'] });
  });

  it('are shown by the list in a locale, with select', async () => {
    const { id } = await create({ title: 'Tides', body: '<p>High</p>' });
    await patch(id, { title: 'Gezeiten' }).expect(200);
    const { body } = await tenant.http.get(`${type.entries}?locale=de&select=title`).expect(200);
    expect(body.data).toMatchObject([{ id, fields: { title: 'Gezeiten' }, locale: 'de' }]);
    expect(body.data[0].fields).toEqual({ title: 'Gezeiten' });
  });

  it.each([
    ['locale=DE', 'de'],
    ['locale=it', 'de-CH'],
    ['locale=de,en', 'locales are'],
    ['fallback=none', 'needs locale'],
    ['locale=de&fallback=en', 'none'],
  ])('are not read with %s', async (query, detail) => {
    const { id } = await create({ title: 'Tides' });
    for (const path of [`${type.entries}/${id}`, type.entries]) {
      const { body } = await tenant.http.get(`${path}?${query}`).expect(400);
      expect(body).toMatchObject({ code: 'invalid_parameter', detail: expect.stringContaining(detail) });
    }
  });

  it.each([
    [{ title: 5 }, 'de', 'fields.title', 'type'],
    [{ title: { en: 'a', de: 5 } }, '*', 'fields.title.de', 'type'],
    [{ title: { en: 'a', it: 'b' } }, '*', 'fields.title.it', 'unknown_property'],
    [{ title: 'a' }, '*', 'fields.title', 'type'],
    [{ 'title@de': 'a' }, 'de', 'fields.title@de', 'unknown_property'],
    [{ nope: 'a' }, 'de', 'fields.nope', 'unknown_property'],
  ])('are refused as %j in %s', async (fields, locale, path, code) => {
    const { id } = await create({ title: 'Tides' });
    const { body } = await patch(id, fields, locale).expect(422);
    expect(body.errors).toMatchObject([{ path, code }]);
    expect(JSON.stringify(body.errors[0].message)).not.toContain(path.includes('@') ? 'title@fr' : '@');
  });

  it('need the default locale for what is required, and another for `required_in` once it is published', async () => {
    const query = '?locale=de';
    const { body } = await tenant.http.post(`${type.entries}${query}`, { fields: { title: 'Gezeiten' } }).expect(422);
    expect(body.errors).toMatchObject([
      { path: 'fields.title', code: 'required', message: 'In en: title is required.' },
    ]);
    const fields = FIELDS.map((field) => (field.name === 'body' ? { ...field, required_in: ['de'] } : field));
    await tenant.http.put(type.path, { fields }).expect(200);
    const { id } = await create({ title: 'Tides' });
    await patch(id, { title: 'Gezeiten' }).expect(200);
    const refused = await tenant.http.patch(`${type.entries}/${id}`, { status: 'published' }).expect(422);
    expect(refused.body.errors).toMatchObject([{ path: 'fields.body', code: 'required' }]);
    await patch(id, { body: '<p>Hoch</p>' }).expect(200);
    await tenant.http.patch(`${type.entries}/${id}`, { status: 'published' }).expect(200);
  });

  it('are unique within a locale', async () => {
    const fields = [{ name: 'slug', type: 'text', localized: true, unique: true }];
    const other = await createType(tenant, fields, 'Page');
    await tenant.http.post(`${other.entries}?locale=*`, { fields: { slug: { en: 'a', de: 'b' } } }).expect(201);
    await tenant.http.post(`${other.entries}?locale=*`, { fields: { slug: { en: 'b', de: 'a' } } }).expect(201);
    const bySlug = async (query: string) => (await tenant.http.get(`${other.entries}/by/slug/a?${query}`)).body.data;
    expect((await bySlug('locale=de')).fields).toEqual({ slug: 'a' });
    expect((await bySlug('locale=de')).id).not.toBe((await bySlug('')).id);
    expect((await bySlug('locale=de-CH')).id).toBe((await bySlug('locale=de')).id);
    expect(await bySlug('locale=fr')).toBeUndefined();
    const { body } = await tenant.http
      .post(`${other.entries}?locale=*`, { fields: { slug: { en: 'c', de: 'b' } } })
      .expect(422);
    expect(body.errors).toEqual([
      { path: 'fields.slug.de', code: 'unique', message: 'Another entry already has this value for slug.' },
    ]);
  });

  it('have an ETag with the locale, which answers 304 and permits writes', async () => {
    const { id } = await create({ title: 'Tides' });
    const path = `${type.entries}/${id}`;
    const { headers } = await tenant.http.get(`${path}?locale=de`).expect(200);
    const etag = headers.etag ?? '';
    expect(etag).not.toBe((await tenant.http.get(path)).headers.etag);
    await tenant.http.get(`${path}?locale=de`).set('If-None-Match', etag).expect(304);
    await tenant.http.get(`${path}?locale=fr`).set('If-None-Match', etag).expect(200);
    const others = {
      ...LOCALES,
      locales: LOCALES.locales.map((one) => (one.code === 'de' ? { ...one, fallback: 'fr' } : one)),
    };
    await tenant.http.put(`/v1/locales/${tenant.id}`, others).expect(200);
    const changed = await tenant.http.get(`${path}?locale=de`).set('If-None-Match', etag).expect(200);
    expect(changed.body.data.fields).toEqual({});
    await tenant.http
      .patch(path, { fields: { price: 1 } })
      .set('If-Match', etag)
      .expect(200);
  });

  it('are in the draft by field and locale', async () => {
    const { id } = await create({ title: 'Tides' }, undefined, 'published');
    const draft = `${type.entries}/${id}/draft`;
    const { body } = await tenant.http.patch(`${draft}?locale=de`, { fields: { title: 'Gezeiten' } }).expect(200);
    expect(body.data).toMatchObject({ fields: { title: 'Gezeiten' }, changed: ['title'], locale: 'de' });
    await tenant.http.patch(draft, { fields: { price: 5 } }).expect(200);
    const whole = await tenant.http.get(draft).expect(200);
    expect(whole.body.data).toMatchObject({ fields: { title: 'Tides', price: 5 }, changed: ['title', 'price'] });
    const french = await tenant.http.get(`${draft}?locale=fr`).expect(200);
    expect(french.body.data.changed).toEqual(['price']);
    expect((await read(id, 'locale=de')).fields).toEqual({ title: 'Tides' });
    expect((await read(id, 'locale=de&preview=true')).fields).toEqual({ title: 'Gezeiten', price: 5 });
    await patch(id, { title: 'Andere' }).expect(200);
    const refused = await tenant.http.post(`${draft}/publish`, {}).expect(409);
    expect(refused.body.errors).toMatchObject([{ path: 'fields.title.de', code: 'conflict' }]);
    await tenant.http.post(`${draft}/publish?force=true`, {}).expect(200);
    expect((await read(id, 'locale=*')).fields).toEqual({ title: { en: 'Tides', de: 'Gezeiten' }, price: 5 });
  });

  it('are all in the history, which compares and restores each locale', async () => {
    const { id } = await create({ title: 'Tides' });
    await patch(id, { title: 'Gezeiten' }).expect(200);
    await patch(id, { title: { en: 'Ebb', de: 'Ebbe' } }, '*').expect(200);
    const versions = `${type.entries}/${id}/versions`;
    const { body } = await tenant.http.get(`${versions}/2/diff`).expect(200);
    expect(body.data).toEqual([{ field: 'title', locale: 'de', after: 'Gezeiten' }]);
    const both = await tenant.http.get(`${versions}/3/diff`).expect(200);
    expect(both.body.data).toEqual([
      { field: 'title', locale: 'en', before: 'Tides', after: 'Ebb' },
      { field: 'title', locale: 'de', before: 'Gezeiten', after: 'Ebbe' },
    ]);
    const list = await tenant.http.get(versions).expect(200);
    expect(list.body.data.map(({ changed }: { changed: string[] }) => changed)).toEqual([
      ['title'],
      ['title'],
      ['title'],
    ]);
    const old = await tenant.http.get(`${versions}/2?locale=de`).expect(200);
    expect(old.body.data).toMatchObject({ version: 2, fields: { title: 'Gezeiten' }, locale: 'de' });
    expect((await tenant.http.get(`${versions}/2`)).body.data.fields).toEqual({ title: 'Tides' });
    const restored = await tenant.http.post(`${versions}/2/restore?locale=de`, {}).expect(200);
    expect(restored.body.data.locale).toBe('de');
    for (const locale of ['*', 'it']) await tenant.http.post(`${versions}/2/restore?locale=${locale}`, {}).expect(400);
    expect((await read(id, 'locale=*')).fields).toEqual({ title: { en: 'Ebb', de: 'Gezeiten' } });
    await tenant.http.post(`${versions}/3/restore`, {}).expect(200);
    expect((await read(id, 'locale=*')).fields).toEqual({ title: { en: 'Ebb', de: 'Ebbe' } });
  });

  it('are in events in the default locale, and those of others apart from them', async () => {
    const { id } = await create({ title: 'Tides' });
    await patch(id, { title: 'Gezeiten' }).expect(200);
    const { body } = await tenant.http.get(`/v1/events/${tenant.id}`).expect(200);
    const events = body.data.filter(({ type: name }: { type: string }) => name.startsWith('entry.'));
    expect(events).toMatchObject([
      { data: { fields: { title: 'Tides' }, localized: {}, locales_changed: ['en'] } },
      { data: { fields: { title: 'Tides' }, localized: { de: { title: 'Gezeiten' } }, locales_changed: ['de'] } },
    ]);
    expect(JSON.stringify(events)).not.toContain('@de');
  });

  it('come back when a field is localized again, or a locale is there again', async () => {
    const { id } = await create({ title: { en: 'Tides', de: 'Gezeiten', fr: 'Marées' } }, '*');
    const plain = FIELDS.map((field) => ({ ...field, localized: false }));
    const plan = await tenant.http.put(`${type.path}?dry_run=true`, { fields: plain }).expect(200);
    expect(plan.body.data.steps).toContainEqual(
      expect.objectContaining({ field: 'title', class: 'lossy', entries: 1 }),
    );
    await tenant.http.put(type.path, { fields: plain }).expect(200);
    expect(await read(id)).toMatchObject({ fields: { title: 'Tides' } });
    expect((await read(id, 'locale=de')).fields).toEqual({ title: 'Tides' });
    await tenant.http.put(type.path, { fields: FIELDS }).expect(200);
    expect((await read(id, 'locale=*')).fields).toEqual({ title: { en: 'Tides', de: 'Gezeiten', fr: 'Marées' } });
    const fewer = { default: 'en', locales: [{ code: 'en' }, { code: 'de' }] };
    await tenant.http.put(`/v1/locales/${tenant.id}`, fewer).expect(200);
    expect((await read(id, 'locale=*')).fields).toEqual({ title: { en: 'Tides', de: 'Gezeiten' } });
    await tenant.http.put(`/v1/locales/${tenant.id}`, LOCALES).expect(200);
    expect((await read(id, 'locale=*')).fields).toEqual({ title: { en: 'Tides', de: 'Gezeiten', fr: 'Marées' } });
  });

  it('are renamed and converted in all locales', async () => {
    const { id } = await create({ title: { en: 'Tides', de: 'Gezeiten' }, tags: { de: ['a'] } }, '*');
    const renamed = FIELDS.map((field) =>
      field.name === 'title' ? { ...field, name: 'headline', renamed_from: 'title' } : field,
    );
    const plan = await tenant.http.put(`${type.path}?dry_run=true`, { fields: renamed }).expect(200);
    expect(plan.body.data.steps).toMatchObject([{ op: 'rename', field: 'headline' }]);
    await tenant.http.put(type.path, { fields: renamed }).expect(200);
    expect((await read(id, 'locale=*')).fields).toEqual({
      headline: { en: 'Tides', de: 'Gezeiten' },
      tags: { de: ['a'] },
    });
  });
});
