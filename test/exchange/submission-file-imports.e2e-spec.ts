import { Tenants } from '../../src/tenants/tenants.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import {
  counted,
  CV,
  cv,
  faults,
  fileForm,
  MULTIPART,
  nothingLeft,
  storedFiles,
  submitted,
  type TestForm,
} from '../support/file-forms.js';
import { files } from '../support/files.js';
import { makeKey } from '../support/make-key.js';
import { storedEvents } from '../support/stored-events.js';
import { multipart, type Part } from '../support/upload.js';

const ID = 'sub_01hn5rw000e008000000000001';
const LINE = { id: ID, fields: { cv: 'cv.pdf' }, created_at: '2024-01-22T10:00:00.000Z' };

describe('an import of a submission with its files', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const submission = (line: unknown = LINE): Part => ({ name: 'submission', data: JSON.stringify(line) });
  const send = (tenant: TestTenant, { submissions }: TestForm, parts: readonly Part[], key = tenant.key) =>
    app
      .client(`Bearer ${key}`)
      .post(`${submissions}/import`)
      .set('Content-Type', MULTIPART)
      .buffer()
      .parse((response, done) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => done(null, JSON.parse(text)));
      })
      .ok(() => true)
      .send(multipart(parts));
  const done = (counts: object) => ({ done: true, created: 0, unchanged: 0, failed: 0, ...counts });
  const full = async (tenant: TestTenant, { submissions }: TestForm, id = ID) =>
    (await tenant.http.get(`${submissions}/${id}`).expect(200)).body.data;

  it('brings both back: the submission as it was, and the files with new IDs', async () => {
    const tenant = app.tenant();
    const from = await fileForm(tenant, [
      { name: 'name', type: 'text' },
      { ...CV, multiple: true },
    ]);
    const before = await submitted(app, tenant, from, [
      { name: 'name', data: 'Ada' },
      cv(files.pdf(), 'One.pdf', 'application/pdf'),
      cv('a,b\n', 'zwei ü.csv', 'text/csv'),
    ]);
    const other = app.tenant();
    const to = await fileForm(other, [{ name: 'name', type: 'text' }]);
    const line = { ...before, path: undefined };
    const parts = [
      submission(line),
      cv(files.pdf(), 'One.pdf', 'application/pdf'),
      cv('a,b\n', 'zwei ü.csv', 'text/csv'),
    ];
    const events = (await storedEvents(app, other.id)).length;
    const first = await send(other, to, parts);
    expect([first.status, first.headers['content-type'], first.body]).toEqual([
      200,
      'application/x-ndjson; charset=utf-8',
      done({ created: 1 }),
    ]);
    const after = await full(other, to, before.id);
    const plain = (one: typeof before) => ({
      ...one,
      form_id: '',
      path: '',
      files: one.files.map(({ id: _, ...file }) => file),
    });
    expect(plain(after)).toEqual(plain({ ...before }));
    expect(after.files.map(({ id }: { id: string }) => id)).not.toEqual(before.files.map(({ id }) => id));
    const bytes = await other.http
      .get(`${to.submissions}/${before.id}/files/${after.files[1].id}`)
      .buffer()
      .expect(200);
    expect(bytes.text).toBe('a,b\n');
    expect(await counted(app, other)).toEqual([2, files.pdf().length + 4]);

    // Again: nothing is added, and nothing is left behind.
    const stored = await storedFiles(app);
    expect((await send(other, to, parts)).body).toEqual(done({ unchanged: 1 }));
    expect(await storedFiles(app)).toEqual(stored);
    expect(await counted(app, other)).toEqual([2, files.pdf().length + 4]);
    expect(await storedEvents(app, other.id)).toHaveLength(events);
  });

  it('refuses what is wrong, with every error, and keeps nothing of it', async () => {
    const tenant = app.tenant();
    const form = await fileForm(tenant);
    const others = await storedFiles(app);
    const pdf = cv(files.pdf(), 'cv.pdf');
    const wrong: [Part[], number, string[]][] = [
      [[pdf], 422, ['submission required']],
      [[submission(), submission(), pdf], 422, ['submission duplicate']],
      [[submission({ id: 'sub_x', fields: {} }), pdf], 422, ['id format']],
      [[submission(), { name: 'more', data: 'x' }, pdf], 422, ['more unknown_property']],
      [[submission(), { ...pdf, name: 'no name' }], 422, ['fields.no name unknown_property']],
      [[submission(), cv('', 'cv.txt')], 422, ['fields.cv empty']],
      [[submission(), cv('#!/bin/sh\n', 'cv.txt')], 422, ['fields.cv media_type']],
      [[submission(), cv('x', 'cv.exe'), cv('', 'b.txt')], 422, ['fields.cv media_type', 'fields.cv empty']],
      [[submission(), ...Array.from({ length: 11 }, () => pdf)], 422, ['body too_many']],
      [[{ name: 'submission', data: 'no json' }, pdf], 400, []],
      [[{ name: 'submission', data: '' }, pdf], 422, ['submission required']],
    ];
    for (const [parts, status, errors] of wrong) {
      const refused = await send(tenant, form, parts);
      expect([refused.status, faults(refused)]).toEqual([status, errors]);
    }
    const other = await fileForm(tenant);
    await send(tenant, other, [submission(), pdf]);
    expect((await send(tenant, form, [submission(), pdf])).status).toBe(409);
    await tenant.http.delete(`${other.submissions}/${ID}`).expect(200);
    await nothingLeft(app, tenant, others);
    const key = await makeKey(tenant, ['forms:write', 'forms:read']);
    expect((await send(tenant, form, [submission(), pdf], key)).status).toBe(403);
    expect(
      (
        await send(
          tenant,
          { ...form, submissions: form.submissions.replace(/frm_[^/]+/, ID.replace('sub', 'frm')) },
          [],
        )
      ).status,
    ).toBe(404);
  });

  it('is refused if the tenant has no room for the files', async () => {
    const tenant = app.tenant();
    Object.assign(app.get(Tenants).find(tenant.id) ?? {}, { limits: { media_bytes: 10 } });
    const form = await fileForm(tenant);
    expect((await send(tenant, form, [submission(), cv('12345', 'a.txt')])).body).toEqual(done({ created: 1 }));
    const line = { fields: {} };
    const refused = await send(tenant, form, [submission(line), cv('123456', 'a.txt')]);
    expect([refused.status, refused.body.code, refused.body.used]).toEqual([403, 'limit_reached', 5]);
    expect(await counted(app, tenant)).toEqual([1, 5]);
  });

  it('keeps the files of spam for as long as those of new spam', async () => {
    const tenant = app.tenant();
    const form = await fileForm(tenant);
    const spam = { ...LINE, verdict: 'spam', reasons: ['links'] };
    expect((await send(tenant, form, [submission(spam), cv('text', 'a.txt')])).body).toEqual(done({ created: 1 }));
    const jobs = await app.database.query(
      `SELECT 1 FROM scheduled_jobs WHERE tenant_id = $1 AND kind = 'spam_files' AND due_at > now() + interval '6 days'`,
      [tenant.id],
    );
    expect(jobs).toHaveLength(1);
  });
});
