import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createType } from '../support/content.js';
import { until } from '../support/until.js';

describe('locales', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => {
    tenant = app.tenant();
  });
  afterAll(() => app.close());

  const path = () => `/v1/locales/${tenant.id}`;
  const set = (...locales: object[]) =>
    tenant.http.put(path(), { default: 'en', locales: [{ code: 'en' }, ...locales] });
  const FIRST = { default: 'en', locales: [{ code: 'en', name: 'English', fallback: null }] };

  describe('of a tenant', () => {
    it('are English alone before they are set', async () => {
      const { body } = await tenant.http.get(path()).expect(200);
      expect(body).toEqual({ data: FIRST });
    });

    it('are answered in canonical form, with the default locale as the fallback of those that name none', async () => {
      const locales = [
        { code: 'EN', name: ' English ' },
        { code: 'de-ch', fallback: 'DE' },
        { code: 'de', name: 'Deutsch' },
        { code: 'zh-hant', fallback: null },
      ];
      const { body, headers } = await tenant.http.put(path(), { default: 'en', locales }).expect(200);
      expect(body.data).toEqual({
        default: 'en',
        locales: [
          { code: 'en', name: 'English', fallback: null },
          { code: 'de-CH', name: 'Swiss High German', fallback: 'de' },
          { code: 'de', name: 'Deutsch', fallback: 'en' },
          { code: 'zh-Hant', name: 'Traditional Chinese', fallback: null },
        ],
      });
      const read = await tenant.http.get(path()).expect(200);
      expect([read.body, read.headers.etag]).toEqual([body, headers.etag]);
      await tenant.http
        .get(path())
        .set('If-None-Match', headers.etag ?? '')
        .expect(304);
    });

    it.each([
      [{ locales: [{ code: 'en' }] }, 'default', 'required'],
      [{ default: 'en' }, 'locales', 'required'],
      [{ default: 'fr', locales: [{ code: 'en' }] }, 'default', 'options'],
      [{ default: 7, locales: [{ code: 'en' }] }, 'default', 'format'],
      [{ default: 'en', locales: 'en' }, 'locales', 'type'],
      [{ default: 'en', locales: [] }, 'locales', 'length'],
      [{ default: 'en', locales: ['en'] }, 'locales.0', 'type'],
      [{ default: 'en', locales: [{ code: 'en' }, { code: 'not a tag' }] }, 'locales.1.code', 'format'],
      [{ default: 'en', locales: [{ code: 'en' }, {}] }, 'locales.1.code', 'required'],
      [{ default: 'en', locales: [{ code: 'en', label: 'x' }] }, 'locales.0.label', 'unknown_property'],
      [{ default: 'en', locales: [{ code: 'en', name: '' }] }, 'locales.0.name', 'length'],
      [{ default: 'en', locales: [{ code: 'en' }, { code: 'de' }, { code: 'DE' }] }, 'locales.2.code', 'duplicate'],
      [
        { default: 'en', locales: [{ code: 'en', fallback: 'de' }, { code: 'de' }] },
        'locales.0.fallback',
        'not_applicable',
      ],
      [{ default: 'en', locales: [{ code: 'en' }, { code: 'de', fallback: 'fr' }] }, 'locales.1.fallback', 'options'],
      [
        { default: 'en', locales: [{ code: 'en' }, { code: 'de', fallback: 'de' }] },
        'locales.1.fallback',
        'not_applicable',
      ],
      [
        { default: 'en', locales: [{ code: 'en' }, { code: 'de', fallback: 'fr' }, { code: 'fr', fallback: 'de' }] },
        'locales.1.fallback',
        'not_applicable',
      ],
    ])('are not set to %j', async (wrong, at, code) => {
      const { body } = await tenant.http.put(path(), wrong).expect(422);
      expect(body.errors[0]).toMatchObject({ path: at, code });
      expect((await tenant.http.get(path())).body.data).toEqual(FIRST);
    });

    it('are at most 50', async () => {
      const codes = 'abcdefghijklmnopqrstuvwxyz'.split('').flatMap((one) => [`aa-x-${one}`, `bb-x-${one}`]);
      const locales = (count: number) => codes.slice(0, count).map((code) => ({ code }));
      await set(...locales(49)).expect(200);
      await set(...locales(50)).expect(422);
    });

    it('change only if they are still those that were read', async () => {
      const { headers } = await set().expect(200);
      await set({ code: 'de' })
        .set('If-Match', headers.etag ?? '')
        .expect(200);
      await set({ code: 'fr' })
        .set('If-Match', headers.etag ?? '')
        .expect(412);
    });

    it('are in the audit log when they change', async () => {
      await set({ code: 'de' }).expect(200);
      const { body } = await tenant.http.get(`/v1/audit/${tenant.id}`).expect(200);
      expect(body.data[0]).toMatchObject({ action: 'updated', resource: { type: 'locales' }, changes: ['locales'] });
    });
  });

  describe('of content types', () => {
    const field = (more: object = {}) => ({ name: 'title', type: 'text', localized: true, ...more });

    it('let the default change only while there is no localized field', async () => {
      const german = { default: 'de', locales: [{ code: 'de' }, { code: 'en' }] };
      await tenant.http.put(path(), german).expect(200);
      const type = await createType(tenant, [field()]);
      const { body } = await set({ code: 'de' }).expect(409);
      expect(body.detail).toContain('article');
      await tenant.http.put(type.path, { fields: [field({ localized: false })] }).expect(200);
      await set({ code: 'de' }).expect(200);
    });

    it('are followed later by types that cannot follow at once', async () => {
      await set({ code: 'de' }).expect(200);
      const type = await createType(tenant, [field()]);
      await tenant.http.post(type.entries, { fields: { title: 'Tides' } }).expect(201);
      const found = async () =>
        (await tenant.http.get(`${type.entries}?locale=de&filter[title]=Tides`).expect(200)).body.meta.total as number;
      expect(await found()).toBe(1);
      const changing = (id: string | null) =>
        app.database.query('UPDATE content_types SET change_id = $2 WHERE tenant_id = $1', [tenant.id, id]);
      await changing('00000000-0000-4000-8000-000000000000');
      await set({ code: 'de', fallback: null }).expect(200);
      expect(await found()).toBe(1);
      await changing(null);
      await app.database.query('UPDATE scheduled_jobs SET next_at = now(), due_at = now() WHERE tenant_id = $1', [
        tenant.id,
      ]);
      await until(async () => (await found()) === 0);
      await until(async () => {
        const jobs = await app.database.query(
          `SELECT FROM scheduled_jobs WHERE tenant_id = $1 AND kind = 'follow_locales' AND due_at < now() + interval '30 seconds'`,
          [tenant.id],
        );
        return jobs.length === 0;
      });
    });

    it('cannot be removed while `required_in` names them', async () => {
      await set({ code: 'de' }, { code: 'fr' }).expect(200);
      await createType(tenant, [field({ required_in: ['de'] })]);
      await set({ code: 'de' }).expect(200);
      expect((await set({ code: 'fr' }).expect(409)).body.detail).toContain('article');
    });

    it.each([
      [{ localized: 'yes' }, 'fields.0.localized'],
      [{ required_in: ['fr'] }, 'fields.0.required_in'],
      [{ required_in: ['en'] }, 'fields.0.required_in'],
      [{ required_in: ['DE'] }, 'fields.0.required_in.0'],
      [{ required_in: ['de', 'de'] }, 'fields.0.required_in.1'],
      [{ required_in: 'de' }, 'fields.0.required_in'],
      [{ localized: false, required_in: ['de'] }, 'fields.0.required_in'],
      [{ type: 'group', fields: [{ name: 'a', type: 'text', localized: true }] }, 'fields.0.fields.0.localized'],
    ])('refuse a field with %j', async (more, at) => {
      await set({ code: 'de' }).expect(200);
      const body = { name: 'Article', fields: [field(more)] };
      const answer = await tenant.http.post(`/v1/content/${tenant.id}/types`, body).expect(422);
      expect(answer.body.errors[0]).toMatchObject({ path: at });
    });

    it('do not apply to the fields of forms', async () => {
      const form = { name: 'Contact', fields: [{ name: 'name', type: 'text', localized: true }] };
      const { body } = await tenant.http.post(`/v1/forms/${tenant.id}`, form).expect(422);
      expect(body.errors).toMatchObject([{ path: 'fields.0.localized', code: 'unknown_property' }]);
    });
  });
});
