import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { commandsOn } from '../support/command-line.js';
import { CV, cv, fileForm, submit, submitted } from '../support/file-forms.js';
import { files } from '../support/files.js';
import { build } from '../support/service.js';
import { until } from '../support/until.js';
import { multipart, send } from '../support/upload.js';

const RING = 300;

describe('a restore', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let folder: string;
  beforeAll(async () => {
    await build();
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    tenant = app.tenant();
    folder = await mkdtemp(join(tmpdir(), 'trivet-restore-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const on = (one: TestTenant) => commandsOn(app, one, folder);
  const exported = async () => {
    const { code, stderr } = await on(tenant).run('export', 'all');
    expect([code, stderr]).toEqual([0, '']);
  };
  const note = (path: string) => readFile(join(folder, path), 'utf8').catch(() => '');
  const entries = async (one: TestTenant, slug: string) => {
    const found: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `/v1/content/${one.id}/types/${slug}/entries?per_page=100&sort=created_at&cursor=${cursor}`;
      const { body } = await one.http.get(path).expect(200);
      for (const { id, fields, status } of body.data) found.push({ id, fields, status });
      cursor = body.meta.next_cursor as string | null;
    }
    return found;
  };

  it('brings the files of submissions back, once, and says which ones are refused', async () => {
    const form = await fileForm(tenant, [
      { name: 'name', type: 'text' },
      { ...CV, multiple: true },
    ]);
    const one = await submitted(app, tenant, form, [
      { name: 'name', data: 'Ada' },
      cv(files.pdf(), 'One.pdf', 'application/pdf'),
      cv('a,b\n', 'zwei ü.csv', 'text/csv'),
    ]);
    const two = await submitted(app, tenant, form, [cv('three', 'three.txt', 'text/plain')]);
    await submit(app, form.submissions, [{ name: 'name', data: 'Bob' }]);
    await exported();
    const bad = join(folder, 'all/files', two.files[0]?.id ?? '');
    expect(await note(join('all/files', two.files[0]?.id ?? ''))).toBe('three');
    await writeFile(bad, '#!/bin/sh\n');

    const target = app.tenant();
    const first = await on(target).run('restore', 'all', '--json');
    expect(first.code).toBe(1);
    expect(JSON.parse(first.stdout)).toMatchObject({
      restored: { submissions: 3, 'files of submissions': 2 },
      not_restored: [
        `1 files of the submission ${two.id} of jobs: cv must not be a program or a script, but three.txt is one.`,
      ],
    });
    const path = `/v1/forms/${target.id}/jobs/submissions`;
    const { body: slug } = await target.http.get(`/v1/forms/${target.id}/jobs`).expect(200);
    const copies = path.replace('jobs', slug.data.id);
    const copy = (await target.http.get(`${copies}/${one.id}`).expect(200)).body.data;
    const plain = (all: object[]) => all.map((file) => ({ ...file, id: '' }));
    expect([copy.fields, plain(copy.files)]).toEqual([one.fields, plain(one.files)]);
    const csv = await target.http.get(`${copies}/${one.id}/files/${copy.files[1].id}`).buffer().expect(200);
    expect(csv.text).toBe('a,b\n');
    expect((await target.http.get(`${copies}/${two.id}`).expect(200)).body.data.files).toEqual([]);

    const again = await on(target).run('restore', 'all', '--json');
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { existing: { submissions: 3 } }]);
  });

  it('that is killed while entries wait for each other is completed by the next one', async () => {
    const best = { name: 'best', type: 'reference', content_type: 'author' };
    const types = `/v1/content/${tenant.id}/types`;
    await tenant.http.post(types, { name: 'Author', fields: [{ name: 'name', type: 'text' }] }).expect(201);
    await tenant.http.put(`${types}/author`, { fields: [{ name: 'name', type: 'text' }, best] }).expect(200);
    const operations = Array.from({ length: RING }, (_, n) => {
      return { op: 'create', content_type: 'author', fields: { name: `Author ${n}` }, status: 'published' };
    });
    await tenant.http.post(`/v1/content/${tenant.id}/bulk`, { operations }).expect(200);
    const ids = (await entries(tenant, 'author')).map((one) => (one as { id: string }).id);
    const refer = ids.map((id, at) => {
      return { op: 'update', content_type: 'author', entry_id: id, fields: { best: ids[(at + 1) % RING] } };
    });
    await tenant.http.post(`/v1/content/${tenant.id}/bulk`, { operations: refer }).expect(200);
    await exported();

    const target = app.tenant();
    const cut = on(target).start('restore', 'all');
    await until(async () => (await note(`all/restored-${target.id}.ndjson`)).includes('"bare"'));
    cut.child.kill('SIGKILL');
    await cut.ended;
    expect(await on(target).run('restore', 'all')).toMatchObject({ code: 0, stderr: '' });
    expect(await entries(target, 'author')).toEqual(await entries(tenant, 'author'));
    expect((await note(`all/restored-${target.id}.ndjson`)).trim().split('\n').at(-1)).toContain('"completed"');
  });

  it('uploads a file that another service, or this one before, has said it had', async () => {
    const body = multipart([{ name: 'file', filename: 'dot.png', type: 'image/png', data: await files.png() }]);
    const { id } = (await send(app, tenant, body)).body.data;
    await exported();
    const target = app.tenant();
    const line = (service: string) => `${JSON.stringify({ service, kind: 'media', id, media: id })}\n`;
    await writeFile(
      join(folder, `all/restored-${target.id}.ndjson`),
      `${line('http://other.example')}${line(app.url)}{"half`,
    );
    const { code, stdout } = await on(target).run('restore', 'all', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { restored: { 'media files': 1 } }]);
    const again = await on(target).run('restore', 'all', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ existing: { 'media files': 1 } });
  });

  it('reads nothing outside of its folder, and names what is damaged', async () => {
    await tenant.http.post(`/v1/content/${tenant.id}/types`, {
      name: 'Note',
      fields: [{ name: 'title', type: 'text' }],
    });
    await exported();
    const target = app.tenant();
    const wrong: [string, string][] = [
      [
        'media.ndjson',
        `{"id":"../../../etc/passwd","url":"/media/x","filename":"a.txt","mime_type":"text/plain","size":1}\n`,
      ],
      ['media.ndjson', '{"id":"med_01k9mzh6xze3n8mqsd5wkxp2zt","url":"/media/x","filename":"a.txt","size":1}\n'],
      ['media.ndjson', '{"id":'],
      ['schema/types/note.json', '{"slug":"../../note","name":"Note","fields":[{"name":"title","type":"text"}]}'],
      ['export.json', '{"format'],
      ['export.json', '{"format":99}'],
    ];
    for (const [path, text] of wrong) {
      const before = await readFile(join(folder, 'all', path), 'utf8');
      await writeFile(join(folder, 'all', path), text);
      const { code, stdout } = await on(target).run('restore', 'all', '--json');
      // The service refuses the slug.
      const expected = path.startsWith('schema') ? 1 : 3;
      expect([text, code, JSON.parse(stdout).error.message]).toEqual([text, expected, expect.any(String)]);
      await writeFile(join(folder, 'all', path), before);
    }
    expect((await target.http.get(`/v1/media/${target.id}`).expect(200)).body.data).toEqual([]);
    expect((await on(target).run('restore', 'all')).code).toBe(0);
  });

  it('export does not go on with the export of another tenant', async () => {
    await writeFile(join(folder, 'unfinished.json'), JSON.stringify({ source: `ten_other at ${app.url}`, places: {} }));
    const { code, stderr } = await on(tenant).run('export', '.');
    expect([code, stderr]).toEqual([3, expect.stringContaining('ten_other')]);
  });
});
