import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createType, type TestType } from '../support/content.js';

const LOCALES = { default: 'en', locales: [{ code: 'en' }, { code: 'de' }, { code: 'fr', fallback: null }] };
const FIELDS = [
  { name: 'title', type: 'text', localized: true, required: true },
  { name: 'body', type: 'text', localized: true },
  { name: 'price', type: 'number' },
];

describe('publishing one language', () => {
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
  afterEach(() => expectConsistentContent(app.database, tenant.id));
  afterAll(() => app.close());

  const add = async (fields: object, status = 'published') => {
    const { body } = await tenant.http.post(`${type.entries}?locale=*`, { fields, status }).expect(201);
    return `${type.entries}/${body.data.id}`;
  };
  const fields = async (path: string, query = '') =>
    (await tenant.http.get(`${path}?${query}`).expect(200)).body.data.fields;
  const withKey = async (rights: object) => {
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'Key', ...rights }).expect(201);
    return app.client(`Bearer ${body.data.key}`);
  };
  const localesOf = async (path: string) => {
    const { body } = await tenant.http.get(`${path}/locales`).expect(200);
    return Object.fromEntries(body.data.map(({ code, ...others }: { code: string }) => [code, others]));
  };

  it('makes only its values live, and leaves the rest in the draft', async () => {
    const path = await add({ title: { en: 'Tides' } });
    const draft = { title: { en: 'Ebb', de: 'Ebbe', fr: 'Reflux' }, price: 5 };
    await tenant.http.patch(`${path}/draft?locale=*`, { fields: draft }).expect(200);
    const { body } = await tenant.http.post(`${path}/draft/publish?locale=de`, {}).expect(200);
    expect(body.data).toMatchObject({ locale: 'de', fields: { title: 'Ebbe' } });
    expect(await fields(path, 'locale=*')).toEqual({ title: { en: 'Tides', de: 'Ebbe' } });
    const rest = await tenant.http.get(`${path}/draft?locale=*`).expect(200);
    expect(rest.body.data).toMatchObject({
      fields: { title: { en: 'Ebb', de: 'Ebbe', fr: 'Reflux' }, price: 5 },
      changed: ['title', 'price'],
    });
    const both = await tenant.http.post(`${path}/draft/publish?locale=fr,en`, {}).expect(200);
    expect(both.body.data).toMatchObject({ locale: 'fr', fields: { title: 'Reflux', price: 5 } });
    expect(await fields(path, 'locale=*')).toEqual({ title: { en: 'Ebb', de: 'Ebbe', fr: 'Reflux' }, price: 5 });
    await tenant.http.get(`${path}/draft`).expect(404);
    await tenant.http.post(`${path}/draft/publish?locale=de`, {}).expect(404);
    await tenant.http.post(`${path}/draft/publish?locale=it`, {}).expect(400);
  });

  it('needs the default language first, and shows no other that is not named', async () => {
    const path = await add({ title: { en: 'Tides', de: 'Gezeiten' } }, 'draft');
    await tenant.http.patch(`${path}/draft`, { fields: { price: 1 } }).expect(200);
    const { body } = await tenant.http.post(`${path}/draft/publish?locale=de`, {}).expect(409);
    expect(body.detail).toContain('Publish the default language first');
    await tenant.http.post(`${path}/draft/publish?locale=en`, {}).expect(200);
    expect(await fields(path, 'locale=de')).toEqual({ title: 'Tides', price: 1 });
    expect(await localesOf(path)).toMatchObject({ en: { live: true }, de: { live: false, values: 1 } });
    await tenant.http.post(`${path}/draft/publish?locale=de`, {}).expect(200);
    expect(await fields(path, 'locale=de')).toEqual({ title: 'Gezeiten', price: 1 });
  });

  it('says of which language a value is that is wrong or in conflict', async () => {
    const path = await add({ title: { en: 'Tides' } });
    await tenant.http.patch(`${path}/draft?locale=de`, { fields: { title: 'Ebbe' } }).expect(200);
    const needed = FIELDS.map((field) => (field.name === 'body' ? { ...field, required_in: ['de'] } : field));
    await tenant.http.put(type.path, { fields: needed }).expect(200);
    for (const query of ['?locale=de', '']) {
      const { body } = await tenant.http.post(`${path}/draft/publish${query}`, {}).expect(422);
      expect(body.errors).toMatchObject([{ path: 'fields.body.de', code: 'required' }]);
    }
    await tenant.http.patch(`${path}?locale=de`, { fields: { title: 'Flut', body: 'x' } }).expect(200);
    const { body } = await tenant.http.post(`${path}/draft/publish?locale=de`, {}).expect(409);
    expect(body.errors).toMatchObject([{ path: 'fields.title.de', code: 'conflict' }]);
  });

  it('discards one language of a draft', async () => {
    const path = await add({ title: { en: 'Tides' } });
    await tenant.http.patch(`${path}/draft?locale=*`, { fields: { title: { en: 'Ebb', de: 'Ebbe' } } }).expect(200);
    await tenant.http.delete(`${path}/draft?locale=de`).expect(200);
    const { body } = await tenant.http.get(`${path}/draft?locale=*`).expect(200);
    expect(body.data.fields).toEqual({ title: { en: 'Ebb' } });
    await tenant.http.delete(`${path}/draft?locale=en`).expect(200);
    await tenant.http.get(`${path}/draft`).expect(404);
  });

  it('says what there is in each locale, and what is missing', async () => {
    const path = await add({ title: { en: 'Tides', de: 'Gezeiten' }, body: { en: 'x' } });
    await tenant.http.patch(`${path}/draft?locale=fr`, { fields: { title: 'Marées' } }).expect(200);
    const time = expect.stringMatching(/^\d{4}-/);
    expect(await localesOf(path)).toEqual({
      en: { live: true, values: 2, missing: [], draft: false, updated_at: time },
      de: { live: true, values: 1, missing: ['body'], draft: false, updated_at: time },
      fr: { live: false, values: 0, missing: ['title', 'body'], draft: true, updated_at: null },
    });
  });

  it('takes a language off, of which readers then see the fallback, and brings it back', async () => {
    const path = await add({ title: { en: 'Tides', de: 'Gezeiten', fr: 'Marées' } });
    const reader = await withKey({ scopes: ['content:read:published'] });
    const readable = async (query: string) => (await reader.get(`${path}?${query}`).expect(200)).body.data.fields;
    const { body } = await tenant.http.put(`${path}/locales/de`, { live: false }).expect(200);
    expect(body.data).toMatchObject({ code: 'de', live: false, values: 1 });
    await tenant.http.put(`${path}/locales/fr`, { live: false }).expect(200);
    expect(await readable('locale=de')).toEqual({ title: 'Tides' });
    expect(await readable('locale=de&fallback=none')).toEqual({});
    expect(await readable('locale=fr')).toEqual({});
    expect(await readable('locale=*')).toEqual({ title: { en: 'Tides' } });
    expect(await fields(path, 'locale=de&preview=true')).toEqual({ title: 'Gezeiten' });
    const count = async (query: string) => (await reader.get(`${type.entries}?${query}`).expect(200)).body.meta.total;
    expect(await count('filter[title]=Gezeiten&locale=de')).toBe(0);
    expect(await count('filter[title]=Gezeiten&locale=de&fallback=none')).toBe(0);
    expect(await count('filter[title]=Mar%C3%A9es&locale=fr')).toBe(0);
    expect(await count('filter[title]=Tides&locale=de')).toBe(1);
    expect(await count('translated=de')).toBe(0);
    await tenant.http.patch(`${path}?locale=de`, { fields: { title: 'Tiden' } }).expect(200);
    expect(await readable('locale=de')).toEqual({ title: 'Tides' });
    await tenant.http.put(`${path}/locales/de`, { live: true }).expect(200);
    expect(await readable('locale=de')).toEqual({ title: 'Tiden' });
    expect(await count('filter[title]=Tiden&locale=de')).toBe(1);
    expect(await count('translated=de')).toBe(1);
    const { body: feed } = await tenant.http.get(`/v1/events/${tenant.id}`).expect(200);
    const changes = feed.data.flatMap(({ type: name, data }: { type: string; data: { locales_changed?: string[] } }) =>
      name === 'entry.updated' ? [data.locales_changed] : [],
    );
    expect(changes).toEqual([['de'], ['fr'], ['de'], ['de']]);
  });

  it('takes a language off with `content:draft` only while the entry is not published', async () => {
    const drafter = await withKey({ scopes: ['content:draft'] });
    const fieldsOf = { title: { en: 'Tides', de: 'Gezeiten' } };
    const [published, own] = [await add(fieldsOf), await add(fieldsOf, 'draft')];
    for (const live of [false, true]) {
      const { body } = await drafter.put(`${published}/locales/de`, { live }).expect(403);
      expect(body.detail).toContain('The entry is published.');
      await drafter.put(`${own}/locales/de`, { live }).expect(200);
    }
    await drafter.put(`${own}/locales/de`, { live: false }).expect(200);
    await tenant.http.patch(own, { status: 'published' }).expect(200);
    expect([(await localesOf(published))['de'], (await localesOf(own))['de']]).toMatchObject([
      { live: true },
      { live: false },
    ]);
  });

  it.each([
    ['en', { live: false }, 409],
    ['it', { live: false }, 404],
    ['fr', { live: false }, 409],
    ['de', {}, 422],
    ['de', { live: 'no' }, 422],
  ])('does not take off %s with %j', async (code, body, status) => {
    const path = await add({ title: { en: 'Tides', de: 'Gezeiten' } });
    await tenant.http.put(`${path}/locales/${code}`, body).expect(status);
  });

  it('counts the entries of a type that are live, missing and behind', async () => {
    await add({ title: { en: 'A', de: 'B' } });
    const behind = await add({ title: { en: 'C', de: 'D' } });
    await add({ title: { en: 'E' } }, 'draft');
    await tenant.http.patch(behind, { fields: { title: 'Changed' } }).expect(200);
    const { body } = await tenant.http.get(`${type.path}/locales`).expect(200);
    expect(body.data).toEqual([
      { code: 'en', live: 2, missing: 0, behind: 0 },
      { code: 'de', live: 2, missing: 1, behind: 1 },
      { code: 'fr', live: 0, missing: 3, behind: 0 },
    ]);
  });

  it('is all that a key may do that is limited to a locale', async () => {
    const german = await withKey({ scopes: ['content:read', 'content:write'], locales: ['de'] });
    const path = await add({ title: { en: 'Tides' }, price: 1 });
    await german.patch(`${path}?locale=de`, { fields: { title: 'Gezeiten' } }).expect(200);
    await german.patch(`${path}?locale=de`, { fields: { title: 'Tiden', price: 1 } }).expect(200);
    await german.patch(`${path}?locale=de`, { fields: { price: 2 } }).expect(403);
    await german.patch(`${path}?locale=fr`, { fields: { title: 'Marées' } }).expect(403);
    const { body } = await german.patch(path, { fields: { title: 'Ebb' } }).expect(403);
    expect(body.detail).toContain('de');
    await german.patch(`${path}?locale=de`, { status: 'draft' }).expect(403);
    await german.delete(path).expect(403);
    await german.post(type.entries, { fields: { title: 'New' } }).expect(403);
    await german.patch(`${path}/draft?locale=de`, { fields: { title: 'Ebbe' } }).expect(200);
    await german.patch(`${path}/draft`, { fields: { title: 'Ebb' } }).expect(403);
    await german.post(`${path}/draft/publish`, {}).expect(403);
    await german.post(`${path}/draft/publish?locale=de`, {}).expect(200);
    await german.put(`${path}/locales/de`, { live: false }).expect(200);
    await german.put(`${path}/locales/fr`, { live: false }).expect(403);
    expect(await fields(path, 'locale=de&preview=true')).toEqual({ title: 'Ebbe', price: 1 });
  });

  it('leaves content types as they are to those who are not limited to a locale', async () => {
    const german = await withKey({ scopes: ['*'], locales: ['de'] });
    const path = await add({ title: { en: 'Tides', de: 'Gezeiten', fr: 'Marées' } });
    const fewer = FIELDS.map((field) => ({ ...field, localized: undefined })).slice(0, 2);
    for (const query of ['', '?dry_run=true']) {
      const { body } = await german.put(`${type.path}${query}`, { fields: fewer }).expect(403);
      expect(body.detail).toContain('limited to the locales de');
    }
    await german.delete(type.path).expect(403);
    const document = { locales: LOCALES, types: [], forms: [], webhooks: [] };
    const asked = { document, prune: true, allow_lossy: true };
    const schema = `/v1/schema/${tenant.id}`;
    const { body: plan } = await german.post(`${schema}/plan`, asked).expect(200);
    await german.post(`${schema}/apply`, { ...asked, hash: plan.data.hash }).expect(403);
    await german.put(type.path, { name: 'Renamed' }).expect(200);
    expect(await fields(path, 'locale=*')).toEqual({ title: { en: 'Tides', de: 'Gezeiten', fr: 'Marées' } });
  });

  it('is restored to a draft without what the draft has of others', async () => {
    const path = await add({ title: { en: 'Tides', de: 'Gezeiten' } });
    await tenant.http.patch(`${path}?locale=de`, { fields: { title: 'Tiden' } }).expect(200);
    const draft = { title: { en: 'Ebb', de: 'Ebbe', fr: 'Reflux' }, price: 5 };
    await tenant.http.patch(`${path}/draft?locale=*`, { fields: draft }).expect(200);
    const german = await withKey({ scopes: ['content:read', 'content:draft'], locales: ['de'] });
    const restore = (query: string) => german.post(`${path}/versions/1/restore?to=draft${query}`);
    const shown = async () => (await tenant.http.get(`${path}/draft?locale=*`).expect(200)).body.data;
    await restore('').expect(403);
    await restore('&locale=fr').expect(403);
    expect(await shown()).toMatchObject({ fields: draft });
    await restore('&locale=de').expect(200);
    expect(await shown()).toMatchObject({
      fields: { title: { en: 'Ebb', de: 'Gezeiten', fr: 'Reflux' }, price: 5 },
      changed: ['title', 'price'],
    });
    // The default locale is restored without the fields that have no locale.
    await tenant.http.post(`${path}/versions/1/restore?to=draft&locale=en`).expect(200);
    expect(await shown()).toMatchObject({ fields: { title: { en: 'Tides', de: 'Gezeiten', fr: 'Reflux' }, price: 5 } });
    await tenant.http.post(`${path}/versions/1/restore?to=draft`).expect(200);
    expect(await shown()).toMatchObject({ fields: { title: { en: 'Tides', de: 'Gezeiten' } } });
  });
});
