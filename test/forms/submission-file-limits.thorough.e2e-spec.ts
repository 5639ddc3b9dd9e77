import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SubmissionFiles } from '../../src/forms/files/submission-files.js';
import { FormSchemas } from '../../src/forms/form-schemas.js';
import { UploadTimes } from '../../src/forms/files/upload-times.js';
import { newUuid } from '../../src/ids/type-id.js';
import { MediaSweeper } from '../../src/media/media-sweeper.js';
import { keyOf, MediaStorage, PRIVATE } from '../../src/media/storage/media-storage.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { files } from '../support/files.js';
import {
  counted,
  CV,
  cv,
  faults,
  fileForm,
  MIB,
  nothingLeft,
  storedFiles,
  submit,
  visitor,
} from '../support/file-forms.js';
import { expectServerErrors } from '../support/server-errors.js';
import { until } from '../support/until.js';
import { multipart, type Part, sendTo } from '../support/upload.js';

describe('an upload by a visitor', () => {
  let app: TestApp;
  let times: UploadTimes;
  beforeAll(async () => {
    app = await startApp();
    times = app.get(UploadTimes);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    Object.assign(times, new UploadTimes());
  });
  afterAll(() => app.close());

  const totalOf = async (tenant: TestTenant, path: string) =>
    (await tenant.http.get(`${path}?verdict=any`).expect(200)).body.meta.total as number;
  const inProgress = async () => (await storedFiles(app)).filter((path) => !path.endsWith('/private')).length;

  /** An upload of which a part is sent, until `finish` or `abort` is called. */
  function begun(path: string, parts: readonly Part[], headers: Record<string, string> = visitor()) {
    const body = multipart(parts);
    const cut = body.length - 100;
    let goOn = () => {};
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    const pieces = [body.subarray(0, cut), waiting];
    const sent = (rest: Buffer[], abort: boolean) => {
      pieces.push(...rest);
      options.abort = abort;
      goOn();
      return answer;
    };
    const options = { headers, abort: false };
    const answer = sendTo<{ status: number; body: Record<string, never> }>(app, path, pieces, options);
    answer.catch(() => undefined);
    return { answer, finish: () => sent([body.subarray(cut)], false), abort: () => sent([], true) };
  }

  /** Returns a function that resolves when the next upload has looked up its form, and begins to read its body. */
  function readingBegins(): () => Promise<unknown> {
    const named = jest.spyOn(app.get(FormSchemas), 'named');
    return () => until(() => Promise.resolve(named.mock.calls.some((call) => call[2] === 0)));
  }

  describe('is bounded:', () => {
    it('a file may have as many bytes as its field allows', async () => {
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const { submissions } = await fileForm(tenant, [{ ...CV, max_bytes: 1_000 }]);
      const refused = await submit(app, submissions, [cv(Buffer.alloc(1_001), 'a.bin')]);
      expect([refused.status, faults(refused)]).toEqual([422, ['fields.cv too_large']]);
      expect(refused.body.errors?.[0]?.message).toBe('cv must have at most 1000 bytes, but a.bin has 1001.');
      await nothingLeft(app, tenant, before);
      expect((await submit(app, submissions, [cv(Buffer.alloc(1_000), 'a.bin')])).status).toBe(201);
      const standard = await fileForm(tenant);
      const large = await submit(app, standard.submissions, [cv(Buffer.alloc(10 * MIB + 1))]);
      expect(faults(large)).toEqual(['fields.cv too_large']);
      expect(await counted(app, tenant)).toEqual([1, 1_000]);
    });

    it('50 MiB are accepted in all, and more are 413 however they are sent', async () => {
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const { submissions } = await fileForm(tenant, [{ ...CV, multiple: true, max_bytes: 25 * MIB }]);
      const largest = [cv(Buffer.alloc(25 * MIB)), cv(Buffer.alloc(25 * MIB))];
      const more = multipart([...largest, cv('x')]);
      const streamed = await sendTo(app, submissions, [more.subarray(0, MIB), more.subarray(MIB)], {
        headers: visitor(),
      });
      expect([streamed.status, streamed.body['code']]).toEqual([413, 'payload_too_large']);
      const known = await sendTo(app, submissions, [more.subarray(0, 1_000)], {
        headers: { ...visitor(), Connection: 'close' },
        length: 52 * MIB,
      });
      expect([known.status, known.body['code']]).toEqual([413, 'payload_too_large']);
      await nothingLeft(app, tenant, before);
      expect((await sendTo(app, submissions, multipart(largest), { headers: visitor() })).status).toBe(201);
      expect(await counted(app, tenant)).toEqual([2, 50 * MIB]);
      expect(await totalOf(tenant, submissions)).toBe(1);
    });

    it('256 KiB of text beside files, whose bytes do not count', async () => {
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const fields = Array.from({ length: 14 }, (_, index) => ({ name: `t${index}`, type: 'textarea' }));
      const { submissions } = await fileForm(tenant, [CV, ...fields]);
      const texts = fields.map(({ name }) => ({ name, data: 'x'.repeat(19_000) }));
      const file = cv(Buffer.alloc(300_000));
      expect((await submit(app, submissions, [file, ...texts])).status).toBe(413);
      await nothingLeft(app, tenant, before);
      expect((await submit(app, submissions, [file, ...texts.slice(1)])).status).toBe(201);
    });

    it('files of a form without a field for them are read, and not stored', async () => {
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const { submissions } = await fileForm(tenant, [{ name: 'name', type: 'text' }]);
      const isRead = readingBegins();
      const upload = begun(submissions, [{ name: 'name', filename: 'a.bin', data: Buffer.alloc(MIB) }]);
      await isRead();
      expect(await inProgress()).toBe(0);
      expect(faults(await upload.finish())).toEqual(['fields.name type']);
      await nothingLeft(app, tenant, before);
    });

    it('a form that does not exist or is closed takes no file', async () => {
      const tenant = app.tenant();
      const { submissions, id } = await fileForm(tenant, [CV], { closed: true });
      expect((await submit(app, submissions, [cv('a')])).status).toBe(403);
      expect((await submit(app, submissions.replace(id, 'nothing'), [cv('a')])).status).toBe(404);
      expect((await submit(app, submissions.replace(tenant.id, 'ten_nobody'), [cv('a')])).status).toBe(404);
    });

    it('an address may send five at once, and others wait for a while', async () => {
      times.wait = 200;
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const { submissions } = await fileForm(tenant);
      const headers = visitor();
      const uploads = Array.from({ length: 5 }, () => begun(submissions, [cv(Buffer.alloc(200_000))], headers));
      await until(async () => (await inProgress()) === 5);
      const refused = await submit(app, submissions, [cv('a')], headers);
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
      expect((await submit(app, submissions, [cv('a')])).status).toBe(201);
      const answers = await Promise.all(uploads.slice(1).map((upload) => upload.finish()));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      await expect(uploads[0]?.abort()).rejects.toThrow();
      await until(async () => (await inProgress()) === 0);
      expect((await submit(app, submissions, [cv('a')], headers)).status).toBe(201);
      expect((await storedFiles(app)).length - before.length).toBe(6);
    });

    it('many small ones at once from an address are all accepted, and equal ones are spam but for one', async () => {
      const tenant = app.tenant();
      const settings = { rate_limit: 60, spam: { duplicates_within: 60 } };
      const { submissions } = await fileForm(tenant, [CV], settings);
      const headers = visitor();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => submit(app, submissions, [cv('the same')], headers)),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
      expect(await totalOf(tenant, submissions)).toBe(20);
      expect((await tenant.http.get(submissions).expect(200)).body.meta.total).toBe(1);
    });

    it('a body that takes too long is refused', async () => {
      const tenant = app.tenant();
      const before = await storedFiles(app);
      Object.assign(times, { grace: 200, whole: 400 });
      const { submissions } = await fileForm(tenant);
      const { status, body } = await begun(submissions, [cv(Buffer.alloc(10_000))]).answer;
      expect([status, body['code']]).toEqual([408, 'request_timeout']);
      await nothingLeft(app, tenant, before);
    });

    it('slow uploads of a few addresses leave places for visitors from others', async () => {
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const { submissions } = await fileForm(tenant);
      const addresses = Array.from({ length: 7 }, () => visitor());
      const uploads = addresses.flatMap((headers) =>
        Array.from({ length: 5 }, () => begun(submissions, [cv(Buffer.alloc(10_000))], headers)),
      );
      await until(async () => (await inProgress()) >= 22);
      const answers = await Promise.all(Array.from({ length: 4 }, () => submit(app, submissions, [cv('a')])));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      const slow = await Promise.all(uploads.map((upload) => upload.finish()));
      expect(slow.every(({ status }) => status === 201)).toBe(true);
      expect((await storedFiles(app)).length - before.length).toBe(39);
    });

    it('a slow upload goes on while there are places, and one makes room for one that waits', async () => {
      Object.assign(times, { grace: 200, bytesPerSecond: 1_000_000 });
      const tenant = app.tenant();
      const { submissions } = await fileForm(tenant);
      const begin = () => begun(submissions, [cv(Buffer.alloc(200_000))]);
      const uploads = Array.from({ length: 32 }, begin);
      await until(async () => (await inProgress()) === 32);
      const began = performance.now();
      await until(() => Promise.resolve(performance.now() - began > 3 * times.grace));
      // They are slower than the least speed, but no other upload waits.
      expect(await inProgress()).toBe(32);
      expect((await submit(app, submissions, [cv('a')])).status).toBe(201);
      const statuses = (await Promise.all(uploads.map((upload) => upload.finish()))).map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(31);
      expect(statuses.filter((status) => status === 408)).toHaveLength(1);
    });
  });

  describe('leaves nothing behind', () => {
    it('if it is aborted, broken or refused', async () => {
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const fields = [
        { ...CV, multiple: true },
        { name: 'email', type: 'email' },
      ];
      const { submissions } = await fileForm(tenant, fields);
      const parts = [cv(Buffer.alloc(300_000), 'a.bin'), cv(Buffer.alloc(300_000), 'b.bin')];
      const upload = begun(submissions, parts);
      await until(async () => (await inProgress()) === 2);
      await expect(upload.abort()).rejects.toThrow();
      await nothingLeft(app, tenant, before);
      const body = multipart(parts);
      expect((await submit(app, submissions, body.subarray(0, body.length - 50))).body.code).toBe(
        'malformed_multipart',
      );
      const refused = await submit(app, submissions, [...parts, { name: 'email', data: 'none' }]);
      expect(faults(refused)).toEqual(['fields.email format']);
      const redirected = await submit(app, submissions, [
        ...parts,
        { name: '_redirect', data: 'https://evil.example' },
      ]);
      expect(redirected.status).toBe(422);
      expect((await submit(app, `${submissions}?embed=2`, parts)).status).toBe(400);
      await nothingLeft(app, tenant, before);
      expect(await totalOf(tenant, submissions)).toBe(0);
    });

    it('if the form is changed or deleted meanwhile', async () => {
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const [changed, deleted] = [await fileForm(tenant), await fileForm(tenant)];
      const parts = [cv(Buffer.alloc(300_000), 'a.bin')];
      const uploads = [changed, deleted].map(({ submissions }) => begun(submissions, parts));
      await until(async () => (await inProgress()) === 2);
      await tenant.http.patch(changed.path, { fields: [{ name: 'cv', type: 'text' }] }).expect(200);
      await tenant.http.delete(deleted.path).expect(200);
      expect(faults((await uploads[0]?.finish()) ?? { body: {} })).toEqual(['fields.cv type']);
      expect((await uploads[1]?.finish())?.status).toBe(404);
      await nothingLeft(app, tenant, before);
    });

    it('if the field for it was added meanwhile: the form must be sent again', async () => {
      expectServerErrors(503);
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const { path, submissions } = await fileForm(tenant, [{ name: 'name', type: 'text' }]);
      const isRead = readingBegins();
      const upload = begun(submissions, [cv(Buffer.alloc(300_000), 'a.bin')]);
      await isRead();
      await tenant.http.patch(path, { fields: [CV] }).expect(200);
      const { status, body } = await upload.finish();
      expect([status, body['code']]).toEqual([503, 'unavailable']);
      await nothingLeft(app, tenant, before);
      expect((await submit(app, submissions, [cv('a')])).status).toBe(201);
    });

    it('if the storage is full, or the submission cannot be written', async () => {
      expectServerErrors(500, 507);
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const { submissions } = await fileForm(tenant, [{ ...CV, multiple: true }]);
      const parts = [cv('a', 'a.txt'), cv('b', 'b.txt')];
      const storage = app.app.get<MediaStorage>(MediaStorage);
      const put = storage.put.bind(storage);
      jest
        .spyOn(storage, 'put')
        .mockImplementationOnce(put)
        .mockRejectedValueOnce(Object.assign(new Error('full'), { code: 'ENOSPC' }));
      expect((await submit(app, submissions, parts)).status).toBe(507);
      await nothingLeft(app, tenant, before);
      jest.spyOn(app.get(SubmissionFiles), 'add').mockRejectedValueOnce(new Error('broken'));
      expect((await submit(app, submissions, parts)).status).toBe(500);
      await nothingLeft(app, tenant, before);
      expect(await totalOf(tenant, submissions)).toBe(0);
      expect((await submit(app, submissions, parts)).status).toBe(201);
    });

    it('after a crash between the storage and the commit', async () => {
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const id = newUuid();
      const path = join(app.config.dataDir, 'media', keyOf(id, PRIVATE));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, 'left');
      await app.database.query(
        `INSERT INTO orphaned_files (tenant_id, id, leaving, since) VALUES ($1, $2, false, now() - interval '1 hour')`,
        [tenant.id, id],
      );
      await app.get(MediaSweeper).sweep();
      await nothingLeft(app, tenant, before);
    });
  });

  it('that has arrived is submitted, even if the client does not wait for the answer', async () => {
    const tenant = app.tenant();
    const { submissions } = await fileForm(tenant);
    const storage = app.app.get<MediaStorage>(MediaStorage);
    const put = storage.put.bind(storage);
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const stored = jest.spyOn(storage, 'put').mockImplementationOnce(async (key, path, type) => {
      await gate;
      await put(key, path, type);
    });
    const body = multipart([cv(files.pdf(), 'cv.pdf')]);
    const hasArrived = until(() => Promise.resolve(stored.mock.calls.length > 0));
    const how = { headers: visitor(), length: body.length, abort: true };
    await expect(sendTo(app, submissions, [body, hasArrived], how)).rejects.toThrow();
    goOn();
    await until(async () => (await totalOf(tenant, submissions)) === 1);
    const { body: list } = await tenant.http.get(`${submissions}?view=full`).expect(200);
    const [{ id, files: listed }] = list.data;
    await tenant.http.get(`${submissions}/${id}/files/${listed[0].id}`).expect(200);
    await until(async () => (await inProgress()) === 0);
  });

  it('is refused if the sweeper removes its bytes before the commit', async () => {
    expectServerErrors(503);
    const tenant = app.tenant();
    const before = await storedFiles(app);
    const { submissions } = await fileForm(tenant);
    const storage = app.app.get<MediaStorage>(MediaStorage);
    const put = storage.put.bind(storage);
    jest.spyOn(storage, 'put').mockImplementationOnce(async (key, path, type) => {
      await put(key, path, type);
      await app.get(MediaSweeper).sweep(new Date(Date.now() + 3_600_000));
    });
    const { status, body } = await submit(app, submissions, [cv(files.pdf())]);
    expect([status, body.detail]).toEqual([503, 'The upload took too long.']);
    await nothingLeft(app, tenant, before);
    expect(await totalOf(tenant, submissions)).toBe(0);
  });
});
