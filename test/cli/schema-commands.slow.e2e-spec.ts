import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { CommandLine, commandsOn } from '../support/command-line.js';
import { build } from '../support/service.js';
import { storedEvents } from '../support/stored-events.js';

const TITLE = { name: 'title', type: 'text' };

describe('the commands of the schema', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let folder: string;
  let trivet: ReturnType<typeof commandsOn>;
  beforeAll(async () => {
    await build();
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    tenant = app.tenant();
    folder = await mkdtemp(join(tmpdir(), 'trivet-cli-'));
    trivet = commandsOn(app, tenant, folder);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const addType = (body: object) => tenant.http.post(`/v1/content/${tenant.id}/types`, body).expect(201);
  const read = async () => (await tenant.http.get(`/v1/schema/${tenant.id}`).expect(200)).body.data as object;
  const write = async (name: string, item: object) => {
    await mkdir(join(folder, 'schema/types'), { recursive: true });
    await writeFile(join(folder, 'schema', name), JSON.stringify(item));
  };
  const bytes = async () => {
    const names = await readdir(join(folder, 'schema'), { recursive: true });
    const files = names.filter((name) => name.endsWith('.json')).sort();
    return Promise.all(files.map(async (name) => [name, await readFile(join(folder, 'schema', name), 'utf8')]));
  };

  it('pull writes one file for each item, always with the same bytes, and removes the files of what is gone', async () => {
    await addType({ name: 'Post', fields: [{ type: 'text', max: 3, name: 'title' }] });
    await addType({ name: 'Old', fields: [TITLE] });
    await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields: [{ name: 'a', type: 'text' }] });
    for (const events of [['*'], ['entry.created']])
      await tenant.http.post(`/v1/webhooks/${tenant.id}`, { url: 'https://hooks.example.com/a', events, secret: 'x' });
    expect(await trivet.run('pull')).toMatchObject({ code: 0, stderr: '' });
    const first = await bytes();
    expect(first.map(([name]) => name)).toEqual([
      'forms/contact.json',
      'locales.json',
      'types/old.json',
      'types/post.json',
      'webhooks/hooks-example-com-a-2.json',
      'webhooks/hooks-example-com-a.json',
    ]);
    await tenant.http.delete(`/v1/content/${tenant.id}/types/old`).expect(200);
    await write('types/notes.json', { mine: true });
    const { stdout } = await trivet.run('pull', 'schema', '--json');
    expect(JSON.parse(stdout)).toEqual({
      folder: 'schema',
      types: 1,
      forms: 1,
      webhooks: 2,
      removed: ['types/old.json'],
    });
    const second = await bytes();
    expect(second.filter(([name]) => name !== 'types/notes.json')).toEqual(
      first.filter(([name]) => name !== 'types/old.json'),
    );
  });

  it('push applies what pull wrote to another tenant, and does nothing the second time', async () => {
    await addType({ name: 'Post', fields: [TITLE, { name: 'next', type: 'reference', content_type: 'post' }] });
    await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields: [{ name: 'a', type: 'text' }] });
    await trivet.run('pull');
    const before = await read();
    tenant = app.tenant();
    const other = commandsOn(app, tenant, folder);
    expect(await other.run('push', '--yes')).toMatchObject({ code: 0, stdout: expect.stringContaining('Applied.') });
    expect(await read()).toEqual(before);
    const events = await storedEvents(app, tenant.id);
    const again = await other.run('push', '--yes', '--json');
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toEqual({ steps: [], applied: true, changes: [] });
    expect((await other.run('push')).stdout).toContain('Nothing to do.');
    expect(await storedEvents(app, tenant.id)).toHaveLength(events.length);
  });

  it('diff shows the steps, and ends with 2 if values are in the way or would be lost', async () => {
    await addType({ name: 'Post', fields: [TITLE, { name: 'n', type: 'text' }] });
    await tenant.http.post(`/v1/content/${tenant.id}/types/post/entries`, { fields: { title: 'A', n: 'many' } });
    await write('types/post.json', {
      name: 'Post',
      slug: 'post',
      fields: [TITLE, { name: 'n', type: 'text', label: 'N' }],
    });
    const safe = await trivet.run('diff');
    expect(safe).toMatchObject({ code: 0, stderr: '' });
    expect(safe.stdout).toContain('Content type post');
    expect(safe.stdout).toMatch(/describe n +safe/);
    await write('types/post.json', { name: 'Post', slug: 'post', fields: [TITLE, { name: 'n', type: 'integer' }] });
    const broken = await trivet.run('diff');
    expect(broken.code).toBe(2);
    expect(broken.stdout).toMatch(/retype n +needs data: 1 of 1 do not fit\n +ent_\w+: /);
    const markdown = await trivet.run('diff', '--markdown');
    expect(markdown.code).toBe(2);
    expect(markdown.stdout).toContain('| Content type post | retype n | needs data: 1 of 1 do not fit |');
    await write('types/post.json', { name: 'Post', slug: 'post', fields: [TITLE] });
    expect((await trivet.run('diff')).code).toBe(2);
    const allowed = await trivet.run('diff', '--allow-lossy', '--json');
    expect(allowed.code).toBe(0);
    expect(JSON.parse(allowed.stdout).steps).toEqual([expect.objectContaining({ op: 'remove', class: 'lossy' })]);
  });

  it('push refuses what would lose values without --allow-lossy, and values that are in the way always', async () => {
    await addType({ name: 'Post', fields: [TITLE, { name: 'n', type: 'text' }] });
    await tenant.http.post(`/v1/content/${tenant.id}/types/post/entries`, { fields: { title: 'A', n: 'many' } });
    const before = await read();
    await write('types/post.json', { name: 'Post', slug: 'post', fields: [TITLE, { name: 'n', type: 'integer' }] });
    const broken = await trivet.run('push', '--yes', '--allow-lossy');
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('Stored values are in the way') });
    await write('types/post.json', { name: 'Post', slug: 'post', fields: [TITLE] });
    const lossy = await trivet.run('push', '--yes');
    expect(lossy).toMatchObject({ code: 2, stderr: expect.stringContaining('--allow-lossy') });
    expect(await read()).toEqual(before);
    expect((await trivet.run('push', '--yes', '--allow-lossy')).code).toBe(0);
  });

  it('push without a terminal and --yes changes nothing, and names --yes', async () => {
    await write('types/post.json', { name: 'Post', slug: 'post', fields: [TITLE] });
    const before = await read();
    const { code, stderr } = await trivet.run('push');
    expect(code).toBe(3);
    expect(stderr).toContain('--yes');
    expect(await read()).toEqual(before);
  });

  it('an empty or missing folder with --prune is an error, and deletes nothing', async () => {
    await addType({ name: 'Post', fields: [TITLE] });
    await mkdir(join(folder, 'empty'));
    for (const name of ['empty', 'missing']) {
      expect((await trivet.run('push', name, '--prune', '--allow-lossy', '--yes')).code).toBe(3);
      expect((await trivet.run('diff', name, '--prune')).code).toBe(3);
    }
    await write('types/post.json', { name: 'Post', slug: 'post', fields: [TITLE] });
    await writeFile(join(folder, 'schema/types/broken.json'), '{"name": ');
    expect(await trivet.run('push', '--prune', '--yes')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('schema/types/broken.json is not JSON'),
    });
    expect((await read()) as { types: object[] }).toMatchObject({ types: [{ slug: 'post' }] });
  });

  it('push --prune deletes what has no file', async () => {
    await addType({ name: 'Post', fields: [TITLE] });
    await addType({ name: 'Other', fields: [TITLE] });
    await write('types/post.json', { name: 'Post', slug: 'post', fields: [TITLE] });
    expect((await trivet.run('push', '--yes')).code).toBe(0);
    expect(await read()).toMatchObject({ types: [{ slug: 'other' }, { slug: 'post' }] });
    expect((await trivet.run('push', '--yes', '--prune')).code).toBe(0);
    expect(await read()).toMatchObject({ types: [{ slug: 'post' }] });
  });

  it('faults name the file and the place in it, and the request', async () => {
    await write('types/b.json', { name: 'B', slug: 'b', fields: [TITLE, { name: 'x', type: 'nonsense' }] });
    await write('types/a.json', { name: 'A', slug: 'a', fields: [TITLE] });
    const { code, stderr } = await trivet.run('push', '--yes');
    expect(code).toBe(1);
    expect(stderr).toContain('types/b.json fields.1.type: ');
    expect(stderr).toMatch(/Request [0-9a-f]{32}/);
    const json = await trivet.run('push', '--yes', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      error: { status: 422, code: 'validation_failed', errors: [{ path: 'types/b.json fields.1.type' }] },
    });
  });

  it('a push whose client is killed leaves the old schema or the new one', async () => {
    const types = Array.from({ length: 60 }, (_, n) => ({ name: `T${n}`, slug: `t${n}`, fields: [TITLE] }));
    for (const type of types) await write(`types/${type.slug}.json`, type);
    for (const wait of [0, 5, 20, 40, 80, 160]) {
      tenant = app.tenant();
      const { child, ended } = commandsOn(app, tenant, folder).start('push', '--yes');
      await new Promise((resolve) => child.stdout?.once('data', resolve));
      await new Promise((resolve) => setTimeout(resolve, wait));
      child.kill('SIGKILL');
      await ended;
      const { types: now } = (await read()) as { types: object[] };
      expect([0, 60]).toContain(now.length);
    }
  });

  it('types writes the file of the contract, and --check fails if it differs', async () => {
    await addType({ name: 'Post', fields: [TITLE] });
    const contract = (await tenant.http.get(`/v1/contract/${tenant.id}/types.ts`).buffer(true)).text;
    expect((await trivet.run('types')).stdout).toBe(contract);
    expect((await trivet.run('types', '-o', 'types.ts', '--check')).code).toBe(1);
    expect((await trivet.run('types', '-o', 'types.ts')).code).toBe(0);
    expect(await readFile(join(folder, 'types.ts'), 'utf8')).toBe(contract);
    expect((await trivet.run('types', '-o', 'types.ts', '--check')).code).toBe(0);
    await addType({ name: 'Page', fields: [TITLE] });
    expect((await trivet.run('types', '-o', 'types.ts', '--check')).code).toBe(1);
    expect((await trivet.run('types', '--check')).code).toBe(3);
  });

  it('open prints a link that signs in once', async () => {
    const { code, stdout } = await trivet.run('open');
    expect(code).toBe(0);
    const [, token] = /\/console\/sign-in#(tvl_[\w-]+)\n$/.exec(stdout) ?? [];
    await app.client().post('/v1/sessions', { token }).expect(201);
    await app.client().post('/v1/sessions', { token }).expect(404);
  });

  it('wrong usage ends with 3, and failures with 1', async () => {
    expect((await trivet.run('push', '--nonsense')).code).toBe(3);
    expect((await trivet.run('nonsense')).code).toBe(3);
    expect((await trivet.run('--help')).code).toBe(0);
    const { code, stderr } = await new CommandLine(['pull'], { cwd: folder }).ended;
    expect(code).toBe(3);
    expect(stderr).toMatch(/TRIVET_URL.*TRIVET_TENANT.*TRIVET_KEY/);
    expect((await trivet.run('pull', '--key', 'wrong')).code).toBe(1);
    const away = await trivet.run('pull', '--url', 'http://127.0.0.1:9');
    expect(away).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be reached') });
  });

  it('complete names the commands and options that may follow', async () => {
    expect((await trivet.run('complete', '--')).stdout.split('\n')).toEqual(
      expect.arrayContaining(['pull', 'push', '--json']),
    );
    expect((await trivet.run('complete', '--', 'push')).stdout.split('\n')).toEqual(
      expect.arrayContaining(['--prune', '--yes']),
    );
    expect((await trivet.run('completion', 'bash')).stdout).toContain('complete -o default -F _trivet trivet');
  });
});
