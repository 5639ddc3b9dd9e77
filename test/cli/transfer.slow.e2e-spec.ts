import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { commandsOn } from '../support/command-line.js';
import { files } from '../support/files.js';
import { build } from '../support/service.js';
import { storedEvents } from '../support/stored-events.js';

const TITLE = { name: 'title', type: 'text' };

describe('export and restore of a tenant', () => {
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
    folder = await mkdtemp(join(tmpdir(), 'trivet-transfer-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const on = (one: TestTenant) => commandsOn(app, one, folder);
  const send = async (one: TestTenant, method: 'post' | 'patch' | 'put', path: string, body: object) => {
    const answer = await one.http[method](path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.body.data as { id: string; url: string };
  };
  const entries = (one: TestTenant, slug: string) => `/v1/content/${one.id}/types/${slug}/entries`;
  const all = async (one: TestTenant, slug: string, query = '') =>
    (await one.http.get(`${entries(one, slug)}?sort=id&per_page=100${query}`).expect(200)).body.data as {
      id: string;
      fields: Record<string, unknown>;
      status: string;
    }[];
  const upload = async (one: TestTenant) => {
    const answer = await request(app.url)
      .post(`/v1/media/${one.id}`)
      .set('Authorization', `Bearer ${one.key}`)
      .field('alt', 'A dot')
      .attach('file', await files.png(), 'dot.png')
      .expect(201);
    return answer.body.data as { id: string; url: string };
  };

  /** A tenant with everything that an export has. */
  const magazine = async () => {
    const types = `/v1/content/${tenant.id}/types`;
    await send(tenant, 'put', `/v1/locales/${tenant.id}`, {
      default: 'en',
      locales: [{ code: 'en' }, { code: 'de' }],
    });
    await send(tenant, 'post', types, {
      name: 'Author',
      fields: [TITLE, { name: 'best', type: 'reference', content_type: 'author' }],
    });
    await send(tenant, 'put', `${types}/author`, {
      fields: [TITLE, { name: 'best', type: 'reference', content_type: 'author' }],
    });
    await send(tenant, 'post', types, {
      name: 'Post',
      fields: [
        { ...TITLE, localized: true },
        { name: 'slug', type: 'text', unique: true },
        { name: 'author', type: 'reference', content_type: 'author', required: true },
        { name: 'cover', type: 'media' },
        { name: 'body', type: 'rich_text' },
      ],
    });
    await send(tenant, 'put', `${types}/author`, {
      fields: [
        TITLE,
        { name: 'best', type: 'reference', content_type: 'author' },
        { name: 'first', type: 'reference', content_type: 'post' },
      ],
    });
    const file = await upload(tenant);
    const ada = await send(tenant, 'post', entries(tenant, 'author'), {
      fields: { title: 'Ada' },
      status: 'published',
    });
    const bob = await send(tenant, 'post', entries(tenant, 'author'), { fields: { title: 'Bob', best: ada.id } });
    // They refer to each other.
    await send(tenant, 'patch', `${entries(tenant, 'author')}/${ada.id}`, { fields: { best: bob.id } });
    const post = await send(tenant, 'post', entries(tenant, 'post'), {
      fields: {
        title: 'One',
        slug: 'one',
        author: ada.id,
        cover: { url: file.url, alt: 'A dot' },
        body: `<img src="${file.url}">`,
      },
      status: 'published',
    });
    await send(tenant, 'patch', `${entries(tenant, 'post')}/${post.id}?locale=de`, { fields: { title: 'Eins' } });
    await send(tenant, 'patch', `${entries(tenant, 'post')}/${post.id}/draft`, { fields: { slug: 'uno', body: null } });
    await send(tenant, 'patch', `${entries(tenant, 'author')}/${ada.id}`, { fields: { first: post.id } });
    await send(tenant, 'post', `/v1/forms/${tenant.id}`, {
      name: 'Contact',
      fields: [{ name: 'words', type: 'text' }],
    });
    await app
      .client()
      .post(`/v1/forms/${tenant.id}/contact/submissions`, { fields: { words: 'Hello' } })
      .expect(201);
    await send(tenant, 'post', `/v1/webhooks/${tenant.id}`, {
      url: 'https://hooks.example.com/a',
      events: ['entry.published'],
      secret: 'a secret',
      headers: { 'X-Key': 'k' },
    });
    return { file, ada, bob, post };
  };

  it('brings everything into another tenant, with IDs, drafts, locales, files and submissions', async () => {
    const { file, ada, bob, post } = await magazine();
    const exported = await on(tenant).run('export', 'all', '--json');
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(exported.stdout)).toMatchObject({ entries: 3, drafts: 1, submissions: 1, media: 1, webhooks: 1 });
    expect(await readFile(join(folder, 'all/webhooks.ndjson'), 'utf8')).not.toContain('a secret');

    const target = app.tenant();
    const restored = await on(target).run('restore', 'all');
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.stdout).toContain(
      'https://hooks.example.com/a is inactive: enter its secret, the header X-Key, then activate it',
    );
    const [copy] = await all(target, 'post', '&locale=*');
    expect(copy).toMatchObject({
      id: post.id,
      status: 'published',
      fields: { title: { en: 'One', de: 'Eins' }, slug: 'one', author: ada.id },
    });
    const { url } = copy?.fields['cover'] as { url: string };
    expect(url).not.toBe(file.url);
    expect(copy?.fields['body']).toBe(`<img src="${url}">`);
    await request(url).get('').expect(200);
    expect((await all(target, 'author')).map(({ id, fields, status }) => [id, fields, status])).toEqual(
      (await all(tenant, 'author')).map(({ id, fields, status }) => [id, fields, status]),
    );
    expect((await all(target, 'author')).map(({ id }) => id)).toEqual([ada.id, bob.id]);
    const draft = await target.http.get(`${entries(target, 'post')}/${post.id}/draft`).expect(200);
    expect(draft.body.data.changed.sort()).toEqual(['body', 'slug']);
    const { body: form } = await target.http.get(`/v1/forms/${target.id}/contact`).expect(200);
    const submissions = await target.http.get(`/v1/forms/${target.id}/${form.data.id}/submissions`).expect(200);
    expect(submissions.body.data).toEqual([expect.objectContaining({ fields: { words: 'Hello' } })]);
    const { body: webhooks } = await target.http.get(`/v1/webhooks/${target.id}`).expect(200);
    expect(webhooks.data).toEqual([expect.objectContaining({ active: false })]);
  });

  it('doubles nothing when it is run again, and says what was there', async () => {
    await magazine();
    await on(tenant).run('export', 'all');
    const target = app.tenant();
    await on(target).run('restore', 'all');
    const events = await storedEvents(app, target.id);
    await rm(join(folder, `all/restored-${target.id}.ndjson`));
    const again = await on(target).run('restore', 'all', '--json');
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({
      existing: { entries: 3, drafts: 1, submissions: 1, 'media files': 1, webhooks: 1 },
      not_restored: [],
    });
    expect(await storedEvents(app, target.id)).toHaveLength(events.length);
    // Also in the tenant itself.
    const own = await on(tenant).run('restore', 'all', '--json');
    expect(JSON.parse(own.stdout)).toMatchObject({ existing: { entries: 3 }, not_restored: [] });
  });

  it('skips an entry whose unique value another one has, and says so', async () => {
    await magazine();
    await on(tenant).run('export', 'all');
    const target = app.tenant();
    await on(target).run('restore', 'all');
    const [copy] = await all(target, 'post');
    await target.http.delete(`${entries(target, 'post')}/${copy?.id}`).expect(200);
    const [author] = await all(target, 'author');
    await send(target, 'post', entries(target, 'post'), {
      fields: { title: 'Other', slug: 'one', author: author?.id },
    });
    const again = await on(target).run('restore', 'all');
    expect(again.code).toBe(1);
    expect(again.stdout).toContain(`post ${copy?.id}: Another entry already has this value for slug.`);
    expect(await all(target, 'post')).toHaveLength(1);
  });

  it('export goes on after it was interrupted, and is complete only then', async () => {
    await send(tenant, 'post', `/v1/content/${tenant.id}/types`, { name: 'Note', fields: [TITLE] });
    const operations = Array.from({ length: 600 }, (_, n) => ({
      op: 'create',
      content_type: 'note',
      fields: { title: `Note ${n}` },
    }));
    await tenant.http.post(`/v1/content/${tenant.id}/bulk`, { operations }).expect(200);
    const cut = on(tenant).start('export', 'all');
    while (!(await readdir(join(folder, 'all')).catch(() => [] as string[])).includes('unfinished.json'))
      await new Promise((resolve) => setTimeout(resolve, 5));
    cut.child.kill('SIGKILL');
    await cut.ended;
    expect((await on(app.tenant()).run('restore', 'all')).code).toBe(3);
    // What was written after the last note of the place is written again.
    await writeFile(join(folder, 'all/entries/note.ndjson'), '{"id": "half', { flag: 'a' });
    expect((await on(tenant).run('export', 'all')).code).toBe(0);
    const lines = (await readFile(join(folder, 'all/entries/note.ndjson'), 'utf8')).trim().split('\n');
    const titles = lines.map((line) => (JSON.parse(line) as { fields: { title: string } }).fields.title);
    expect(new Set(titles).size).toBe(600);
    expect(titles).toHaveLength(600);
    expect((await on(tenant).run('export', 'all')).code).toBe(3);
  });

  it('import csv and ndjson report bad lines, and may be run again with --by', async () => {
    await send(tenant, 'post', `/v1/content/${tenant.id}/types`, {
      name: 'Note',
      fields: [TITLE, { name: 'code', type: 'integer', unique: true }],
    });
    await writeFile(join(folder, 'notes.csv'), 'title,code\nOne,1\nTwo,many\nThree,3\n');
    const words = ['import', 'csv', 'notes.csv', '--type', 'note', '--by', 'code'];
    const dry = await on(tenant).run(...words, '--dry-run');
    expect(dry.stdout).toContain('It would be: 2 created, 0 updated, 0 unchanged, 1 failed.');
    expect(await all(tenant, 'note')).toEqual([]);
    const first = await on(tenant).run(...words);
    expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('line 3: ') });
    const again = await on(tenant).run(...words, '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, unchanged: 2, failed: 1 });
    await writeFile(join(folder, 'notes.ndjson'), '{"fields":{"title":"Four","code":4},"status":"published"}\n');
    const lines = await on(tenant).run('import', 'ndjson', 'notes.ndjson', '--type', 'note', '--by', 'code');
    expect(lines).toMatchObject({ code: 0, stdout: '1 created, 0 updated, 0 unchanged, 0 failed.\n' });
    expect((await on(tenant).run('import', 'csv', 'missing.csv', '--type', 'note')).code).toBe(3);
    expect((await on(tenant).run('import', 'csv', 'notes.csv')).code).toBe(3);
  });
});
