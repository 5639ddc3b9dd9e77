import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { makeSchedulesDue } from '../support/schedules.js';
import { ofEntries } from '../support/stored-events.js';
import { until } from '../support/until.js';

const HOUR = 3_600_000;

describe('a schedule of an entry that a key with content:draft changes', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  let drafter: Http;
  /** A published entry with a draft, and one that is not published. */
  let live: string;
  let own: string;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, [
      { name: 'title', type: 'text' },
      { name: 'slug', type: 'text', unique: true },
    ]);
    const [first, second] = await createEntries(tenant, type, [
      { fields: { title: 'Live' }, status: 'published' },
      { fields: { title: 'Own', slug: 'own' } },
    ]);
    [live, own] = [`${type.entries}/${first}`, `${type.entries}/${second}`];
    await tenant.http.patch(`${live}/draft`, { fields: { title: 'Approved' } }).expect(200);
    const key = { name: 'Author', scopes: ['content:draft'] };
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, key).expect(201);
    drafter = app.client(`Bearer ${body.data.key}`);
  });
  afterEach(() => expectConsistentContent(app.database, tenant.id));

  const schedule = (entry: string, more: object = {}) =>
    tenant.http
      .put(`${entry}/schedule`, { publish_at: new Date(Date.now() + HOUR).toISOString(), ...more })
      .expect(200);
  const read = async (path: string) => (await tenant.http.get(path).expect(200)).body.data;
  const idOf = (path: string) => path.split('/').at(-1) ?? '';
  const bulk = (http: Http, operation: object) =>
    http.post(`/v1/content/${tenant.id}/bulk`, { operations: [{ content_type: type.id, ...operation }] }).expect(200);

  /** Makes the schedules of the tenant due. Returns what became of that of the entry: its problem, or `done`. */
  const outcome = async (entry: string): Promise<string> => {
    await makeSchedulesDue(app.database, tenant.id);
    return until(async () => {
      const { status, body } = await tenant.http.get(`${entry}/schedule`);
      if (status === 404) return 'done';
      return body.data.state === 'failed' && `${body.data.problem.status} ${body.data.problem.code}`;
    });
  };

  it('publishes no draft that was changed since, says why, and is carried out when it is set again', async () => {
    await schedule(live);
    await drafter.patch(`${live}/draft`, { fields: { title: 'Not approved' } }).expect(200);
    expect(await outcome(live)).toBe('409 conflict');
    const { problem } = await read(`${live}/schedule`);
    expect(problem.detail).toContain('by somebody who may not publish');
    expect(await read(live)).toMatchObject({ fields: { title: 'Live' } });
    const { body } = await tenant.http.get(`/v1/events/${tenant.id}?per_page=100`).expect(200);
    expect(ofEntries(body.data as { type: string }[]).at(-1)?.type).toBe('entry.schedule_failed');
    await schedule(live);
    expect(await outcome(live)).toBe('done');
    expect(await read(live)).toMatchObject({ fields: { title: 'Not approved' } });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['discarded', async () => drafter.delete(`${live}/draft`).expect(200)],
    ['replaced by a restoration', async () => drafter.post(`${live}/versions/1/restore?to=draft`).expect(200)],
    [
      'discarded and made again by somebody else',
      async () => {
        await drafter.delete(`${live}/draft`).expect(200);
        await tenant.http.patch(`${live}/draft`, { fields: { title: 'Another' } }).expect(200);
      },
    ],
    [
      'changed again by somebody else',
      async () => {
        await drafter.patch(`${live}/draft`, { fields: { slug: 'x' } }).expect(200);
        await tenant.http.patch(`${live}/draft`, { fields: { title: 'Another' } }).expect(200);
      },
    ],
  ])('publishes nothing if the draft was %s', async (_name, change) => {
    await schedule(live);
    await change();
    expect(await outcome(live)).toBe('409 conflict');
    expect(await read(live)).toMatchObject({ fields: { title: 'Live' } });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['an update', async () => drafter.patch(own, { fields: { title: 'Not approved' } }).expect(200)],
    ['a bulk update', async () => bulk(drafter, { op: 'update', entry_id: idOf(own), fields: { title: 'x' } })],
    ['an upsert', async () => bulk(drafter, { op: 'upsert', key: { slug: 'own' }, fields: { title: 'x' } })],
    ['a first draft', async () => drafter.patch(`${own}/draft`, { fields: { title: 'Not approved' } }).expect(200)],
    [
      'a draft that was discarded',
      async () => {
        await drafter.patch(`${own}/draft`, { fields: { title: 'Not approved' } }).expect(200);
        await drafter.delete(`${own}/draft`).expect(200);
      },
    ],
    [
      'a restoration',
      async () => {
        await tenant.http.patch(own, { fields: { title: 'Approved' } }).expect(200);
        await schedule(own);
        await drafter.post(`${own}/versions/1/restore`).expect(200);
      },
    ],
  ])('does not publish an entry that %s has changed', async (_name, change) => {
    await schedule(own);
    await change();
    expect(await outcome(own)).toBe('409 conflict');
    expect(await read(own)).toMatchObject({ status: 'draft' });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['before it was set', async () => schedule(live)],
    [
      'by a key that may publish',
      async () => tenant.http.patch(`${live}/draft`, { fields: { slug: 's' } }).expect(200),
    ],
    [
      'and published by hand since',
      async () => {
        await schedule(live);
        await drafter.patch(`${live}/draft`, { fields: { slug: 's' } }).expect(200);
        await tenant.http.post(`${live}/draft/publish`).expect(200);
      },
    ],
  ])('publishes a draft that was changed %s', async (name, change) => {
    if (name === 'before it was set') await drafter.patch(`${live}/draft`, { fields: { slug: 's' } }).expect(200);
    else await schedule(live);
    await change();
    expect(await outcome(live)).toBe('done');
    expect(await read(live)).toMatchObject({ fields: { title: 'Approved', slug: 's' } });
  });

  it('publishes an entry whose review was asked for and taken back since', async () => {
    await schedule(own);
    await drafter.put(`${own}/draft/review`).expect(200);
    await drafter.delete(`${own}/draft/review`).expect(200);
    expect(await outcome(own)).toBe('done');
    expect(await read(own)).toMatchObject({ status: 'published' });
  });

  it('publishes an entry that was published and made a draft by hand since the change', async () => {
    for (const publish of [
      () => tenant.http.patch(own, { status: 'published' }).expect(200),
      () => bulk(tenant.http, { op: 'update', entry_id: idOf(own), status: 'published' }),
    ]) {
      await tenant.http.patch(own, { status: 'draft' }).expect(200);
      await schedule(own);
      await drafter.patch(own, { fields: { title: 'Seen' } }).expect(200);
      await publish();
      await tenant.http.patch(own, { status: 'draft' }).expect(200);
      expect(await outcome(own)).toBe('done');
      expect(await read(own)).toMatchObject({ status: 'published' });
    }
  });

  it('ends a review when it publishes', async () => {
    await tenant.http.put(`${own}/draft/review`).expect(200);
    await tenant.http.put(`${live}/draft/review`).expect(200);
    await schedule(own);
    await schedule(live);
    expect([await outcome(own), await outcome(live)]).toEqual(['done', 'done']);
    expect(await read(`/v1/content/${tenant.id}/drafts?review=true`)).toEqual([]);
  });

  it('unpublishes an entry whatever became of its draft', async () => {
    await schedule(live, { publish_at: undefined, unpublish_at: new Date(Date.now() + HOUR).toISOString() });
    await drafter.patch(`${live}/draft`, { fields: { title: 'Not approved' } }).expect(200);
    expect(await outcome(live)).toBe('done');
    expect(await read(live)).toMatchObject({ status: 'draft', fields: { title: 'Live' } });
  });

  it('is deleted with an entry that is not published', async () => {
    await schedule(own);
    await drafter.delete(own).expect(200);
    expect(await app.database.query('SELECT 1 FROM entry_schedules WHERE tenant_id = $1', [tenant.id])).toEqual([]);
  });
});
