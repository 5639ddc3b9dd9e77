import { setTimeout as sleep } from 'node:timers/promises';
import { newUuid } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { makeSchedulesDue } from '../support/schedules.js';
import { ofEntries } from '../support/stored-events.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'title', type: 'text', required: true, max: 40 },
  { name: 'slug', type: 'text', unique: true },
];

const HOUR = 3_600_000;
/** Work is carried out within this time after it is due. */
const WITHIN_MS = 5_000;

const inMs = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

describe('a schedule', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  let entry: string;
  let id: string;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, FIELDS);
    const [first = ''] = await createEntries(tenant, type, [{ fields: { title: 'One', slug: 'one' } }]);
    id = first;
    entry = `${type.entries}/${id}`;
  });
  afterEach(() => expectConsistentContent(app.database, tenant.id));

  const put = (times: object, of = entry) => tenant.http.put(`${of}/schedule`, times);
  const get = async (of = entry) => (await tenant.http.get(`${of}/schedule`).expect(200)).body.data;
  const list = async (query = '') => (await tenant.http.get(`/v1/content/${tenant.id}/schedule${query}`)).body;
  const read = async (of = entry) => (await tenant.http.get(of).expect(200)).body.data;
  const events = async () => {
    const { body } = await tenant.http.get(`/v1/events/${tenant.id}?cursor=&per_page=100`).expect(200);
    return ofEntries(body.data as { type: string; data: Record<string, unknown> }[]);
  };
  const typesOfEvents = async () => (await events()).map((event) => event.type);
  const isGone = async (of = entry) => (await tenant.http.get(`${of}/schedule`)).status === 404;
  const dueRows = () => app.database.query('SELECT * FROM scheduled_jobs WHERE tenant_id = $1', [tenant.id]);
  const scheduleRows = () => app.database.query('SELECT * FROM entry_schedules WHERE tenant_id = $1', [tenant.id]);
  const versionsOf = async (of = entry) => (await tenant.http.get(`${of}/versions`).expect(200)).body.data;

  /** Moves what is due of the tenant to the past, as if the workers had not run until now. */
  const makeDue = (seconds?: number) => makeSchedulesDue(app.database, tenant.id, seconds);

  describe('that is set', () => {
    it('is shown in UTC, without absent times', async () => {
      const { body } = await put({ publish_at: '2100-01-31T09:30:00+02:00' }).expect(200);
      expect(body).toEqual({
        data: {
          entry_id: id,
          content_type_id: type.id,
          publish_at: '2100-01-31T07:30:00.000Z',
          state: 'pending',
        },
      });
      expect(await get()).toEqual(body.data);
    });

    it('replaces what was there', async () => {
      await put({ publish_at: inMs(HOUR) }).expect(200);
      const unpublish_at = inMs(2 * HOUR);
      await put({ unpublish_at }).expect(200);
      expect(await get()).toEqual({ entry_id: id, content_type_id: type.id, unpublish_at, state: 'pending' });
      expect(await dueRows()).toMatchObject([{ due_at: new Date(unpublish_at) }]);
    });

    it('changes neither the entry nor its version, and emits nothing', async () => {
      const before = await tenant.http.get(entry).expect(200);
      await put({ publish_at: inMs(HOUR) }).expect(200);
      const after = await tenant.http.get(entry).expect(200);
      expect([after.body, after.headers['etag']]).toEqual([before.body, before.headers['etag']]);
      expect(await typesOfEvents()).toEqual(['entry.created']);
    });

    it('can be deleted', async () => {
      await put({ publish_at: inMs(HOUR) }).expect(200);
      const { body } = await tenant.http.delete(`${entry}/schedule`).expect(200);
      expect(body).toEqual({ message: 'The schedule was deleted.' });
      await tenant.http.get(`${entry}/schedule`).expect(404);
      const again = await tenant.http.delete(`${entry}/schedule`).expect(404);
      expect(again.body.detail).toBe('There is no such schedule.');
      expect(await dueRows()).toEqual([]);
    });

    it.each([
      [{}, [['publish_at', 'required']]],
      [{ publish_at: null }, [['publish_at', 'type']]],
      [{ publish_at: 5 }, [['publish_at', 'type']]],
      [{ publish_at: ['2100-01-01T00:00:00Z'] }, [['publish_at', 'type']]],
      [{ publish_at: 'soon' }, [['publish_at', 'format']]],
      [{ publish_at: '2100-01-01' }, [['publish_at', 'format']]],
      [{ publish_at: '2100-01-01T00:00:00' }, [['publish_at', 'format']]],
      [{ publish_at: '2100-01-01T00:00Z' }, [['publish_at', 'format']]],
      [{ unpublish_at: '2100-02-30T00:00:00Z' }, [['unpublish_at', 'format']]],
      [{ publish_at: '99999-01-01T00:00:00Z' }, [['publish_at', 'format']]],
      [{ publish_at: '2020-01-01T00:00:00Z' }, [['publish_at', 'min']]],
      [
        { publish_at: '2100-01-01T01:00:00+01:00', unpublish_at: '2100-01-01T00:00:00Z' },
        [['unpublish_at', 'duplicate']],
      ],
      [{ publish_at: '2100-01-01T00:00:00Z', at: 1 }, [['at', 'unknown_property']]],
      [
        { publish_at: 'x', unpublish_at: '2020-01-01T00:00:00Z' },
        [
          ['publish_at', 'format'],
          ['unpublish_at', 'min'],
        ],
      ],
    ])('is refused if it is not valid: %j', async (times, expected) => {
      const { body } = await put(times).expect(422);
      const found = body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]);
      expect(found).toEqual(expected);
      expect(await scheduleRows()).toEqual([]);
    });

    it('belongs to an entry of the type in the path', async () => {
      const other = await createType(tenant, FIELDS, 'Other');
      const times = { publish_at: inMs(HOUR) };
      await put(times, `${other.entries}/${id}`).expect(404);
      await put(times, `${type.path}/entries/ent_01k9mzh6xze3n8mqsd5wkxp2zt`).expect(404);
      await put(times).expect(200);
      await tenant.http.get(`${other.entries}/${id}/schedule`).expect(404);
      await tenant.http.delete(`${other.entries}/${id}/schedule`).expect(404);
      const bySlug = `/v1/content/${tenant.id}/types/article/entries/${id}`;
      expect(await get(bySlug)).toEqual(await get());
    });

    it('is not for keys of published entries, and is written with content:write only', async () => {
      await put({ publish_at: inMs(HOUR) }).expect(200);
      const published = app.client(`Bearer ${tenant.publishedKey}`);
      await published.get(`${entry}/schedule`).expect(403);
      await published.get(`/v1/content/${tenant.id}/schedule`).expect(403);
      await published.put(`${entry}/schedule`, { publish_at: inMs(HOUR) }).expect(403);
      await published.delete(`${entry}/schedule`).expect(403);
    });
  });

  describe('of a deleted', () => {
    it('entry is deleted with it', async () => {
      await put({ publish_at: inMs(HOUR) }).expect(200);
      await tenant.http.delete(entry).expect(200);
      expect([await scheduleRows(), await dueRows()]).toEqual([[], []]);
    });

    it('content type is deleted with it', async () => {
      const other = await createType(tenant, FIELDS, 'Other');
      const [kept] = await createEntries(tenant, other, [{ fields: { title: 'Kept' } }]);
      await put({ publish_at: inMs(HOUR) }, `${other.entries}/${kept}`).expect(200);
      await put({ publish_at: inMs(HOUR) }).expect(200);
      await tenant.http.delete(type.path).expect(200);
      expect([(await scheduleRows()).length, (await dueRows()).length]).toEqual([1, 1]);
    });

    it('entry never survives it, also if both happen at once', async () => {
      const ids = await createEntries(
        tenant,
        type,
        Array.from({ length: 20 }, (_, index) => ({ fields: { title: `${index}` } })),
      );
      await Promise.all(
        ids.flatMap((one) => [
          put({ publish_at: inMs(HOUR) }, `${type.entries}/${one}`).then(({ status }) => [200, 404].includes(status)),
          tenant.http.delete(`${type.entries}/${one}`).expect(200),
        ]),
      );
      expect([await scheduleRows(), await dueRows()]).toEqual([[], []]);
    });
  });

  describe('that is due', () => {
    it('publishes an entry without a draft within 5 seconds, and is then gone', async () => {
      const publish_at = inMs(1_000);
      await put({ publish_at }).expect(200);
      await until(isGone);
      const late = Date.now() - Date.parse(publish_at);
      expect(late).toBeGreaterThan(0);
      expect(late).toBeLessThan(WITHIN_MS);
      expect(await read()).toMatchObject({ status: 'published', fields: { title: 'One' } });
      expect(await typesOfEvents()).toEqual(['entry.created', 'entry.updated', 'entry.published']);
      expect(await versionsOf()).toMatchObject([
        { version: 2, action: 'scheduled', by: 'schedule', status: 'published', changed: [] },
        { version: 1 },
      ]);
      expect(await dueRows()).toEqual([]);
    });

    it('publishes the draft if there is one', async () => {
      await tenant.http.patch(`${entry}/draft`, { fields: { title: 'Two' } }).expect(200);
      await put({ publish_at: inMs(1_000) }).expect(200);
      await until(isGone);
      expect(await read()).toMatchObject({ status: 'published', fields: { title: 'Two' } });
      await tenant.http.get(`${entry}/draft`).expect(404);
      expect(await typesOfEvents()).toEqual(['entry.created', 'entry.updated', 'entry.published']);
      expect(await versionsOf()).toMatchObject([
        { action: 'scheduled', by: 'schedule', changed: ['title'] },
        { version: 1 },
      ]);
    });

    it('unpublishes, and leaves the draft alone', async () => {
      await tenant.http.patch(entry, { status: 'published' }).expect(200);
      await tenant.http.patch(`${entry}/draft`, { fields: { title: 'Two' } }).expect(200);
      await put({ unpublish_at: inMs(1_000) }).expect(200);
      await until(isGone);
      expect(await read()).toMatchObject({ status: 'draft', fields: { title: 'One' } });
      await tenant.http.get(`${entry}/draft`).expect(200);
      expect((await typesOfEvents()).slice(3)).toEqual(['entry.updated', 'entry.unpublished']);
      expect((await versionsOf())[0]).toMatchObject({ action: 'scheduled', by: 'schedule', status: 'draft' });
    });

    it('keeps the time that remains', async () => {
      const unpublish_at = inMs(HOUR);
      await put({ publish_at: inMs(1_000), unpublish_at }).expect(200);
      await until(async () => (await get()).publish_at === undefined);
      expect(await get()).toEqual({ entry_id: id, content_type_id: type.id, unpublish_at, state: 'pending' });
      expect(await dueRows()).toMatchObject([{ due_at: new Date(unpublish_at), claim: null }]);
    });

    it('may unpublish first', async () => {
      await tenant.http.patch(entry, { status: 'published' }).expect(200);
      const publish_at = inMs(HOUR);
      await put({ unpublish_at: inMs(1_000), publish_at }).expect(200);
      await until(async () => (await get()).unpublish_at === undefined);
      expect(await get()).toMatchObject({ publish_at, state: 'pending' });
      expect(await read()).toMatchObject({ status: 'draft' });
    });

    it('is carried out in the order of its times when both are overdue', async () => {
      await put({ publish_at: inMs(HOUR), unpublish_at: inMs(HOUR + 60_000) }).expect(200);
      await makeDue();
      await until(isGone);
      expect(await read()).toMatchObject({ status: 'draft' });
      expect((await versionsOf()).map(({ status }: { status: string }) => status)).toEqual([
        'draft',
        'published',
        'draft',
      ]);
    });
  });

  describe('that fails', () => {
    const failed = (of = entry) => until(async () => (await get(of)).state === 'failed' && get(of));

    it('because of a conflict keeps the entry, says why and emits an event', async () => {
      await tenant.http.patch(`${entry}/draft`, { fields: { title: 'Two' } }).expect(200);
      await tenant.http.patch(entry, { fields: { title: 'Three' } }).expect(200);
      const publish_at = inMs(1_000);
      const unpublish_at = inMs(HOUR);
      await put({ publish_at, unpublish_at }).expect(200);
      const schedule = await failed();
      expect(schedule).toEqual({
        entry_id: id,
        content_type_id: type.id,
        publish_at,
        unpublish_at,
        state: 'failed',
        problem: {
          type: '/problems/conflict',
          title: 'Conflict',
          status: 409,
          code: 'conflict',
          detail: expect.stringContaining('1 field of the draft was changed'),
          errors: [{ path: 'fields.title', code: 'conflict', message: expect.any(String) }],
        },
      });
      expect(await read()).toMatchObject({ status: 'draft', fields: { title: 'Three' } });
      expect((await events()).slice(2)).toMatchObject([{ type: 'entry.schedule_failed', data: schedule }]);
      expect(await dueRows()).toEqual([]);
      expect((await list()).data).toEqual([schedule]);
    });

    it('because of a missing value can be set again', async () => {
      await tenant.http
        .put(type.path, { fields: [...FIELDS, { name: 'must', type: 'text', required: true }] })
        .expect(200);
      await put({ publish_at: inMs(1_000) }).expect(200);
      expect((await failed()).problem).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: 'fields.must', code: 'required' }],
      });
      await tenant.http.patch(entry, { fields: { must: 'x' } }).expect(200);
      const { body } = await put({ publish_at: inMs(1_000) }).expect(200);
      expect(body.data).toMatchObject({ state: 'pending' });
      expect(body.data).not.toHaveProperty('problem');
      await until(isGone);
      expect(await read()).toMatchObject({ status: 'published' });
    });

    it('because of a unique value that was taken', async () => {
      await tenant.http.patch(`${entry}/draft`, { fields: { slug: 'taken' } }).expect(200);
      await createEntries(tenant, type, [{ fields: { title: 'Other', slug: 'taken' } }]);
      await put({ publish_at: inMs(1_000) }).expect(200);
      expect((await failed()).problem.errors).toMatchObject([{ path: 'fields.slug', code: 'unique' }]);
    });

    it('carries out nothing more, and can be deleted', async () => {
      await tenant.http.patch(`${entry}/draft`, { fields: { title: 'Two' } }).expect(200);
      await tenant.http.patch(entry, { fields: { title: 'Three' }, status: 'published' }).expect(200);
      await put({ publish_at: inMs(1_000), unpublish_at: inMs(1_001) }).expect(200);
      await failed();
      expect(await dueRows()).toEqual([]);
      expect(await read()).toMatchObject({ status: 'published' });
      await tenant.http.delete(`${entry}/schedule`).expect(200);
    });

    it('does not stop others', async () => {
      const ids = await createEntries(tenant, type, [{ fields: { title: 'A' } }, { fields: { title: 'B' } }]);
      await tenant.http.patch(`${entry}/draft`, { fields: { title: 'Two' } }).expect(200);
      await tenant.http.patch(entry, { fields: { title: 'Three' } }).expect(200);
      const at = inMs(1_000);
      for (const one of [id, ...ids]) await put({ publish_at: at }, `${type.entries}/${one}`).expect(200);
      for (const one of ids) await until(() => isGone(`${type.entries}/${one}`));
      await failed();
    });
  });

  describe('in the list', () => {
    it('is ordered by the earliest time that remains, with pages, cursors, from and to', async () => {
      const ids = await createEntries(tenant, type, [
        { fields: { title: 'A' } },
        { fields: { title: 'B' } },
        { fields: { title: 'C' } },
      ]);
      const at = (hour: number) => `2100-01-01T0${hour}:00:00.000Z`;
      const [a, b, c] = ids;
      await put({ publish_at: at(5), unpublish_at: at(2) }, `${type.entries}/${a}`).expect(200);
      await put({ publish_at: at(3) }, `${type.entries}/${b}`).expect(200);
      await put({ unpublish_at: at(1) }, `${type.entries}/${c}`).expect(200);
      await put({ publish_at: at(3) }).expect(200);
      const idsOf = ({ data }: { data: { entry_id: string }[] }) => data.map(({ entry_id }) => entry_id);
      const tied = [b, id].sort();
      const whole = await list();
      expect(idsOf(whole)).toEqual([c, a, ...tied]);
      expect(whole.meta).toEqual({ page: 1, per_page: 25, total: 4 });
      expect(idsOf(await list('?page=2&per_page=3'))).toEqual([tied[1]]);
      const walked: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await list(`?cursor=${cursor}&per_page=1&from=${at(2)}`);
        walked.push(...idsOf(page));
        cursor = page.meta.next_cursor;
      }
      expect(walked).toEqual([a, ...tied]);
      expect(idsOf(await list(`?from=${at(2)}&to=${at(3)}`))).toEqual([a, ...tied]);
      expect(idsOf(await list('?to=2100-01-01T03:00:00%2B02:00'))).toEqual([c]);
      expect(idsOf(await list('?to=2100-01-01T03:00:00+02:00'))).toEqual([c]);
      expect(idsOf(await list(`?from=${at(4)}`))).toEqual([]);
      expect(idsOf(await list('?from=2100-01-01&to=2100-01-01'))).toEqual([c, a, ...tied]);
      expect(idsOf(await list('?to=2099-12-31'))).toEqual([]);
      const { meta } = await list('?cursor=&per_page=1');
      const { body } = await tenant.http
        .get(`/v1/content/${tenant.id}/schedule?from=${at(1)}&cursor=${meta.next_cursor}`)
        .expect(400);
      expect(body.code).toBe('invalid_parameter');
    });

    it('is found by a day or a time with an offset only', async () => {
      for (const time of ['', 'x', '2100-02-30', '2100-01-01T00:00:00']) {
        for (const name of ['from', 'to']) {
          const { body } = await tenant.http.get(`/v1/content/${tenant.id}/schedule?${name}=${time}`).expect(400);
          expect(body.errors).toMatchObject([{ path: name }]);
        }
      }
    });

    it('is of the tenant only', async () => {
      await put({ publish_at: inMs(HOUR) }).expect(200);
      const other = app.tenant();
      const { body } = await other.http.get(`/v1/content/${other.id}/schedule`).expect(200);
      expect(body.data).toEqual([]);
    });
  });

  describe('that a worker has claimed', () => {
    /** As a worker leaves it that died after its claim, which ends after `ms`. */
    const claimed = (ms: number) =>
      app.database.query(
        `UPDATE scheduled_jobs SET claim = $3::uuid, next_at = now() + $2 * interval '1 millisecond' WHERE tenant_id = $1`,
        [tenant.id, ms, newUuid()],
      );

    it('is carried out by another one when the claim ends', async () => {
      await put({ publish_at: inMs(HOUR) }).expect(200);
      await makeDue();
      await put({ publish_at: inMs(700) }).expect(200);
      await claimed(2_000);
      await sleep(1_200);
      expect(await isGone()).toBe(false);
      await until(isGone);
      expect((await versionsOf()).length).toBe(2);
    });

    it('can be replaced or deleted meanwhile', async () => {
      await put({ publish_at: inMs(HOUR) }).expect(200);
      await claimed(HOUR);
      const publish_at = inMs(1_000);
      await put({ publish_at }).expect(200);
      await until(isGone);
      expect(await read()).toMatchObject({ status: 'published' });
      await put({ unpublish_at: inMs(HOUR) }).expect(200);
      await claimed(HOUR);
      await tenant.http.delete(`${entry}/schedule`).expect(200);
      expect(await dueRows()).toEqual([]);
    });

    it('and then replaced at any moment, keeps what was set last', async () => {
      // Each round replaces the schedule about when it is due.
      for (let round = 0; round < 5; round++) {
        await put({ publish_at: inMs(HOUR) }).expect(200);
        await makeDue();
        await sleep(150 * round);
        const unpublish_at = inMs(HOUR + round);
        await put({ unpublish_at }).expect(200);
        expect(await get()).toMatchObject({ unpublish_at, state: 'pending' });
        expect(await dueRows()).toMatchObject([{ due_at: new Date(unpublish_at) }]);
      }
    });
  });
});

/** Pending schedules without scheduled jobs, scheduled jobs without a pending schedule, and schedules without an entry. */
const INCONSISTENT = `
  SELECT s.entry_id FROM entry_schedules s
    LEFT JOIN scheduled_jobs w ON w.tenant_id = s.tenant_id AND w.kind = 'schedule' AND w.key = s.entry_id
    LEFT JOIN entries e ON e.tenant_id = s.tenant_id AND e.content_type_id = s.content_type_id AND e.id = s.entry_id
    WHERE s.tenant_id = $1 AND (e.id IS NULL OR (s.problem IS NULL) <> (w.key IS NOT NULL) OR w.due_at <> least(s.publish_at, s.unpublish_at))
  UNION ALL
  SELECT w.key FROM scheduled_jobs w LEFT JOIN entry_schedules s ON s.tenant_id = w.tenant_id AND s.entry_id = w.key
    WHERE w.tenant_id = $1 AND s.entry_id IS NULL`;

describe('schedules of several workers', () => {
  let database: TestDatabase;
  let apps: TestApp[];
  beforeAll(async () => {
    database = await createDatabase();
    const first = await startApp({}, { database });
    const second = await startApp({}, { database });
    apps = [first, second];
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await database.drop();
  });

  it('stay consistent while entries, drafts and schedules change and times pass', async () => {
    const [app] = apps;
    if (!app) throw new Error('No application was started.');
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS);
    const doomed = await createType(tenant, FIELDS, 'Doomed');
    const entries: string[] = [];
    for (const { entries: path } of [type, doomed]) {
      const values = Array.from({ length: 10 }, (_, index) => ({ fields: { title: `${index}` } }));
      const ids = await createEntries(tenant, path === type.entries ? type : doomed, values);
      entries.push(...ids.map((id) => `${path}/${id}`));
    }
    const soon = () => inMs(100 + Math.random() * 900);
    const actions: ((entry: string) => Promise<{ status: number }>)[] = [
      async (entry) => tenant.http.put(`${entry}/schedule`, { publish_at: soon(), unpublish_at: soon() }),
      async (entry) => tenant.http.put(`${entry}/schedule`, { publish_at: soon() }),
      async (entry) => tenant.http.put(`${entry}/schedule`, { unpublish_at: soon() }),
      async (entry) => tenant.http.delete(`${entry}/schedule`),
      async (entry) => tenant.http.patch(entry, { fields: { title: `${Math.random()}` } }),
      async (entry) => tenant.http.patch(`${entry}/draft`, { fields: { title: `${Math.random()}` } }),
      async (entry) => tenant.http.post(`${entry}/draft/publish?force=true`),
      async (entry) => (Math.random() < 0.05 ? tenant.http.delete(entry) : tenant.http.get(`${entry}/schedule`)),
    ];
    const statuses = new Set<number>();
    const end = Date.now() + 6_000;
    const pick = <One>(list: readonly One[]) => list[Math.floor(Math.random() * list.length)] as One;
    const lane = async () => {
      while (Date.now() < end) statuses.add((await pick(actions)(pick(entries))).status);
    };
    const lanes = Array.from({ length: 8 }, lane);
    await sleep(4_000);
    await tenant.http.delete(doomed.path).expect(200);
    await Promise.all(lanes);
    expect([...statuses].filter((status) => ![200, 404, 409, 422].includes(status))).toEqual([]);
    await until(
      async () => (await database.query('SELECT 1 FROM scheduled_jobs WHERE tenant_id = $1', [tenant.id])).length === 0,
    );
    expect(await database.query(INCONSISTENT, [tenant.id])).toEqual([]);
    const late = await database.query(`SELECT 1 FROM scheduled_jobs WHERE attempts > 0`);
    expect(late).toEqual([]);
    await expectConsistentContent(database, tenant.id);
  }, 240_000);

  it('are each carried out once, also many at one time, and those of another tenant do not wait', async () => {
    const [app] = apps;
    if (!app) throw new Error('No application was started.');
    const [busy, quiet] = [app.tenant(), app.tenant()];
    const seeded = async (tenant: TestTenant, count: number) => {
      const type = await createType(tenant, FIELDS);
      const ids = await createEntries(
        tenant,
        type,
        Array.from({ length: count }, (_, index) => ({ fields: { title: `${index}` } })),
      );
      const at = inMs(HOUR);
      for (let from = 0; from < ids.length; from += 50) {
        await Promise.all(
          ids
            .slice(from, from + 50)
            .map((id) => tenant.http.put(`${type.entries}/${id}/schedule`, { publish_at: at }).expect(200)),
        );
      }
    };
    await seeded(busy, 300);
    await seeded(quiet, 5);
    const left = async (tenantId: string) =>
      (await database.query('SELECT 1 FROM scheduled_jobs WHERE tenant_id = $1', [tenantId])).length;
    await database.query(`UPDATE scheduled_jobs SET next_at = now(), due_at = now()`);
    const start = Date.now();
    await until(async () => (await left(quiet.id)) === 0);
    expect(Date.now() - start).toBeLessThan(WITHIN_MS);
    await until(async () => (await left(busy.id)) === 0, 30_000);
    const versions = await database.query<{ count: string }>(
      `SELECT count(*) FROM versions WHERE tenant_id = $1 AND summary LIKE '%"scheduled"%' GROUP BY resource_id`,
      [busy.id],
    );
    expect(versions.map(({ count }) => count)).toEqual(Array(300).fill('1'));
    const published = await database.query<{ count: string }>(
      `SELECT count(*) FROM events WHERE tenant_id = $1 AND type = 'entry.published'`,
      [busy.id],
    );
    expect(published).toEqual([{ count: '300' }]);
    await expectConsistentContent(database, busy.id);
  }, 240_000);
});
