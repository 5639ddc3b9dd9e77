import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUp } from '../src/backup/backup.js';
import { restore } from '../src/backup/restore.js';
import { loadRooms } from '../src/load-rooms.js';
import { startApp, type TestApp } from './support/app.js';
import { createDatabase, type TestDatabase } from './support/database.js';
import { describeOnPlain } from './support/it-on-plain.js';
import { expectServerErrors } from './support/server-errors.js';
import { useServices } from './support/service.js';

const TENANT = 'ten_extended';
const SCOPES = { all: ['*'], hooks: ['webhooks:read', 'webhooks:write', 'content:read'] };
const REDIRECTS = `/v1/redirects/${TENANT}`;
const WEBHOOKS = `/v1/webhooks/${TENANT}`;
const TYPES = `/v1/content/${TENANT}/types`;

function tenants(scopes: Record<string, string[]>): string {
  const api_keys = Object.entries(scopes).map(([key, list]) => ({ name: key, key, scopes: list }));
  return JSON.stringify([{ id: TENANT, name: 'Extended', api_keys }]);
}

describe('an extension that is turned off and on again', () => {
  let database: TestDatabase;
  let app: TestApp;
  let webhook: string;
  let type: string;
  const start = async (EXTENSIONS: string) => {
    app = await startApp({ EXTENSIONS, TENANTS: tenants(SCOPES) }, { database });
  };
  const as = (key: keyof typeof SCOPES) => app.client(`Bearer ${key}`);
  beforeAll(async () => {
    database = await createDatabase();
    await start('redirects');
    await as('all').post(REDIRECTS, { source: '/a', target: '/b' }).expect(201);
    const hook = { url: 'https://hooks.example.com/', events: ['redirect.created'] };
    webhook = (await as('all').post(WEBHOOKS, hook).expect(201)).body.data.id as string;
    const fields = [{ name: 'url', type: 'path' }];
    type = (await as('all').post(TYPES, { name: 'Page', fields }).expect(201)).body.data.id as string;
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
    expect(body.data).toMatchObject([{ type: 'redirect.created' }, { type: 'content_type.created' }]);
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

  it('makes entries with its field types unavailable, and says why', async () => {
    expectServerErrors(503);
    await as('all').get(`${TYPES}/${type}`).expect(200);
    const { body } = await as('all').get(`${TYPES}/${type}/entries`).expect(503);
    expect(body.detail).toBe('The field url has the type path, which belongs to an extension that is turned off.');
  });

  it('continues with its rows', async () => {
    await app.close();
    await start('redirects');
    const { body } = await as('all').get(REDIRECTS).expect(200);
    expect(body.data).toMatchObject([{ source: '/a', target: '/b' }]);
    await as('all').get(`${TYPES}/${type}/entries`).expect(200);
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
    await app.client('Bearer all').post(REDIRECTS, { source: '/a', target: '/b' }).expect(201);
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
    await loadRooms(['redirects']);
    const { leftOut } = await backUp({ config, url: database.url, path, withoutKeys: false });
    expect(leftOut).toEqual([]);

    const openDatabase = () => Promise.resolve({ url: target.url, release: () => Promise.resolve() });
    const options = { config, path, withoutKeys: false, openDatabase };
    await loadRooms();
    await expect(restore(options)).rejects.toThrow(/Redirects1764000000000.*EXTENSIONS=redirects\.$/);
    await loadRooms(['redirects']);
    await restore(options);
    expect(await target.query('SELECT source, target FROM redirects')).toEqual([{ source: '/a', target: '/b' }]);
  });
});

describe('the built service', () => {
  const services = useServices();
  const folder = join(__dirname, '../node_modules/@trivet-test');
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
  const room = (properties: string) => `
    import { Module } from '@nestjs/common';
    import { defineRoom } from 'trivet/rooms/room.js';
    class CrmModule {}
    Module({})(CrmModule);
    export const crm = defineRoom({ name: 'crm', module: async () => CrmModule, ${properties} });`;

  it('runs an extension of a folder, with keys that have its scopes', async () => {
    const TENANTS = tenants({ reader: ['redirects:read'] });
    const url = await start({ EXTENSIONS: 'redirects', TENANTS }).url();
    const response = await fetch(url + REDIRECTS, { headers: { Authorization: 'Bearer reader' } });
    expect(await response.json()).toMatchObject({ data: [] });
  });

  it('runs an extension of a package, which imports the classes of the service', async () => {
    const data = `class ContactDto {}; ApiProperty({ type: String, example: 'Ada' })(ContactDto.prototype, 'name');`;
    const events = `events: { 'contact.created': { description: 'A contact was created.', data: async () => ContactDto } }`;
    await install('crm', `import { ApiProperty } from '@nestjs/swagger'; ${data} ${room(`area: 'crm', ${events}`)}`);
    const TENANTS = tenants({ reader: ['crm:read'] });
    const url = await start({ EXTENSIONS: 'redirects,@trivet-test/crm', TENANTS }).url();
    expect(await (await fetch(`${url}/openapi.json`)).text()).toContain('contact.created');
  });

  it('does not start with a scope of an extension that is off, and lists the scopes', async () => {
    const { code, stderr } = await start({ TENANTS: tenants({ reader: ['redirects:read'] }) }).ended;
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
      'a package without a room',
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
      `import { defineRoom } from 'trivet/rooms/room.js';
       export const crm = defineRoom({ name: 'crm', module: async () => { throw new Error('no module'); } });`,
      '@trivet-test/module cannot be loaded: no module.',
    ],
    [
      'a taken prefix',
      '@trivet-test/prefix',
      room(`ids: { ent: 'entity' }`),
      'the ID prefix "ent" is already declared by content',
    ],
    ['a taken area', '@trivet-test/area', room(`area: 'forms'`), 'the area "forms" is already declared by forms'],
    ['a reserved prefix', '@trivet-test/ten', room(`ids: { ten: 'tenant' }`), '"ten" cannot be an ID prefix'],
    ['events that no key may read', '@trivet-test/events', room(`events: { 'a.b': {} }`), 'events but no area'],
  ])('does not start with %s, and says so in one line', async (_, name, code, message) => {
    if (code !== undefined) await install(name.split('/')[1] ?? '', code);
    const ended = await start({ EXTENSIONS: name }).ended;
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    const { msg } = JSON.parse(ended.stderr) as { msg: string };
    expect(msg.split('\n')).toEqual(['The configuration is not valid:', expect.stringMatching(/^ {2}- EXTENSIONS/)]);
    expect(msg).toContain(message);
  });
});
