import { OnlineChanges } from '../../src/content/schema-changes/online/online-changes.service.js';
import { parseId } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { ACTIVITY } from '../support/citus.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createDrafts, createEntries, createType, type TestType } from '../support/content.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'title', type: 'text' },
  { name: 'n', type: 'integer', unique: true },
  { name: 'tags', type: 'text', multiple: true },
];
const RENAMED = [
  { name: 'headline', type: 'text', renamed_from: 'title' },
  { name: 'n', type: 'text', unique: true },
  { name: 'tags', type: 'text', multiple: true },
];
const ASYNC = { Prefer: 'respond-async' };

describe('a change of a content type in the background', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => {
    tenant = app.tenant();
  });
  afterEach(() => expectConsistentContent(app.database, tenant.id));
  afterAll(() => app.close());

  const change = async (type: TestType, fields: object[]): Promise<string> => {
    const { headers, body } = await tenant.http.put(type.path, { fields }).set(ASYNC).expect(202);
    expect(body.data).toMatchObject({ id: expect.stringMatching(/^chg_/), state: 'running' });
    expect(headers.location).toBe(`/v1/content/${tenant.id}/changes/${body.data.id}`);
    return headers.location ?? '';
  };
  const ended = async (path: string) => {
    let data:
      { state: string; processed: number; total: number; problem?: { code: string; detail: string } } | undefined;
    await until(async () => {
      ({ data } = (await tenant.http.get(path).expect(200)).body);
      return data?.state !== 'running';
    });
    return data;
  };
  const fieldsOf = async (type: TestType, id: string | undefined) =>
    (await tenant.http.get(`${type.entries}/${id}`).expect(200)).body.data.fields;
  const total = async (type: TestType, query: string) =>
    (await tenant.http.get(`${type.entries}?${query}`).expect(200)).body.meta.total;
  /** Waits until nothing is left of changes. Their scheduled jobs are settled after they have ended. */
  const cleared = () =>
    until(async () => {
      const rows = await app.database.query(
        `SELECT id::text FROM entries WHERE tenant_id = $1 AND (prepared IS NOT NULL OR prepared_from IS NOT NULL)
        UNION ALL SELECT id::text FROM content_types WHERE tenant_id = $1 AND change_id IS NOT NULL
        UNION ALL SELECT key::text FROM scheduled_jobs WHERE tenant_id = $1`,
        [tenant.id],
      );
      return rows.length === 0;
    }, 15_000);
  const many = (type: TestType, count: number) =>
    Promise.all(
      Array.from({ length: 20 }, async (_, lane) => {
        const ids: string[] = [];
        for (let n = lane; n < count; n += 20) {
          ids.push(...(await createDrafts(tenant, type, { title: `Title ${n}`, n, tags: [`t${n % 3}`] })));
        }
        return ids;
      }),
    ).then((lanes) => lanes.flat());

  it('is answered with 202 and its path if the client prefers that', async () => {
    const type = await createType(tenant, FIELDS);
    const [id, other] = await createEntries(tenant, type, [
      { fields: { title: 'Tides', n: 1, tags: ['a'] } },
      { fields: { n: 2 } },
    ]);
    await tenant.http.patch(`${type.entries}/${id}/draft`, { fields: { title: 'Draft' } }).expect(200);
    const path = await change(type, RENAMED);
    expect(await ended(path)).toMatchObject({ state: 'done', processed: 2, total: 2 });
    expect(await fieldsOf(type, id)).toEqual({ headline: 'Tides', n: '1', tags: ['a'] });
    expect(await fieldsOf(type, other)).toEqual({ n: '2' });
    expect(await total(type, 'filter[headline]=Tides&sort=n')).toBe(1);
    expect(await total(type, 'search=tides')).toBe(1);
    expect((await tenant.http.get(`${type.entries}/${id}/draft`)).body.data.fields.headline).toBe('Draft');
    expect((await tenant.http.get(`${type.entries}/${id}/versions/1`)).body.data.fields.headline).toBe('Tides');
    await tenant.http.post(type.entries, { fields: { n: '1' } }).expect(422);
    const got = await tenant.http.get(type.path).expect(200);
    expect(got.headers.etag).toBe('"v2"');
    // What was indexed under other names can be changed again, in both ways.
    await tenant.http
      .put(type.path, {
        fields: [
          { name: 'n', type: 'text', renamed_from: 'headline' },
          { name: 'm', type: 'integer', unique: true, renamed_from: 'n' },
        ],
      })
      .expect(200);
    expect(await fieldsOf(type, id)).toEqual({ n: 'Tides', m: 1 });
    await expect(ended(await change(type, FIELDS))).resolves.toMatchObject({ state: 'failed' });
    await expect(ended(await change(type, [{ name: 'a', type: 'text', renamed_from: 'n' }]))).resolves.toMatchObject({
      state: 'done',
    });
    expect(await fieldsOf(type, id)).toEqual({ a: 'Tides' });
    await tenant.http.put(type.path, { fields: [{ name: 'm', type: 'integer', unique: true }] }).expect(200);
    expect(await fieldsOf(type, id)).toEqual({ m: 1 });
    await cleared();
    await app.client().get(path).expect(401);
    await app.tenant().http.get(path).expect(403);
    await tenant.http.get(`/v1/content/${tenant.id}/changes/chg_00000000000000000000000000`).expect(404);
  });

  it.each([
    ['makes a field unique', { name: 'title', type: 'text', unique: true }],
    ['changes the type of a field', { name: 'title', type: 'json' }],
    ['converts a field', { name: 'title', type: 'rich_text' }],
    ['tightens a field', { name: 'title', type: 'text', max: 100 }],
  ])('keeps the values of removed fields if it %s', async (_what, title) => {
    const type = await createType(tenant, FIELDS);
    const [id] = await createDrafts(tenant, type, { title: 'Tides', n: 1, tags: ['a'] });
    for (const fields of [FIELDS.slice(0, 1), [title]]) {
      await expect(ended(await change(type, fields))).resolves.toMatchObject({ state: 'done' });
    }
    expect(await fieldsOf(type, id)).toEqual({ title: 'Tides' });
    await expect(ended(await change(type, [title, ...FIELDS.slice(1)]))).resolves.toMatchObject({ state: 'done' });
    expect(await fieldsOf(type, id)).toEqual({ title: 'Tides', n: 1, tags: ['a'] });
    await cleared();
  });

  it('does not wait if its answer commits with the change', async () => {
    const type = await createType(tenant, FIELDS);
    const large = 'x'.repeat(900_000);
    for (let n = 0; n < 5; n++) await createDrafts(tenant, type, { title: large, n });
    const key = { 'Idempotency-Key': `rename-${type.id}` };
    const first = await tenant.http.put(type.path, { fields: RENAMED }).set(key).expect(202);
    const again = await tenant.http.put(type.path, { fields: RENAMED }).set(key).expect(202);
    expect(again.body).toEqual(first.body);
    expect(await ended(first.headers.location ?? '')).toMatchObject({ state: 'done', total: 5 });
  });

  it('fails with the problem of the update, and changes nothing', async () => {
    const type = await createType(tenant, FIELDS);
    const [id] = await createDrafts(tenant, type, { title: 'a', n: 5 }, { title: 'b', n: 50 }, { title: 'a', n: 500 });
    for (const [field, count] of [
      [{ name: 'n', type: 'integer', unique: true, max: 10 }, '2 entries'],
      [{ name: 'n', type: 'boolean' }, '3 entries'],
    ] as const) {
      const failed = await ended(
        await change(type, [{ name: 'headline', type: 'text', renamed_from: 'title' }, field]),
      );
      expect(failed).toMatchObject({ state: 'failed', problem: { code: 'conflict', status: 409 } });
      expect(failed?.problem?.detail).toContain(count);
      expect(failed?.problem).not.toHaveProperty('request_id');
    }
    const twice = await ended(await change(type, [{ name: 'title', type: 'text', unique: true }]));
    expect(twice).toMatchObject({ state: 'failed', problem: { code: 'conflict' } });
    expect(await fieldsOf(type, id)).toEqual({ title: 'a', n: 5 });
    expect((await tenant.http.get(type.path)).headers.etag).toBe('"v1"');
    expect(await total(type, 'filter[title]=a&sort=title')).toBe(2);
    await cleared();
  });

  it('lets no other change of the type begin, but its deletion', async () => {
    const type = await createType(tenant, FIELDS);
    await createDrafts(tenant, type, { n: 1 });
    const carryOut = jest.spyOn(app.get(OnlineChanges), 'carryOut').mockRejectedValue(new Error('It waits.'));
    const path = await change(type, RENAMED);
    await tenant.http.put(type.path, { name: 'Other' }).expect(409);
    await tenant.http.put(type.path, { fields: FIELDS }).set(ASYNC).expect(409);
    await tenant.http.put(`${type.path}?dry_run=true`, { fields: FIELDS }).expect(200);
    await tenant.http.delete(type.path).expect(200);
    await tenant.http.get(path).expect(404);
    carryOut.mockRestore();
    await cleared();
  });

  it.each(['prepare', 'catch_up', 'review', 'switch', 'fold', 'sweep'])(
    'is carried on after a worker died in the phase %s',
    async (phase) => {
      const type = await createType(tenant, FIELDS);
      const [id] = await createDrafts(tenant, type, { title: 'a', n: 1 }, { title: 'b', n: 2 });
      const worker = app.get(OnlineChanges) as unknown as { step: (...args: unknown[]) => Promise<void> };
      const step = worker.step.bind(worker);
      let deaths = 0;
      // The batch is done, but not committed.
      const dying = jest.spyOn(worker, 'step').mockImplementation(async (...args) => {
        await step(...args);
        const { change } = args[2] as { change: { phase: string } };
        if (change.phase === phase && deaths++ === 0) throw new Error('The worker died.');
      });
      const path = await change(type, RENAMED);
      expect(await ended(path)).toMatchObject({ state: 'done' });
      dying.mockRestore();
      expect(deaths).toBeGreaterThan(0);
      expect(await fieldsOf(type, id)).toEqual({ headline: 'a', n: '1' });
      expect(await total(type, 'filter[n]=2')).toBe(1);
      await cleared();
    },
  );

  it('leaves nothing of an entry whose deletion waited for a batch', async () => {
    const type = await createType(tenant, FIELDS);
    const [id] = await createDrafts(tenant, type, { title: 'a', n: 1 }, { title: 'b', n: 2 });
    const worker = app.get(OnlineChanges) as unknown as { step: (...args: unknown[]) => Promise<void> };
    const step = worker.step.bind(worker);
    let deletion: Promise<unknown> | undefined;
    // The batch is done, but not committed.
    const waiting = jest.spyOn(worker, 'step').mockImplementation(async (...args) => {
      await step(...args);
      if (deletion) return;
      deletion = tenant.http.delete(`${type.entries}/${id}`).expect(200).then();
      const blocked = `SELECT 1 FROM ${ACTIVITY}
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%DELETE FROM %entries%'`;
      await until(async () => (await app.database.query(blocked)).length > 0);
    });
    expect(await ended(await change(type, RENAMED))).toMatchObject({ state: 'done' });
    waiting.mockRestore();
    await deletion;
    expect(await total(type, 'sort=headline')).toBe(1);
  });

  it('looks once at what is written beside it, and also at what a late clock and a long transaction wrote', async () => {
    const type = await createType(tenant, FIELDS);
    const [late, long] = await createDrafts(tenant, type, { title: 'Late', n: 1_000 }, { title: 'Long', n: 1_001 });
    const write = (id: string | undefined, time: string) =>
      app.database.query(
        `UPDATE entries SET version = version + 1, updated_at = ${time} WHERE tenant_id = $1 AND id = $2`,
        [tenant.id, parseId('ent', id ?? '')],
      );
    const worker = app.get(OnlineChanges) as unknown as {
      step: (
        transaction: unknown,
        tenantId: string,
        work: { change: { phase: string; since: string } },
      ) => Promise<void>;
    };
    const step = worker.step.bind(worker);
    const looks: number[] = [];
    const stepping = jest.spyOn(worker, 'step').mockImplementation(async (transaction, tenantId, work) => {
      if (tenantId === tenant.id && work.change.phase === 'catch_up') {
        looks.push(Date.parse(work.change.since));
        if (looks.length === 1) await many(type, 150);
        else if (looks.length === 2) {
          await write(late, `now() - interval '100 seconds'`);
          // Its time is passed already when it commits.
          await write(
            long,
            `(SELECT created_at FROM schema_changes WHERE tenant_id = $1) - interval '119990 milliseconds'`,
          );
        }
      }
      return step(transaction, tenantId, work);
    });
    const began = Date.now();
    expect(await ended(await change(type, RENAMED))).toMatchObject({ state: 'done' });
    stepping.mockRestore();
    expect(looks.length).toBeGreaterThanOrEqual(2);
    const [first = 0, second = 0] = looks;
    expect(first).toBeLessThanOrEqual(Date.now() - 120_000);
    expect(second).toBeGreaterThan(first);
    expect(second).toBeGreaterThanOrEqual(began - 120_000);
    expect(await fieldsOf(type, late)).toEqual({ headline: 'Late', n: '1000' });
    expect(await fieldsOf(type, long)).toEqual({ headline: 'Long', n: '1001' });
    expect(await total(type, 'filter[n]=149')).toBe(1);
    await cleared();
  });

  it('loses no write and keeps every index right while entries are created, changed and deleted', async () => {
    const type = await createType(tenant, FIELDS);
    const ids = await many(type, 1_010);
    const expected = new Map<string, string>();
    const gone = new Set<string>();
    let isDone = false;
    let longest = 0;
    let writes = 0;
    const timed = async <Result>(request: PromiseLike<Result>): Promise<Result> => {
      const began = performance.now();
      const result = await request;
      longest = Math.max(longest, performance.now() - began);
      writes++;
      return result;
    };
    const isNew = async () => (await tenant.http.get(type.path)).body.data.fields[0].name === 'headline';
    const writers = [0, 1, 2].map(async (lane) => {
      for (let round = lane; !isDone; round += 3) {
        const id = ids[(round * 7) % ids.length] ?? '';
        if (gone.has(id)) continue;
        if (round % 11 === 0) {
          gone.add(id);
          expected.delete(id);
          await timed(tenant.http.delete(`${type.entries}/${id}`).expect(200));
          continue;
        }
        const value = `Round ${round}`;
        for (const name of (await isNew()) ? ['headline'] : ['title', 'headline']) {
          const { status } = await timed(tenant.http.patch(`${type.entries}/${id}`, { fields: { [name]: value } }));
          if (status === 200) expected.set(id, value);
          if (status === 200 || gone.has(id)) break;
          expect(status).toBe(422);
        }
      }
    });
    const reader = (async () => {
      while (!isDone) {
        const began = performance.now();
        const { body } = await tenant.http.get(`${type.entries}?sort=n&per_page=50`).expect(200);
        longest = Math.max(longest, performance.now() - began);
        const names = new Set(
          body.data.flatMap(({ fields }: { fields: object }) => ['title', 'headline'].filter((name) => name in fields)),
        );
        expect(names.size).toBe(1);
      }
    })();
    // Without the preference, the request waits.
    const { body, headers } = await tenant.http.put(type.path, { fields: RENAMED }).expect(200);
    isDone = true;
    await Promise.all([...writers, reader]);
    expect(body.data.fields[0]).toEqual({ name: 'headline', type: 'text' });
    expect(headers.etag).toBe('"v2"');
    expect(writes).toBeGreaterThan(10);
    expect(longest).toBeLessThan(15_000);
    for (const [id, headline] of expected) expect(await fieldsOf(type, id)).toMatchObject({ headline });
    await cleared();
  }, 360_000);
});
