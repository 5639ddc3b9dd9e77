import { createHash } from 'node:crypto';
import { parse as parseDisposition } from 'content-disposition';
import { StoredResponses } from '../../src/idempotency/stored-responses.js';
import { formatId, parseId } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { files } from '../support/files.js';
import {
  counted,
  CV,
  cv,
  faults,
  fileForm,
  MIB,
  MULTIPART,
  nothingLeft,
  storedFiles,
  submit,
  submitted,
  visitor,
} from '../support/file-forms.js';
import { expectServerErrors } from '../support/server-errors.js';
import { multipart } from '../support/upload.js';

const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('files of submissions', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const url = (submission: string, file: string) => `${submission}/files/${file}`;
  const download = (tenant: TestTenant, path: string, headers: Record<string, string> = {}) =>
    tenant.http
      .get(path)
      .set(headers)
      .buffer()
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      })
      .ok(() => true);

  describe('a definition', () => {
    it('is stored as it was sent, and allows no more bytes than the service', async () => {
      const tenant = app.tenant();
      const field = { ...CV, multiple: true, max_bytes: 25 * MIB, accept: ['image/*', 'application/pdf'] };
      const { path } = await fileForm(tenant, [field]);
      expect((await tenant.http.get(path).expect(200)).body.data.fields).toEqual([field]);
      const larger = [
        { name: 'a', type: 'text' },
        { ...CV, max_bytes: 25 * MIB + 1 },
      ];
      const refused = await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'X', fields: larger }).expect(422);
      expect(faults(refused)).toEqual(['fields.1.max_bytes max']);
      expect(faults(await tenant.http.patch(path, { fields: larger }).expect(422))).toEqual(['fields.1.max_bytes max']);
      const fault = await tenant.http
        .post(`/v1/forms/${tenant.id}`, { name: 'X', fields: [{ ...CV, default: 'a', accept: ['.pdf'] }] })
        .expect(422);
      expect(faults(fault).sort()).toEqual(['fields.0.accept.0 format', 'fields.0.default not_applicable']);
    });

    it('takes effect with the next upload', async () => {
      const tenant = app.tenant();
      const { path, submissions } = await fileForm(tenant, [{ name: 'name', type: 'text' }]);
      expect((await submit(app, submissions, [{ name: 'name', data: 'Ada' }])).status).toBe(201);
      for (const change of [
        { fields: [{ ...CV, max_bytes: 5 }] },
        { fields: [CV] },
        { settings: { closed: true } },
        { settings: { closed: null } },
      ]) {
        await tenant.http.patch(path, change).expect(200);
        const isClosed = change.settings?.closed === true;
        const isSmall = change.fields?.some((field) => 'max_bytes' in field) === true;
        const { status } = await submit(app, submissions, [cv(isSmall ? 'small' : 'not so small')]);
        expect(status).toBe(isClosed ? 403 : 201);
      }
    });
  });

  describe('a file', () => {
    it('is listed in the full view, and its name is the value', async () => {
      const tenant = app.tenant();
      const form = await fileForm(tenant, [{ name: 'name', type: 'text' }, CV]);
      const pdf = files.pdf();
      const { path, id, ...full } = await submitted(app, tenant, form, [
        { name: 'name', data: 'Ada' },
        cv(pdf, 'résumé.pdf', 'text/html'),
      ]);
      expect(full.fields).toEqual({ name: 'Ada', cv: 'résumé.pdf' });
      const file = { field: 'cv', name: 'résumé.pdf', mime_type: 'application/pdf', size: pdf.length };
      expect(full.files).toEqual([{ id: expect.stringMatching(/^fil_[0-9a-z]{26}$/), ...file }]);
      const list = (await tenant.http.get(`${form.submissions}?view=full`).expect(200)).body.data;
      expect(list).toEqual([expect.objectContaining({ id, files: full.files })]);
      const plain = (await tenant.http.get(form.submissions).expect(200)).body.data;
      expect(plain[0]).not.toHaveProperty('files');
      const found = await tenant.http.get(`${form.submissions}?filter[cv][contains]=.PDF&sort=cv`).expect(200);
      expect(found.body.meta.total).toBe(1);
      const lines = (await tenant.http.get(`${form.submissions}/export`).expect(200)).text.split('\n');
      expect(JSON.parse(lines[0] ?? '')).toEqual(expect.objectContaining({ files: full.files }));
      const patched = await tenant.http.patch(path, { state: 'read' }).expect(200);
      expect(patched.body.data.files).toEqual(full.files);
      expect(await counted(app, tenant)).toEqual([1, pdf.length]);
    });

    it('is downloaded as an attachment in which nothing runs', async () => {
      const tenant = app.tenant();
      const form = await fileForm(tenant, [{ ...CV, multiple: true }]);
      const svg = files.svg('<script>alert(1)</script>');
      const html = Buffer.from('<!doctype html><script>alert(1)</script>');
      const picture = await files.png();
      const { path, files: listed } = await submitted(app, tenant, form, [
        cv(svg, 'a.svg', 'image/svg+xml'),
        cv(html, 'a.html', 'text/plain'),
        cv(picture, 'a.png', 'text/plain'),
      ]);
      expect(listed.map(({ mime_type }) => mime_type)).toEqual(['image/svg+xml', 'text/html', 'image/png']);
      for (const [index, bytes] of [svg, html, picture].entries()) {
        const file = listed[index];
        const { status, body, headers } = await download(tenant, url(path, file?.id ?? ''));
        expect([status, sha(body as Buffer)]).toEqual([200, sha(bytes)]);
        expect(headers).toMatchObject({
          'content-type': file?.mime_type,
          'content-length': String(bytes.length),
          'content-disposition': `attachment; filename=${file?.name}`,
          'content-security-policy': expect.stringContaining("sandbox; default-src 'none'"),
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, no-cache',
        });
        expect(headers).not.toHaveProperty('access-control-allow-origin');
        expect(headers).not.toHaveProperty('cross-origin-resource-policy');
      }
    });

    it('is sent in parts, and not at all if the client has it', async () => {
      const tenant = app.tenant();
      const bytes = Buffer.from('0123456789');
      const { path, files: listed } = await submitted(app, tenant, await fileForm(tenant), [cv(bytes, 'a.txt')]);
      const file = url(path, listed[0]?.id ?? '');
      const part = await download(tenant, file, { Range: 'bytes=2-4' });
      expect([part.status, String(part.body), part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10']);
      expect((await download(tenant, file, { Range: 'bytes=10-' })).status).toBe(416);
      const etag = part.headers['etag'] ?? '';
      const known = await download(tenant, file, { 'If-None-Match': etag });
      expect([known.status, known.headers['access-control-allow-origin']]).toEqual([304, undefined]);
    });

    it('is read with a key that may read forms, at its own path only', async () => {
      const [tenant, other] = [app.tenant(), app.tenant()];
      const [form, second] = [await fileForm(tenant), await fileForm(tenant)];
      const { path, id, files: listed } = await submitted(app, tenant, form, [cv('a', 'a.txt')]);
      const twin = await submitted(app, tenant, form, [cv('b', 'b.txt')]);
      const file = listed[0]?.id ?? '';
      await app.client().get(url(path, file)).expect(401);
      await app.client(`Bearer ${tenant.publishedKey}`).get(url(path, file)).expect(403);
      await other.http.get(url(path, file)).expect(403);
      await other.http.get(url(path.replace(tenant.id, other.id), file)).expect(404);
      await tenant.http.get(url(path.replace(form.id, second.id), file)).expect(404);
      await tenant.http.get(url(twin.path, file)).expect(404);
      const uuid = parseId('fil', file) ?? '';
      for (const name of ['nothing', formatId('med', uuid), formatId('sub', parseId('sub', id) ?? ''), `${file}0`]) {
        await tenant.http.get(url(path, name)).expect(404);
      }
      for (const extension of ['txt', 'bin', 'private']) {
        await app
          .client()
          .get(`/media/${tenant.id}/${formatId('med', uuid)}.${extension}`)
          .expect(404);
        await app.client().get(`/media/${tenant.id}/${file}.${extension}`).expect(404);
      }
      await tenant.http.get(`/v1/media/${tenant.id}/${formatId('med', uuid)}`).expect(404);
      await tenant.http.get(url(path, file)).expect(200);
      await tenant.http.delete(form.path).expect(200);
      await tenant.http.get(url(path, file)).expect(404);
    });

    it('is optional unless it is required, and a control without a chosen file sends none', async () => {
      const tenant = app.tenant();
      const { submissions } = await fileForm(tenant, [CV, { name: 'name', type: 'text' }]);
      const empty = { name: 'cv', filename: '', type: 'application/octet-stream', data: '' };
      const sent = await submit(app, submissions, [{ name: 'name', data: 'Ada' }, empty]);
      expect([sent.status, sent.body.data.fields]).toEqual([201, { name: 'Ada' }]);
      const required = await fileForm(tenant, [{ ...CV, required: true }]);
      expect(faults(await submit(app, required.submissions, [empty]))).toEqual(['fields.cv required']);
      const json = await app.client(undefined, visitor()).post(required.submissions, { fields: {} }).expect(422);
      expect(faults(json)).toEqual(['fields.cv required']);
      expect(faults(await submit(app, submissions, [cv('', 'a.txt')]))).toEqual(['fields.cv empty']);
    });

    it('is sent in multipart only', async () => {
      const { submissions } = await fileForm(app.tenant(), [{ ...CV, required: true }]);
      for (const value of ['a.pdf', 1, ['a.pdf'], { name: 'a.pdf' }]) {
        const { body } = await app
          .client(undefined, visitor())
          .post(submissions, { fields: { cv: value } })
          .expect(422);
        expect(faults({ body })).toEqual(['fields.cv type']);
        expect(body.errors[0].message).toBe('cv must be a file, sent as multipart/form-data.');
      }
      const encoded = await app
        .client(undefined, visitor())
        .post(submissions)
        .type('form')
        .send('cv=a.pdf&cv=b.pdf')
        .expect(422);
      expect(faults(encoded)).toEqual(['fields.cv type']);
      expect(faults(await submit(app, submissions, [{ name: 'cv', data: 'a.pdf' }]))).toEqual(['fields.cv type']);
      const nameless = { name: 'cv', type: 'application/octet-stream', data: 'abc' };
      expect(faults(await submit(app, submissions, [nameless]))).toEqual(['fields.cv format']);
    });
  });

  describe('several files', () => {
    it('are one value, in the order in which they were sent', async () => {
      const tenant = app.tenant();
      const form = await fileForm(tenant, [
        { ...CV, multiple: true },
        { name: 'photo', type: 'file' },
      ]);
      const { fields, files: listed } = await submitted(app, tenant, form, [
        cv('b', 'b.txt'),
        { name: 'photo', filename: 'p.txt', data: 'p' },
        cv('a', 'a, b.txt'),
      ]);
      expect(fields).toEqual({ cv: 'b.txt, a, b.txt', photo: 'p.txt' });
      expect(listed.map(({ field, name }) => `${field}=${name}`)).toEqual(['cv=b.txt', 'photo=p.txt', 'cv=a, b.txt']);
      for (const [query, total] of [
        ['filter[cv]=b.txt', 1],
        ['filter[cv]=c.txt', 0],
        ['search=p.txt', 1],
      ] as const) {
        expect((await tenant.http.get(`${form.submissions}?${query}`).expect(200)).body.meta.total).toBe(total);
      }
    });

    it('are refused where one is expected, and beyond ten', async () => {
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const { submissions } = await fileForm(tenant, [CV, { name: 'more', type: 'file', multiple: true }]);
      expect(faults(await submit(app, submissions, [cv('a'), cv('b')]))).toEqual(['fields.cv duplicate']);
      const more = Array.from({ length: 10 }, (_, index) => ({ name: 'more', filename: `${index}.txt`, data: 'x' }));
      expect(faults(await submit(app, submissions, [...more, cv('a', 'a.txt')]))).toEqual(['fields.cv too_many']);
      expect(faults(await submit(app, submissions, [cv('a', 'a.txt'), ...more]))).toEqual(['fields.more too_many']);
      await nothingLeft(app, tenant, before);
      expect((await submit(app, submissions, more)).status).toBe(201);
      expect(await counted(app, tenant)).toEqual([10, 10]);
    });
  });

  describe('the type', () => {
    const typeOf = async (tenant: TestTenant, form: string, part: ReturnType<typeof cv>) => {
      const sent = await submit(app, form, [part]);
      if (sent.status !== 201) return faults(sent).join(' ');
      const { body } = await tenant.http.get(`${form}/${sent.body.data.id}`).expect(200);
      return body.data.files[0].mime_type as string;
    };

    it('is read from the bytes, and declared only for plain text', async () => {
      const tenant = app.tenant();
      const { submissions } = await fileForm(tenant);
      const text = (type: string, name = 'a.txt') => typeOf(tenant, submissions, cv('plain text', name, type));
      expect(await typeOf(tenant, submissions, cv(await files.jpeg(), 'a.png', 'image/png'))).toBe('image/jpeg');
      expect(await typeOf(tenant, submissions, cv(files.docx(), 'a.docx'))).toContain('wordprocessingml');
      expect(await typeOf(tenant, submissions, cv(files.zip(), 'a.zip'))).toBe('application/zip');
      expect(await typeOf(tenant, submissions, cv(Buffer.from([0, 1, 2, 3]), 'a'))).toBe('application/octet-stream');
      expect(await text('text/markdown')).toBe('text/markdown');
      expect(await text('TEXT/Calendar; charset=utf-8')).toBe('text/calendar');
      expect(await text('application/yaml')).toBe('application/yaml');
      for (const type of ['image/png', 'application/pdf', 'application/octet-stream', 'nonsense', 'text/"<script>']) {
        expect(await text(type)).toBe('text/plain');
      }
    });

    it('must be one that the field accepts', async () => {
      const tenant = app.tenant();
      const { submissions } = await fileForm(tenant, [{ ...CV, accept: ['IMAGE/*', 'application/pdf', 'text/csv'] }]);
      expect(await typeOf(tenant, submissions, cv(await files.webp()))).toBe('image/webp');
      expect(await typeOf(tenant, submissions, cv(files.pdf()))).toBe('application/pdf');
      expect(await typeOf(tenant, submissions, cv('a;b', 'a.dat', 'text/csv'))).toBe('text/csv');
      expect(await typeOf(tenant, submissions, cv('a', 'a.png', 'image/png'))).toBe('fields.cv media_type');
      expect(await typeOf(tenant, submissions, cv(files.zip(), 'a.pdf', 'application/pdf'))).toBe(
        'fields.cv media_type',
      );
      const refused = await submit(app, submissions, [cv(files.zip(), 'a.zip')]);
      expect(refused.body.errors?.[0]?.message).toBe(
        'cv must be of the type IMAGE/*, application/pdf, text/csv, but a.zip is application/zip.',
      );
    });

    const hex = (text: string) => Buffer.concat([Buffer.from(text, 'hex'), Buffer.alloc(600)]);
    it.each([
      ['a program of Linux', hex('7f454c4602010100')],
      ['a program of Windows', files.exe()],
      ['a program of macOS', hex('cffaedfe07000001')],
      ['an old program of macOS', hex('feedface00000012')],
      ['a universal program of macOS', hex('cafebabe00000002')],
      ['a universal program of macOS with 64-bit offsets', hex('cafebabf00000002')],
      ['a Java class', hex('cafebabe00000034')],
      ['WebAssembly', hex('0061736d01000000')],
      ['a link of Windows', hex('4c0000000114020000000000c000000000000046')],
      ['a script', Buffer.from('#!/bin/sh\nrm -rf /\n')],
      ['a script after a byte order mark', Buffer.from('\ufeff#!/usr/bin/env node\n')],
      ['a program with a page behind it', Buffer.concat([files.exe(), Buffer.from('<html><script>alert(1)</script>')])],
    ])('must not be that of %s, whatever the name says and the field accepts', async (_, bytes) => {
      const { submissions } = await fileForm(app.tenant(), [{ ...CV, accept: ['*/*'] }]);
      for (const name of ['photo.png', 'a', 'text.txt']) {
        expect(faults(await submit(app, submissions, [cv(bytes, name, 'image/png')]))).toEqual([
          'fields.cv media_type',
        ]);
      }
    });

    it.each([
      'bat',
      'js',
      'apk',
      'lnk',
      'exe',
      'com',
      'hta',
      'wsf',
      'url',
      'reg',
      'settingcontent-ms',
      'desktop',
      'webloc',
    ])('must not be that of a program by its name: .%s', async (extension) => {
      const { submissions } = await fileForm(app.tenant(), [{ ...CV, accept: ['*/*'] }]);
      const names = [`a.${extension}`, `a.txt.${extension.toUpperCase()}`, `a.${extension}.`, `a.${extension} . `];
      names.push(`a.${extension}:x`, `dir/a.${extension}`, `a.${extension}\u200b`, `txt.a\u202e.${extension}`);
      for (const name of names) {
        expect([name, faults(await submit(app, submissions, [cv('plain', name)]))]).toEqual([
          name,
          ['fields.cv media_type'],
        ]);
      }
    });

    it('may be that of a text that begins like a program', async () => {
      const { submissions } = await fileForm(app.tenant());
      for (const text of ['MZ is my name', 'a #! b', 'BM and PK']) {
        expect([text, (await submit(app, submissions, [cv(text, 'a.txt')])).status]).toEqual([text, 201]);
      }
    });
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ada\\cv.pdf', 'cv.pdf'],
    ['..', 'file'],
    ['/', 'file'],
    ['   ', 'file'],
    ['a\u0000b.txt', 'ab.txt'],
    ['a\tb\u007f.txt', 'ab.txt'],
    ['invoice\u202etxt.pdf', 'invoicetxt.pdf'],
    ['a<b>:c|d?*.txt', 'a_b__c_d__.txt'],
    ['my %22cv%22.txt', 'my "cv".txt'],
    ['a%0D%0Ab.txt', 'ab.txt'],
    ['cafe\u0301.txt', 'café.txt'],
    ['日本語 💬.txt', '日本語 💬.txt'],
    ['%2e%2e%2fa.txt', '%2e%2e%2fa.txt'],
    ['.htaccess', '.htaccess'],
    [`${'ä'.repeat(400)}.txt`, `${'ä'.repeat(146)}.txt`],
  ])('a file with the name %j gets the name %j', async (sent, name) => {
    const tenant = app.tenant();
    const form = await fileForm(tenant);
    const { path, fields, files: listed } = await submitted(app, tenant, form, [cv('text', sent)]);
    expect(fields['cv']).toBe(listed[0]?.name);
    expect(listed[0]?.name).toBe(name);
    const { status, headers } = await download(tenant, url(path, listed[0]?.id ?? ''));
    expect(status).toBe(200);
    expect(parseDisposition(headers['content-disposition'] ?? '').parameters['filename']).toBe(name);
  });

  describe('duplicates', () => {
    it('are found by the contents of files, not by their names', async () => {
      const tenant = app.tenant();
      const fields = [
        { ...CV, multiple: true },
        { name: 'name', type: 'text' },
      ];
      const form = await fileForm(tenant, fields, { spam: { duplicates_within: 60 } });
      const verdictOf = async (...parts: ReturnType<typeof cv>[]) =>
        (await submitted(app, tenant, form, parts)).verdict;
      expect(await verdictOf(cv('one', 'a.txt'))).toBe('ok');
      expect(await verdictOf(cv('one', 'b.txt'))).toBe('spam');
      expect(await verdictOf(cv('two', 'a.txt'))).toBe('ok');
      expect(await verdictOf(cv('one', 'a.txt'), cv('two', 'b.txt'))).toBe('ok');
      expect(await verdictOf(cv('one', 'x.txt'), cv('two', 'y.txt'))).toBe('spam');
      const equal = await Promise.all(Array.from({ length: 4 }, () => verdictOf(cv('three', 'c.txt'))));
      expect(equal.sort()).toEqual(['ok', 'spam', 'spam', 'spam']);
    });
  });

  describe('the page of a form', () => {
    it('has a control for files, and says that they must be chosen again', async () => {
      const tenant = app.tenant();
      const fields = [
        { ...CV, label: 'Your CV', required: true, accept: ['application/pdf', 'image/*'], max_bytes: 1_500_000 },
        { name: 'more', type: 'file', multiple: true, help: 'References' },
      ];
      const { submissions, id } = await fileForm(tenant, fields);
      const { text } = await app.client().get(`/f/${tenant.id}/${id}`).set('Accept', 'text/html').expect(200);
      expect(text).toContain('enctype="multipart/form-data"');
      expect(text).toMatch(
        /<input type="file" class="control" id="f-cv" name="cv" required aria-describedby="f-cv.hint" accept="application\/pdf,image\/\*">/,
      );
      expect(text).toContain('application/pdf, image/*. At most 1.5 MB');
      expect(text).toMatch(/id="f-more" name="more" aria-describedby="f-more.hint" multiple>/);
      expect(text).toContain('<bdi>References</bdi>\nEach at most 10 MB');
      const refused = await submit(app, submissions, [cv(files.zip(), 'a<b>.zip')], { Accept: 'text/html' });
      expect(refused.status).toBe(422);
      expect(refused.text).toContain('This type of file is not accepted. Accepted types: application/pdf, image/*.');
      expect(refused.text).toContain('Files are not kept. Please choose them again.');
      const missing = await submit(app, submissions, [{ name: 'more', data: '' }], { Accept: 'text/html' });
      expect(missing.text).toContain('Please choose a file.');
      expect(missing.text).not.toContain('choose them again');
      expect((await submit(app, submissions, [cv(files.pdf())], { Accept: 'text/html' })).status).toBe(200);
      const plain = await fileForm(tenant, [{ name: 'name', type: 'text' }]);
      const page = await app.client().get(`/f/${tenant.id}/${plain.id}`).set('Accept', 'text/html').expect(200);
      expect(page.text).not.toContain('enctype');
    });
  });

  describe('an Idempotency-Key', () => {
    it('makes a form with files safe to send again, whatever the boundary', async () => {
      const tenant = app.tenant();
      const { submissions } = await fileForm(tenant, [CV, { name: 'name', type: 'text' }]);
      const parts = [{ name: 'name', data: 'Ada' }, cv(files.pdf(), 'cv.pdf', 'application/pdf')];
      const key = { 'Idempotency-Key': 'one' };
      const first = await submit(app, submissions, parts, key);
      expect(first.status).toBe(201);
      const body = Buffer.from(
        multipart(parts).toString('latin1').replaceAll('trivet-test-boundary', 'another'),
        'latin1',
      );
      const type = MULTIPART.replace('trivet-test-boundary', 'another');
      const again = await submit(app, submissions, body, { ...key, 'Content-Type': type });
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers['idempotency-replayed']).toBe('true');
      for (const other of [
        [{ name: 'name', data: 'Bob' }, parts[1]],
        [parts[0], cv(files.pdf(), 'other.pdf', 'application/pdf')],
        [parts[0], cv(files.svg(), 'cv.pdf', 'application/pdf')],
        [parts[0]],
      ] as (typeof parts)[]) {
        expect((await submit(app, submissions, other, key)).body.code).toBe('idempotency_key_reused');
      }
      const total = (await tenant.http.get(submissions).expect(200)).body.meta.total as number;
      expect([total, await counted(app, tenant)]).toEqual([1, [1, files.pdf().length]]);
    });

    it('stores nothing if the commit fails', async () => {
      expectServerErrors(500);
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const { submissions } = await fileForm(tenant);
      const key = { 'Idempotency-Key': 'one' };
      jest.spyOn(app.get(StoredResponses), 'keep').mockRejectedValueOnce(new Error('broken'));
      expect((await submit(app, submissions, [cv(files.pdf())], key)).status).toBe(500);
      await nothingLeft(app, tenant, before);
      expect((await submit(app, submissions, [cv(files.pdf())], key)).status).toBe(201);
      expect(await counted(app, tenant)).toEqual([1, files.pdf().length]);
    });

    it('stores nothing of a form that is refused, and accepts it when it is right', async () => {
      const tenant = app.tenant();
      const before = await storedFiles(app);
      const { submissions } = await fileForm(tenant, [{ ...CV, accept: ['image/*'] }]);
      const key = { 'Idempotency-Key': 'one' };
      expect((await submit(app, submissions, [cv(files.pdf())], key)).status).toBe(422);
      await nothingLeft(app, tenant, before);
      expect((await submit(app, submissions, [cv(await files.png())], key)).status).toBe(201);
    });
  });
});
