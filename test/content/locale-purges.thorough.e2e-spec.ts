import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createType, type TestType } from '../support/content.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'title', type: 'text', localized: true, unique: true },
  { name: 'body', type: 'text', localized: true },
];

describe('the purge of a locale', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(async () => {
    tenant = app.tenant();
    await setLocales('en', 'de', 'de-CH').expect(200);
    type = await createType(tenant, FIELDS);
  });
  afterEach(() => expectConsistentContent(app.database, tenant.id));
  afterAll(() => app.close());

  const setLocales = (...codes: string[]) =>
    tenant.http.put(`/v1/locales/${tenant.id}`, { default: 'en', locales: codes.map((code) => ({ code })) });
  const purge = (code: string, query = '?purge=true') => tenant.http.delete(`/v1/locales/${tenant.id}/${code}${query}`);
  const add = async (fields: object, status = 'published') => {
    const { body } = await tenant.http.post(`${type.entries}?locale=*`, { fields, status }).expect(201);
    return `${type.entries}/${body.data.id}`;
  };
  const ended = (id: string) =>
    until(async () => {
      const { body } = await tenant.http.get(`/v1/locales/${tenant.id}/purges/${id}`).expect(200);
      return body.data.state === 'done' && body.data;
    });
  const done = async (code: string) => {
    const { body, headers } = await purge(code).expect(202);
    expect(headers['location']).toBe(`/v1/locales/${tenant.id}/purges/${body.data.id}`);
    return ended(body.data.id as string);
  };
  /** Everything that is stored of the tenant's content and its events. */
  const stored = async () => {
    const tables = [
      'entries',
      'entry_drafts',
      'entry_values',
      'entry_uniques',
      'entry_locale_words',
      'versions',
      'events',
    ];
    const texts = tables.map((table) => `SELECT t::text AS row FROM ${table} t WHERE tenant_id = $1`);
    const rows = await app.database.query<{ row: string }>(texts.join(' UNION ALL '), [tenant.id]);
    return rows.map(({ row }) => row).join('\n');
  };

  it('deletes its values from entries, drafts, versions and events, and those of no other locale', async () => {
    const path = await add({ title: { en: 'Tides', de: 'Gezeiten', 'de-CH': 'Gezyte' }, body: { de: 'Ebbe' } });
    await add({ title: { en: 'Only English' } });
    const gone = await add({ title: { en: 'Gone', de: 'Fort' } });
    await tenant.http.delete(gone).expect(200);
    await tenant.http.patch(`${path}?locale=de`, { fields: { title: 'Tiden' } }).expect(200);
    await tenant.http.patch(`${path}/draft?locale=*`, { fields: { body: { de: 'Entwurf', en: 'Draft' } } }).expect(200);
    await tenant.http.put(`${path}/locales/de`, { live: false }).expect(200);
    await setLocales('en', 'de-CH').expect(200);
    const data = await done('de');
    expect(data).toMatchObject({ code: 'de', state: 'done', entries: 1, versions: 4, finished_at: expect.any(String) });
    const text = await stored();
    for (const value of ['Gezeiten', 'Tiden', 'Fort', 'Ebbe', 'Entwurf', '@de"']) expect(text).not.toContain(value);
    expect(text).not.toMatch(/"de"+:/);
    for (const value of ['Gezyte', 'Draft', 'Only English']) expect(text).toContain(value);
    await setLocales('en', 'de', 'de-CH').expect(200);
    const read = await tenant.http.get(`${path}?locale=*`).expect(200);
    expect(read.body.data.fields).toEqual({ title: { en: 'Tides', 'de-CH': 'Gezyte' } });
    await tenant.http.patch(`${path}?locale=de`, { fields: { title: 'Neu' } }).expect(200);
    const { body } = await tenant.http.get(`${path}/locales`).expect(200);
    expect(body.data[1]).toMatchObject({ code: 'de', live: true });
  });

  it('reaches the values of fields that are no longer localized', async () => {
    await add({ title: { en: 'Tides', de: 'Gezeiten' } });
    const plain = FIELDS.map((field) => ({ ...field, localized: false }));
    await tenant.http.put(type.path, { fields: plain }).expect(200);
    await setLocales('en').expect(200);
    expect(await done('de')).toMatchObject({ entries: 1 });
    expect(await stored()).not.toContain('Gezeiten');
  });

  it('waits for a change of a content type', async () => {
    await add({ title: { en: 'Tides', de: 'Gezeiten' } });
    await setLocales('en').expect(200);
    const changing = (id: string | null) =>
      app.database.query('UPDATE content_types SET change_id = $2 WHERE tenant_id = $1', [tenant.id, id]);
    await changing('00000000-0000-4000-8000-000000000000');
    const { body } = await purge('de').expect(202);
    const waits = () =>
      app.database.query(
        `SELECT FROM scheduled_jobs WHERE tenant_id = $1 AND kind = 'purge_locale' AND due_at > now() AND attempts = 0`,
        [tenant.id],
      );
    await until(async () => (await waits()).length > 0);
    const again = await purge('de').expect(202);
    expect(again.body.data).toMatchObject({ id: body.data.id, state: 'running', entries: 0 });
    expect((await setLocales('en', 'de').expect(409)).body.detail).toContain('de');
    await changing(null);
    await ended(body.data.id as string);
    await setLocales('en', 'de').expect(200);
  });

  it('goes on where a worker that died has left it', async () => {
    for (const n of [1, 2, 3]) await add({ title: { en: `Tides ${n}`, de: `Gezeiten ${n}` } });
    await setLocales('en').expect(200);
    const changing = (id: string | null) =>
      app.database.query('UPDATE content_types SET change_id = $2 WHERE tenant_id = $1', [tenant.id, id]);
    await changing('00000000-0000-4000-8000-000000000000');
    const { body } = await purge('de').expect(202);
    // As it is left in the middle of the entries, by a claim that ends now.
    await app.database.query(
      `UPDATE locale_purges SET type_id = (SELECT id FROM content_types WHERE tenant_id = $1), entries = 1,
        after = (SELECT id FROM entries WHERE tenant_id = $1 ORDER BY id LIMIT 1) WHERE tenant_id = $1`,
      [tenant.id],
    );
    await app.database.query(
      `UPDATE scheduled_jobs SET claim = gen_random_uuid(), next_at = now() WHERE tenant_id = $1 AND kind = 'purge_locale'`,
      [tenant.id],
    );
    await changing(null);
    expect(await ended(body.data.id as string)).toMatchObject({ entries: 3, versions: 3 });
    const rows = await app.database.query<{ retired: unknown }>(
      'SELECT retired FROM entries WHERE tenant_id = $1 AND retired IS NOT NULL',
      [tenant.id],
    );
    expect(rows).toHaveLength(1);
  });

  it.each([
    ['a locale in the list', 'de', undefined, 409],
    ['a code that is not canonical', 'DE', undefined, 404],
    ['what is no code', '%20', undefined, 404],
    ['a request that does not say so', 'fr', '', 400],
    ['a request that says something else', 'fr', '?purge=false', 400],
  ])('refuses %s', async (_name, code, query, status) => {
    await purge(code, query).expect(status);
  });

  it('is not for a key that is limited to locales or content types', async () => {
    await setLocales('en').expect(200);
    for (const rights of [
      { scopes: ['content:write'], locales: ['de'] },
      { scopes: ['content:write@article'] },
      { scopes: ['content:read'] },
    ]) {
      const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'Key', ...rights }).expect(201);
      await app.client(`Bearer ${body.data.key}`).delete(`/v1/locales/${tenant.id}/de?purge=true`).expect(403);
    }
    const other = app.tenant();
    const { body } = await purge('de').expect(202);
    await other.http.get(`/v1/locales/${other.id}/purges/${body.data.id}`).expect(404);
  });
});
