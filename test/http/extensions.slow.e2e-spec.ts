import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { backUp } from '../../src/backup/backup.js';
import { restore } from '../../src/backup/restore.js';
import { loadModules } from '../../src/load-modules.js';
import { startApp, type TestApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { describeOnPlain } from '../support/it-on-plain.js';
import { useServices } from '../support/service.js';
import { until } from '../support/until.js';

const TENANT = 'ten_extended';
const SCOPES = { all: ['*'], hooks: ['webhooks:read', 'webhooks:write', 'content:read'] };
const REDIRECTS = `/v1/redirects/${TENANT}`;
const WEBHOOKS = `/v1/webhooks/${TENANT}`;
const TYPES = `/v1/content/${TENANT}/types`;
const KEPT = { url: '/about', alias: '/a', menu: { to: '/about', label: 'About' } };

type Definition = { name: string } & Record<string, unknown>;

/** Long enough to be no weak key, of which a start would warn. */
const keyOf = (name: string) => `${name}-key-of-an-extended-tenant`;

function tenants(scopes: Record<string, string[]>): string {
  const api_keys = Object.entries(scopes).map(([name, list]) => ({ name, key: keyOf(name), scopes: list }));
  return JSON.stringify([{ id: TENANT, name: 'Extended', api_keys }]);
}

describe('an extension that is turned off and on again', () => {
  let database: TestDatabase;
  let app: TestApp;
  let webhook: string;
  let type: string;
  let page: string;
  const start = async (EXTENSIONS: string) => {
    app = await startApp({ EXTENSIONS, TENANTS: tenants(SCOPES) }, { database });
  };
  const as = (key: keyof typeof SCOPES) => app.client(`Bearer ${keyOf(key)}`);
  beforeAll(async () => {
    database = await createDatabase();
    await start('redirects');
    await as('all').post(REDIRECTS, { source: '/a', target: '/b' }).expect(201);
    const hook = { url: 'https://hooks.example.com/', events: ['redirect.created'] };
    webhook = (await as('all').post(WEBHOOKS, hook).expect(201)).body.data.id as string;
    const fields = [
      { name: 'title', type: 'text' },
      { name: 'url', type: 'path', required: true, default: '/default' },
      { name: 'alias', type: 'path', unique: true },
      {
        name: 'menu',
        type: 'group',
        fields: [
          { name: 'to', type: 'path' },
          { name: 'label', type: 'text' },
        ],
      },
    ];
    type = (await as('all').post(TYPES, { name: 'Page', fields }).expect(201)).body.data.id as string;
    const entry = { fields: { title: 'About', ...KEPT }, status: 'published' };
    page = (await as('all').post(`${TYPES}/${type}/entries`, entry).expect(201)).body.data.id as string;
    await app.close();
    await start('');
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  it('has no routes, and keeps its rows', async () => {
    await as('all').get(REDIRECTS).expect(404);
    expect(await database.query('SELECT source FROM redirects')).toEqual([{ source: '/a' }]);
  });

  it('has no event types to subscribe to; its events stay in the feed', async () => {
    const hook = { url: 'https://hooks.example.com/', events: ['redirect.created'] };
    await as('all').post(WEBHOOKS, hook).expect(422);
    const { body } = await as('all').get(`/v1/events/${TENANT}`).expect(200);
    expect(body.data.slice(0, 2)).toMatchObject([{ type: 'redirect.created' }, { type: 'content_type.created' }]);
  });

  it('stays in the audit log', async () => {
    const { body } = await as('all').get(`/v1/audit/${TENANT}`).expect(200);
    const resources = (body as { data: { resource: { type: string; id: string } }[] }).data.map(
      ({ resource }) => resource,
    );
    expect(resources.at(-1)).toEqual({ type: 'redirect', id: expect.stringMatching(/^rdr_/) });
  });

  it('does not let a key that may not read its area send its events elsewhere', async () => {
    await as('all').get(`${WEBHOOKS}/${webhook}`).expect(200);
    const moved = { url: 'https://elsewhere.example.com/' };
    await as('hooks').patch(`${WEBHOOKS}/${webhook}`, moved).expect(403);
    await as('all').patch(`${WEBHOOKS}/${webhook}`, moved).expect(200);
  });

  const off = (name: string) => ({
    path: `fields.${name}`,
    code: 'extension_off',
    message: `${name} cannot be set or changed while the extension with the type path is turned off.`,
  });
  const entries = () => `${TYPES}/${type}/entries`;

  it('leaves the values of its field types as they are, and the other fields can be written', async () => {
    const path = `${entries()}/${page}`;
    const { body } = await as('all').get(path).expect(200);
    expect(body.data.fields).toEqual({ title: 'About', ...KEPT });
    await as('all')
      .patch(path, { fields: { title: 'New' } })
      .expect(200);
    await as('all')
      .patch(path, { fields: { ...body.data.fields, title: 'Newer' }, status: 'published' })
      .expect(200);
    await as('all')
      .patch(`${path}/draft`, { fields: { title: 'Draft', url: '/about' } })
      .expect(200);
    await as('all').post(`${path}/draft/publish`).expect(200);
    const list = (await as('all').get(`${entries()}?sort=title&search=draft`).expect(200)).body.data;
    expect(list).toMatchObject([{ id: page, fields: { title: 'Draft', ...KEPT } }]);
    const { text } = await as('all').get(`${entries()}/export?format=csv`).expect(200);
    expect(text).toContain('"/about"');
  });

  it('refuses to set, change or remove the values of its field types', async () => {
    const path = `${entries()}/${page}`;
    const changes = [{ url: '/other' }, { alias: null }, { menu: { to: '/about', label: 'Other' } }];
    for (const fields of changes) {
      const errors = Object.keys(fields).map(off);
      expect((await as('all').patch(path, { fields }).expect(422)).body.errors).toEqual(errors);
      expect((await as('all').patch(`${path}/draft`, { fields }).expect(422)).body.errors).toEqual(errors);
      const operations = [{ op: 'update', content_type: type, entry_id: page, fields }];
      const { body } = await as('all').post(`/v1/content/${TENANT}/bulk`, { operations }).expect(422);
      expect(body.errors[0].code).toBe('extension_off');
    }
    const created = await as('all')
      .post(entries(), { fields: { url: '/new' }, status: 'published' })
      .expect(422);
    expect(created.body.errors).toEqual([off('url')]);
    const { body } = await as('all')
      .post(entries(), { fields: { title: 'Without' }, status: 'published' })
      .expect(201);
    expect(body.data.fields).toEqual({ title: 'Without' });
    // Its unique value would stay taken.
    expect((await as('all').delete(path).expect(409)).body.detail).toContain('alias');
  });

  it('says why lists cannot be sorted and filtered by its field types', async () => {
    const why = 'because its type path belongs to an extension that is turned off.';
    const sorted = await as('all').get(`${entries()}?sort=url`).expect(400);
    expect(sorted.body.detail).toBe(`Entries cannot be sorted by url ${why}`);
    const filtered = await as('all').get(`${entries()}?filter[url]=/about`).expect(400);
    expect(filtered.body.detail).toBe(`Entries cannot be filtered by url ${why}`);
    await as('all').get(`${entries()}/by/alias/a`).expect(400);
  });

  it('lets definitions with its field types be sent back as they are shown, and other fields be changed', async () => {
    const path = `${TYPES}/${type}`;
    const { data } = (await as('all').get(path).expect(200)).body as { data: { fields: Definition[] } };
    expect((await as('all').put(path, data).expect(200)).body.data.fields).toEqual(data.fields);
    const fields = [...data.fields.slice(1), { ...data.fields[0], max: 50 }, { name: 'intro', type: 'text' }];
    const planned = await as('all').put(`${path}?dry_run=true`, { fields }).expect(200);
    expect(planned.body.data.steps).toMatchObject([{ op: 'tighten' }, { op: 'add', field: 'intro' }]);
    expect((await as('all').put(path, { fields }).expect(200)).body.data.fields).toEqual(fields);
    await as('all').put(path, data).expect(200);
    const { body } = await as('all').get(`${entries()}/${page}`).expect(200);
    expect(body.data.fields).toEqual({ title: 'Draft', ...KEPT });
  });

  it('refuses to add or change definitions with its field types', async () => {
    const path = `${TYPES}/${type}`;
    const { fields } = (await as('all').get(path).expect(200)).body.data as { fields: Definition[] };
    const [title, url, alias, menu] = fields as [Definition, Definition, Definition, Definition];
    const refused: [Definition, Definition][] = [
      [url, { ...url, label: 'Address' }],
      [url, { name: 'url', type: 'text' }],
      [url, { ...url, name: 'link', renamed_from: 'url' }],
      [alias, { name: 'alias', type: 'path' }],
      [menu, { ...menu, fields: [{ name: 'to', type: 'path' }] }],
      [menu, { ...menu, fields: [{ name: 'label', type: 'text' }] }],
      [title, { name: 'other', type: 'path' }],
      [title, { ...menu, name: 'other' }],
    ];
    for (const [one, other] of refused) {
      const index = fields.indexOf(one);
      const changed = fields.map((field) => (field === one ? other : field));
      const { body } = await as('all').put(path, { fields: changed }).expect(422);
      const message = `${other.name} cannot be added or changed while the extension with the type path is turned off.`;
      expect(body.errors).toEqual([{ path: `fields.${index}`, code: 'extension_off', message }]);
    }
    const twice = await as('all')
      .put(path, { fields: [...fields, url] })
      .expect(422);
    expect(twice.body.errors).toMatchObject([{ path: 'fields.4.name', code: 'duplicate' }]);
    const unknown = await as('all')
      .put(path, { fields: [...fields, { name: 'x', type: 'color' }] })
      .expect(422);
    expect(unknown.body.errors).toMatchObject([{ path: 'fields.4.type', code: 'unsupported' }]);
    const created = await as('all').post(TYPES, { name: 'Copy', fields }).expect(422);
    expect(created.body.errors).toMatchObject([1, 2, 3].map(() => ({ code: 'unsupported' })));
  });

  it('lets forms with its field types be sent back too', async () => {
    const forms = `/v1/forms/${TENANT}`;
    const name = { name: 'name', type: 'text' };
    const stars = { name: 'stars', type: 'stars', required: true };
    const form = (
      await as('all')
        .post(forms, { name: 'Vote', fields: [name] })
        .expect(201)
    ).body.data.id as string;
    const path = `${forms}/${form}`;
    // No extension of the tests has types of form fields.
    await database.query('UPDATE forms SET fields = $1 WHERE tenant_id = $2', [JSON.stringify([name, stars]), TENANT]);
    const { data } = (await as('all').get(path).expect(200)).body;
    expect((await as('all').patch(path, data).expect(200)).body.data.fields).toEqual([name, stars]);
    const fields = [{ ...name, label: 'Name' }, stars];
    await as('all').patch(path, { fields }).expect(200);
    const { body } = await as('all')
      .patch(path, { fields: [name, { ...stars, required: false }] })
      .expect(422);
    expect(body.errors).toMatchObject([{ path: 'fields.1', code: 'extension_off' }]);
  });

  it('is named at the start if its field types are in use', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    try {
      const isNamed = () =>
        warn.mock.calls.some(
          ([told]) => JSON.stringify(told) === '{"field_type":"path","content_types":1,"tenants":1}',
        );
      const other = await startApp({ EXTENSIONS: '', TENANTS: tenants(SCOPES) }, { database });
      await until(() => Promise.resolve(isNamed())).finally(() => other.close());
    } finally {
      warn.mockRestore();
    }
  });

  it('continues with its rows', async () => {
    await app.close();
    await start('redirects');
    const { body } = await as('all').get(REDIRECTS).expect(200);
    expect(body.data).toMatchObject([{ source: '/a', target: '/b' }]);
    const found = (await as('all').get(`${entries()}?filter[url]=/about&sort=url`).expect(200)).body.data;
    expect(found).toMatchObject([{ id: page, fields: { title: 'Draft', ...KEPT } }]);
    await as('all').delete(`${entries()}/${page}`).expect(200);
  });
});

// A database that is distributed cannot be backed up (citus.e2e-spec.ts).
describeOnPlain('a backup of a service with an extension', () => {
  let directory: string;
  let database: TestDatabase;
  let target: TestDatabase;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'trivet-extension-'));
    database = await createDatabase();
    target = await createDatabase({ empty: true });
    const app = await startApp({ EXTENSIONS: 'redirects', TENANTS: tenants(SCOPES) }, { database });
    await app
      .client(`Bearer ${keyOf('all')}`)
      .post(REDIRECTS, { source: '/a', target: '/b' })
      .expect(201);
    await app.close();
  });
  afterAll(async () => {
    await database.drop();
    await target.drop();
    await rm(directory, { recursive: true, force: true });
  });

  it('contains its tables, and is restored where the extension is on', async () => {
    const path = join(directory, 'a.tar');
    const config = { extensions: ['redirects'], dataDir: join(directory, 'data'), calledFrom: directory };
    await loadModules(['redirects']);
    const { leftOut } = await backUp({ config, url: database.url, path, withoutKeys: false });
    expect(leftOut).toEqual([]);

    const openDatabase = () => Promise.resolve({ url: target.url, release: () => Promise.resolve() });
    const options = { config, path, withoutKeys: false, openDatabase };
    await loadModules();
    await expect(restore(options)).rejects.toThrow(/Redirects1764000000000.*EXTENSIONS=redirects\.$/);
    await loadModules(['redirects']);
    await restore(options);
    expect(await target.query('SELECT source, target FROM redirects')).toEqual([{ source: '/a', target: '/b' }]);
  });
});

describe('the built service', () => {
  const services = useServices();
  const folder = join(import.meta.dirname, '../../node_modules/@trivet-test');
  const start = (env: Record<string, string>) =>
    services.start({ DATABASE_URL: services.database.url, TENANTS: tenants({ all: ['*'] }), ...env });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Installs a package whose main file is `code`. */
  const install = async (name: string, code: string) => {
    await mkdir(join(folder, name), { recursive: true });
    const manifest = { name: `@trivet-test/${name}`, version: '1.0.0', type: 'module', exports: './index.js' };
    await writeFile(join(folder, name, 'package.json'), JSON.stringify(manifest));
    await writeFile(join(folder, name, 'index.js'), code);
  };
  const manifest = (properties: string) => `
    import { Module } from '@nestjs/common';
    import { defineModule } from 'trivet/modules/module-manifest.js';
    class CrmModule {}
    Module({})(CrmModule);
    export const crm = defineModule({ name: 'crm', module: async () => CrmModule, ${properties} });`;

  it('runs an extension of a folder, with keys that have its scopes', async () => {
    const TENANTS = tenants({ reader: ['redirects:read'] });
    const url = await start({ EXTENSIONS: 'redirects', TENANTS }).url();
    const response = await fetch(url + REDIRECTS, { headers: { Authorization: `Bearer ${keyOf('reader')}` } });
    expect(await response.json()).toMatchObject({ data: [] });
  });

  it('runs an extension of a package, which imports the classes of the service', async () => {
    const data = `class ContactDto {}; ApiProperty({ type: String, example: 'Ada' })(ContactDto.prototype, 'name');`;
    const events = `events: { 'contact.created': { description: 'A contact was created.', data: async () => ContactDto } }`;
    await install(
      'crm',
      `import { ApiProperty } from '@nestjs/swagger'; ${data} ${manifest(`area: 'crm', ${events}`)}`,
    );
    const TENANTS = tenants({ reader: ['crm:read'] });
    const url = await start({ EXTENSIONS: 'redirects,@trivet-test/crm', TENANTS }).url();
    expect(await (await fetch(`${url}/openapi.json`)).text()).toContain('contact.created');
  });

  it('does not start with a scope of an extension that is off, and lists the scopes', async () => {
    const { code, stderr } = await start({ EXTENSIONS: '', TENANTS: tenants({ reader: ['redirects:read'] }) }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/scopes must contain only these scopes: \* read write content:read .*events:read/);
    expect(stderr).not.toContain('redirects:read');
  });

  it.each([
    [
      'an unknown name',
      'redirectz',
      undefined,
      'contains redirectz, which is neither a folder in extensions/ (redirects)',
    ],
    ['a malformed name', '../redirects', undefined, 'must be a comma-separated list'],
    ['the same name twice', 'redirects,redirects', undefined, 'must be a comma-separated list'],
    [
      'a package without a module',
      '@trivet-test/empty',
      'export {};',
      '@trivet-test/empty cannot be loaded: it must export',
    ],
    ['a package that throws', '@trivet-test/throws', 'throw new Error("no CRM");', 'cannot be loaded: no CRM.'],
    [
      'a package with a private import',
      '@trivet-test/deep',
      `import 'trivet/content/schemas.js';`,
      'cannot be loaded: ',
    ],
    [
      'a package whose module throws',
      '@trivet-test/module',
      `import { defineModule } from 'trivet/modules/module-manifest.js';
       export const crm = defineModule({ name: 'crm', module: async () => { throw new Error('no module'); } });`,
      '@trivet-test/module cannot be loaded: no module.',
    ],
    [
      'a taken prefix',
      '@trivet-test/prefix',
      manifest(`ids: { ent: 'entity' }`),
      'the ID prefix "ent" is already declared by content',
    ],
    ['a taken area', '@trivet-test/area', manifest(`area: 'forms'`), 'the area "forms" is already declared by forms'],
    ['a reserved prefix', '@trivet-test/ten', manifest(`ids: { ten: 'tenant' }`), '"ten" cannot be an ID prefix'],
    ['events that no key may read', '@trivet-test/events', manifest(`events: { 'a.b': {} }`), 'events but no area'],
  ])('does not start with %s, and says so in one line', async (_, name, code, message) => {
    if (code !== undefined) await install(name.split('/')[1] ?? '', code);
    const ended = await start({ EXTENSIONS: name }).ended;
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    const { msg } = JSON.parse(ended.stderr) as { msg: string };
    expect(msg.split('\n')).toEqual(['The configuration is not valid:', expect.stringMatching(/^ {2}- EXTENSIONS/)]);
    expect(msg).toContain(message);
  });
});
