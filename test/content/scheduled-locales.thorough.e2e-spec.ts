import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createType, type TestType } from '../support/content.js';
import { makeSchedulesDue } from '../support/schedules.js';
import { until } from '../support/until.js';

const HOUR = 3_600_000;
const LOCALES = { default: 'en', locales: [{ code: 'en' }, { code: 'de' }, { code: 'fr' }] };
const FIELDS = [
  { name: 'title', type: 'text', localized: true, required: true },
  { name: 'price', type: 'number' },
];
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

describe('a schedule of locales', () => {
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
  const draft = (path: string, fields: object) => tenant.http.patch(`${path}/draft?locale=*`, { fields }).expect(200);
  const schedule = (path: string, body: object, by: Http = tenant.http) => by.put(`${path}/schedule`, body);
  const live = async (path: string, query = 'locale=*') =>
    (await tenant.http.get(`${path}?${query}`).expect(200)).body.data.fields;
  const seen = async (path: string, locale: string) => {
    const { body } = await tenant.http.get(`${path}/locales`).expect(200);
    return (body.data as { code: string; live: boolean }[]).find(({ code }) => code === locale)?.live;
  };
  const setLocales = (...codes: string[]) =>
    tenant.http.put(`/v1/locales/${tenant.id}`, { default: 'en', locales: codes.map((code) => ({ code })) });
  /** Carries out what is scheduled. Returns what became of it: its problem, the times that are left, or `done`. */
  const outcome = async (path: string): Promise<string> => {
    await makeSchedulesDue(app.database, tenant.id);
    return until(async () => {
      const { status, body } = await tenant.http.get(`${path}/schedule`);
      if (status === 404) return 'done';
      return body.data.state === 'failed' && `${body.data.problem.status} ${body.data.problem.detail}`;
    });
  };
  const withKey = async (rights: object) => {
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'Key', ...rights }).expect(201);
    return app.client(`Bearer ${body.data.key}`);
  };

  it('is shown with them, and without any once it is set for the whole entry', async () => {
    const path = await add({ title: { en: 'Tides' } });
    const { body } = await schedule(path, { publish_at: inHours(1), locales: ['de', 'fr'] }).expect(200);
    expect(body.data).toMatchObject({ locales: ['de', 'fr'], state: 'pending' });
    const read = await tenant.http.get(`${path}/schedule`).expect(200);
    expect(read.body).toEqual(body);
    const list = await tenant.http.get(`/v1/content/${tenant.id}/schedule`).expect(200);
    expect(list.body.data).toEqual([body.data]);
    const whole = await schedule(path, { publish_at: inHours(1) }).expect(200);
    expect(whole.body.data).not.toHaveProperty('locales');
  });

  it.each<[object, string, string]>([
    [{ locales: 'de' }, 'locales', 'type'],
    [{ locales: null }, 'locales', 'type'],
    [{ locales: [] }, 'locales', 'length'],
    [{ locales: ['de', 'de'] }, 'locales.1', 'duplicate'],
    [{ locales: ['de', 7] }, 'locales.1', 'type'],
    [{ locales: ['it'] }, 'locales.0', 'options'],
    [{ locales: ['DE'] }, 'locales.0', 'options'],
    [{ locales: ['de', 'en'], unpublish_at: inHours(2) }, 'locales.1', 'not_applicable'],
  ])('is not set with %j', async (body, at, code) => {
    const path = await add({ title: { en: 'Tides' } });
    const answer = await schedule(path, { publish_at: inHours(1), ...body }).expect(422);
    expect(answer.body.errors).toEqual([{ path: at, code, message: expect.any(String) }]);
  });

  it('makes only these live, and takes only these off', async () => {
    const path = await add({ title: { en: 'Tides' } });
    await draft(path, { title: { en: 'Ebb', de: 'Ebbe', fr: 'Reflux' }, price: 5 });
    await schedule(path, { publish_at: inHours(1), locales: ['de'] }).expect(200);
    expect(await outcome(path)).toBe('done');
    expect(await live(path)).toEqual({ title: { en: 'Tides', de: 'Ebbe' } });
    const rest = await tenant.http.get(`${path}/draft?locale=*`).expect(200);
    expect(rest.body.data.changed).toEqual(['title', 'price']);
    const { body: history } = await tenant.http.get(`${path}/versions`).expect(200);
    expect(history.data[0]).toMatchObject({ action: 'scheduled', by: 'schedule' });
    await schedule(path, { unpublish_at: inHours(1), locales: ['de', 'fr'] }).expect(200);
    expect(await outcome(path)).toBe('done');
    expect(await live(path, 'locale=de&preview=true')).toMatchObject({ title: 'Ebbe' });
    expect([await seen(path, 'de'), await seen(path, 'en')]).toEqual([false, true]);
    await schedule(path, { publish_at: inHours(1), locales: ['de'] }).expect(200);
    expect(await outcome(path)).toBe('done');
    expect(await seen(path, 'de')).toBe(true);
  });

  it('carries out both of its times', async () => {
    const path = await add({ title: { en: 'Tides' } });
    await draft(path, { title: { de: 'Ebbe' } });
    await schedule(path, { publish_at: inHours(1), unpublish_at: inHours(1.5), locales: ['de'] }).expect(200);
    expect(await outcome(path)).toBe('done');
    expect(await seen(path, 'de')).toBe(false);
    await tenant.http.get(`${path}/draft`).expect(404);
  });

  it('fails if the default language was never published, and publishes it with the others', async () => {
    const path = await add({ title: { en: 'Tides', de: 'Gezeiten', fr: 'Marées' } }, 'draft');
    await schedule(path, { publish_at: inHours(1), locales: ['de'] }).expect(200);
    expect(await outcome(path)).toContain('Publish the default language first');
    await schedule(path, { publish_at: inHours(1), locales: ['en', 'de'] }).expect(200);
    expect(await outcome(path)).toBe('done');
    expect([await seen(path, 'en'), await seen(path, 'de'), await seen(path, 'fr')]).toEqual([true, true, false]);
  });

  it('does nothing if there is nothing left to do', async () => {
    const path = await add({ title: { en: 'Tides' } });
    const before = await tenant.http.get(path).expect(200);
    await schedule(path, { publish_at: inHours(1), unpublish_at: inHours(1.5), locales: ['de'] }).expect(200);
    expect(await outcome(path)).toBe('done');
    const after = await tenant.http.get(path).expect(200);
    expect(after.headers.etag).toBe(before.headers.etag);
  });

  it('fails as a whole if one of them was removed, and is carried out if it is back', async () => {
    const path = await add({ title: { en: 'Tides' } });
    await draft(path, { title: { de: 'Ebbe', fr: 'Reflux' } });
    await schedule(path, { publish_at: inHours(1), locales: ['de', 'fr'] }).expect(200);
    await setLocales('en', 'de').expect(200);
    expect(await outcome(path)).toContain('removed after it was set: fr');
    expect(await live(path)).toEqual({ title: { en: 'Tides' } });
    await setLocales('en', 'de', 'fr').expect(200);
    await draft(path, { title: { fr: 'Reflux' } });
    await schedule(path, { publish_at: inHours(1), locales: ['de', 'fr'] }).expect(200);
    expect(await outcome(path)).toBe('done');
    expect(await live(path)).toEqual({ title: { en: 'Tides', de: 'Ebbe', fr: 'Reflux' } });
  });

  it('is all that a key may set, replace and delete that is limited to them', async () => {
    const german = await withKey({ scopes: ['content:write'], locales: ['de'] });
    const path = await add({ title: { en: 'Tides', de: 'Gezeiten' } });
    const times = { publish_at: inHours(1) };
    await schedule(path, times, german).expect(403);
    await schedule(path, { ...times, locales: ['de', 'fr'] }, german).expect(403);
    await schedule(path, { ...times, locales: ['de'] }, german).expect(200);
    await german.delete(`${path}/schedule`).expect(200);
    await schedule(path, times).expect(200);
    await schedule(path, { ...times, locales: ['de'] }, german).expect(403);
    await german.delete(`${path}/schedule`).expect(403);
  });
});
