import { EventErasure } from '../../src/events/event-erasure.js';
import { ErasureTimes } from '../../src/forms/retention/erasure-times.js';
import { firstUuidOf, parseId } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import {
  counted,
  CV,
  cv,
  fileForm,
  nothingLeft,
  storedFiles,
  submit,
  submitted,
  type TestForm,
} from '../support/file-forms.js';
import { filesBelow } from '../support/files-below.js';
import { startS3 } from '../support/s3.js';
import { expectServerErrors } from '../support/server-errors.js';
import { until } from '../support/until.js';

const DAY_MS = 86_400_000;
const FIELDS = [
  { ...CV, multiple: true },
  { name: 'email', type: 'email' },
];

describe('the files of a submission', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
    app.get(ErasureTimes).late = 1_500;
  });
  afterAll(() => app.close());

  const two = (name = 'a') => [cv(`${name} one`, `${name}1.txt`), cv(`${name} two`, `${name}2.txt`)];
  const email = (data: string) => ({ name: 'email', data });
  const dueAt = async (tenant: TestTenant) => {
    const rows = await app.database.query<{ dueAt: Date }>(
      `SELECT due_at AS "dueAt" FROM scheduled_jobs WHERE tenant_id = $1 AND kind = 'spam_files'`,
      [tenant.id],
    );
    return rows.map((row) => row.dueAt.getTime());
  };
  const comeDue = (tenant: TestTenant) =>
    app.database.query(
      `UPDATE scheduled_jobs SET due_at = now(), next_at = now() WHERE tenant_id = $1 AND kind = 'spam_files'`,
      [tenant.id],
    );
  const filesOf = async (tenant: TestTenant, path: string) =>
    (await tenant.http.get(path).expect(200)).body.data.files as unknown[];

  describe('are deleted, and counted back, with', () => {
    const cases: [string, (tenant: TestTenant, form: TestForm, paths: string[], ids: string[]) => Promise<unknown>][] =
      [
        [
          'each submission',
          async (tenant, _form, paths) => {
            for (const path of paths) await tenant.http.delete(path).expect(200);
          },
        ],
        [
          'several submissions',
          (tenant, { submissions }, _paths, ids) => tenant.http.post(`${submissions}/delete`, { ids }).expect(200),
        ],
        [
          'several submissions and an Idempotency-Key',
          (tenant, { submissions }, _paths, ids) =>
            tenant.http.post(`${submissions}/delete`, { ids }).set('Idempotency-Key', 'one').expect(200),
        ],
        ['the form', (tenant, { path }) => tenant.http.delete(path).expect(200)],
        [
          'the submissions that are too old',
          async (tenant, { path }, _paths, ids) => {
            for (const [index, id] of ids.entries()) {
              const older = firstUuidOf(new Date(Date.now() - 40 * DAY_MS - index));
              for (const [table, column] of [
                ['submissions', 'id'],
                ['submission_values', 'submission_id'],
                ['submission_files', 'submission_id'],
              ]) {
                await app.database.query(`UPDATE ${table} SET ${column} = $2 WHERE tenant_id = $1 AND ${column} = $3`, [
                  tenant.id,
                  older,
                  parseId('sub', id),
                ]);
              }
            }
            await tenant.http.patch(path, { settings: { retention_days: 30 } }).expect(200);
          },
        ],
        [
          'the submissions of an address',
          async (tenant) => {
            const erasures = `/v1/forms/${tenant.id}/erasures`;
            const { body } = await tenant.http.post(erasures, { email: 'Ada@Example.com' }).expect(202);
            const erasure = await until(async () => {
              const { data } = (await tenant.http.get(`${erasures}/${body.data.id}`).expect(200)).body;
              return data.state === 'done' && data;
            });
            expect(erasure).toMatchObject({ submissions: 2, files: 4 });
          },
        ],
      ];

    it.each(cases)('%s', async (_, remove) => {
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const form = await fileForm(tenant, FIELDS);
      const kept = await fileForm(tenant, FIELDS);
      const others = await submitted(app, tenant, kept, [...two('c'), email('bob@example.com')]);
      const first = await submitted(app, tenant, form, [...two(), email('ada@example.com')]);
      const second = await submitted(app, tenant, form, [...two('b'), email('ada@example.com')]);
      expect((await counted(app, tenant))[0]).toBe(6);
      expect((await storedFiles(app)).length - before.length).toBe(6);
      await remove(tenant, form, [first.path, second.path], [first.id, second.id]);
      await until(async () => (await counted(app, tenant))[0] === 2);
      await until(async () => (await storedFiles(app)).length - before.length === 2);
      await tenant.http.get(`${first.path}/files/${first.files[0]?.id}`).expect(404);
      for (const { id } of others.files) await tenant.http.get(`${others.path}/files/${id}`).expect(200);
      await tenant.http.delete(others.path).expect(200);
      await nothingLeft(app, tenant, before);
    });
  });

  it('stay if the deletion is rolled back', async () => {
    expectServerErrors(500);
    const tenant = app.tenant();
    const { path, files } = await submitted(app, tenant, await fileForm(tenant, FIELDS), two());
    jest.spyOn(app.get(EventErasure), 'erase').mockRejectedValueOnce(new Error('broken'));
    await tenant.http.delete(path).expect(500);
    const work = await app.database.query(`SELECT 1 FROM scheduled_jobs WHERE tenant_id = $1`, [tenant.id]);
    expect([work, await counted(app, tenant)]).toEqual([[], [2, 10]]);
    for (const file of files) await tenant.http.get(`${path}/files/${file.id}`).expect(200);
  });

  describe('of spam', () => {
    const spam = { max_links: 0, honeypot: 'website' };
    const trapped = [...two(), { name: 'website', data: 'x' }];

    it('are deleted after seven days, and the submission stays', async () => {
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const form = await fileForm(tenant, FIELDS, { spam });
      const ok = await submitted(app, tenant, form, two('b'));
      expect(await dueAt(tenant)).toEqual([]);
      const { path, verdict, files, fields } = await submitted(app, tenant, form, trapped);
      expect([verdict, files.length]).toEqual(['spam', 2]);
      const [at = 0] = await dueAt(tenant);
      expect(Math.abs(at - Date.now() - 7 * DAY_MS)).toBeLessThan(DAY_MS / 24);
      await tenant.http.get(`${path}/files/${files[0]?.id}`).expect(200);
      await comeDue(tenant);
      await until(async () => (await filesOf(tenant, path)).length === 0);
      await tenant.http.get(`${path}/files/${files[0]?.id}`).expect(404);
      await until(async () => (await storedFiles(app)).length - before.length === 2);
      expect((await tenant.http.get(path).expect(200)).body.data).toMatchObject({ fields, verdict: 'spam' });
      expect((await counted(app, tenant))[0]).toBe(2);
      expect(await dueAt(tenant)).toEqual([]);
      expect(await filesOf(tenant, ok.path)).toHaveLength(2);
      await tenant.http.post(`${path}/release`).expect(200);
      expect(await filesOf(tenant, path)).toEqual([]);
    });

    it('are kept if it is released, and go seven days after it was marked', async () => {
      const tenant = app.tenant();
      const form = await fileForm(tenant, FIELDS, { spam });
      const { path } = await submitted(app, tenant, form, trapped);
      const released = await tenant.http.post(`${path}/release`).expect(200);
      expect(released.body.data.files).toHaveLength(2);
      expect(await dueAt(tenant)).toEqual([]);
      const marked = await tenant.http.post(`${path}/mark-spam`).expect(200);
      expect(marked.body.data.files).toHaveLength(2);
      expect(await dueAt(tenant)).toHaveLength(1);
      await comeDue(tenant);
      await until(async () => (await filesOf(tenant, path)).length === 0);
      expect(await counted(app, tenant)).toEqual([0, 0]);
    });

    it('leave no work behind when it is deleted', async () => {
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const form = await fileForm(tenant, FIELDS, { spam });
      const { path } = await submitted(app, tenant, form, trapped);
      await tenant.http.delete(path).expect(200);
      await comeDue(tenant);
      await until(async () => (await dueAt(tenant)).length === 0);
      await nothingLeft(app, tenant, before);
    });
  });
});

describe('the files of a submission in a bucket', () => {
  it('are stored, downloaded in parts, and removed', async () => {
    const s3 = await startS3();
    const app = await startApp(s3.env);
    try {
      const tenant = app.tenant();
      const form = await fileForm(tenant);
      const { path, files } = await submitted(app, tenant, form, [cv('0123456789', 'a.txt')]);
      const objects = async () => (await filesBelow(s3.folder)).filter((path) => path.includes('private'));
      expect((await objects()).length).toBeGreaterThan(0);
      const file = `${path}/files/${files[0]?.id}`;
      expect((await tenant.http.get(file).buffer().expect(200)).text).toBe('0123456789');
      expect((await tenant.http.get(file).set('Range', 'bytes=3-5').buffer().expect(206)).text).toBe('345');
      await app
        .client()
        .get(`/media/${tenant.id}/${(files[0]?.id ?? '').replace('fil', 'med')}.txt`)
        .expect(404);
      await tenant.http.delete(path).expect(200);
      await nothingLeft(app, tenant);
      await until(async () => (await objects()).length === 0);
      expect((await submit(app, form.submissions, [cv('a')])).status).toBe(201);
    } finally {
      await app.close();
      await s3.stop();
    }
  });
});
