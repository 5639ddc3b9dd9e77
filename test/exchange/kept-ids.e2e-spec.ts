import { expectConsistentContent } from '../support/consistency.js';
import { createType, type TestType } from '../support/content.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { makeKey } from '../support/make-key.js';

const FIELDS = [
  { name: 'title', type: 'text', required: true },
  { name: 'slug', type: 'text', unique: true },
];

/** IDs whose time is 2024. */
const ID = ['ent_01hn5rw000e008000000000001', 'ent_01hn5rw000e008000000000002'] as const;

interface Line {
  line?: number;
  problem?: { code: string; errors?: { path: string; code: string }[] };
  done?: boolean;
}

describe('an import that keeps IDs', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  async function scene() {
    const tenant = app.tenant();
    return { tenant, type: await createType(tenant, FIELDS, 'Post') };
  }

  async function send(tenant: TestTenant, type: TestType, lines: object[], query = 'keep_ids=true', key = tenant.key) {
    const response = await fetch(`${app.url}${type.entries}/import?${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/x-ndjson' },
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    });
    const text = await response.text();
    return {
      status: response.status,
      lines: text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Line),
    };
  }
  const done = (counts: object) => ({ done: true, created: 0, updated: 0, unchanged: 0, failed: 0, ...counts });
  const post = (id: unknown, title: string, more: object = {}) => ({ id, fields: { title }, ...more });

  it('needs the scope *', async () => {
    const { tenant, type } = await scene();
    const key = await makeKey(tenant, ['content:write', 'content:read']);
    expect((await send(tenant, type, [], 'keep_ids=true', key)).status).toBe(403);
    expect((await send(tenant, type, [post(ID[0], 'One')], 'keep_ids=false', key)).status).toBe(200);
    expect((await send(tenant, type, [], 'keep_ids=maybe')).status).toBe(400);
  });

  it('gives a new entry the ID of its line and the time that the ID contains', async () => {
    const { tenant, type } = await scene();
    const { lines } = await send(tenant, type, [
      post(ID[0], 'One', { status: 'published' }),
      { fields: { title: 'New' } },
    ]);
    expect(lines).toEqual([done({ created: 2 })]);
    const { body, headers } = await tenant.http.get(`${type.entries}/${ID[0]}?view=full`).expect(200);
    expect(body.data).toMatchObject({ id: ID[0], fields: { title: 'One' }, status: 'published' });
    expect(body.data.created_at).toMatch(/^2024-/);
    expect(Date.now() - Date.parse(body.data.updated_at)).toBeLessThan(60_000);
    expect(headers['etag']).toBe('"v1"');
    await expectConsistentContent(app.database, tenant.id);
  });

  it('may be run again, and updates what has changed', async () => {
    const { tenant, type } = await scene();
    const lines = [post(ID[0], 'One'), post(ID[1], 'Two')];
    expect((await send(tenant, type, lines)).lines).toEqual([done({ created: 2 })]);
    expect((await send(tenant, type, lines)).lines).toEqual([done({ unchanged: 2 })]);
    expect((await send(tenant, type, [post(ID[0], '1'), post(ID[0], '2')])).lines).toEqual([done({ updated: 2 })]);
    const { body } = await tenant.http.get(`${type.entries}/${ID[0]}/versions`).expect(200);
    expect(body.data.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1]);
    await expectConsistentContent(app.database, tenant.id);
  });

  it('finds an entry by its ID, and then by the key', async () => {
    const { tenant, type } = await scene();
    await send(tenant, type, [{ id: ID[0], fields: { title: 'One', slug: 'one' } }]);
    const line = { id: ID[1], fields: { title: 'Again', slug: 'one' } };
    expect((await send(tenant, type, [line])).lines).toMatchObject([
      { line: 1, problem: { errors: [{ path: 'fields.slug', code: 'unique' }] } },
      done({ failed: 1 }),
    ]);
    expect((await send(tenant, type, [line], 'keep_ids=true&key=slug')).lines).toEqual([done({ updated: 1 })]);
    await tenant.http.get(`${type.entries}/${ID[1]}`).expect(404);
  });

  it('reports an ID that is malformed, from the future, or of an entry of another content type', async () => {
    const { tenant, type } = await scene();
    const other = await createType(tenant, FIELDS, 'Page');
    await send(tenant, type, [post(ID[0], 'One')]);
    const { lines } = await send(tenant, other, [
      post(ID[0], 'Taken'),
      post('ent_x', 'Short'),
      post(7, 'Number'),
      post('frm_01hn5rw000e008000000000001', 'Form'),
      post('ent_7zzzzzy000e008000000000002', 'Future'),
      post('ent_01hn5rw0008008000000000002', 'Another version of UUID'),
      post(ID[1], 'Good'),
    ]);
    expect(lines.map(({ line, problem }) => [line, problem?.code, problem?.errors?.[0]?.path])).toEqual([
      [1, 'conflict', undefined],
      ...[2, 3, 4, 5, 6].map((line) => [line, 'validation_failed', 'id']),
      [undefined, undefined, undefined],
    ]);
    expect(lines.at(-1)).toEqual(done({ created: 1, failed: 6 }));
    await expectConsistentContent(app.database, tenant.id);
  });

  it('neither sees nor changes an entry of another tenant with the same ID', async () => {
    const [mine, theirs] = [await scene(), await scene()];
    await send(theirs.tenant, theirs.type, [post(ID[0], 'Theirs')]);
    expect((await send(mine.tenant, mine.type, [post(ID[0], 'Mine')])).lines).toEqual([done({ created: 1 })]);
    const titleOf = async ({ tenant, type }: typeof mine) =>
      (await tenant.http.get(`${type.entries}/${ID[0]}`).expect(200)).body.data.fields.title as string;
    expect([await titleOf(mine), await titleOf(theirs)]).toEqual(['Mine', 'Theirs']);
  });

  it('takes back the ID of a deleted entry, whose events keep what they said', async () => {
    const { tenant, type } = await scene();
    await send(tenant, type, [post(ID[0], 'First')]);
    const before = (await tenant.http.get(`${type.entries}/${ID[0]}`).expect(200)).headers['etag'];
    await tenant.http.delete(`${type.entries}/${ID[0]}`).expect(200);
    expect((await send(tenant, type, [post(ID[0], 'Second')])).lines).toEqual([done({ created: 1 })]);
    const { headers } = await tenant.http.get(`${type.entries}/${ID[0]}`).expect(200);
    expect(headers['etag']).not.toBe(before);
    const { body } = await tenant.http.get(`/v1/events/${tenant.id}?per_page=100&types=entry.created,entry.deleted`);
    const titles = (body.data as { type: string; data: { fields: { title: string } } }[]).map(
      ({ type: event, data }) => `${event} ${data.fields?.title}`,
    );
    expect(titles).toEqual(expect.arrayContaining(['entry.created First', 'entry.created Second']));
    await expectConsistentContent(app.database, tenant.id);
  });

  it('gives an ID to one entry only, whatever runs at the same time', async () => {
    const tenant = app.tenant();
    const types = [await createType(tenant, FIELDS, 'Post'), await createType(tenant, FIELDS, 'Page')];
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => send(tenant, types[index % 2]!, [post(ID[0], `Title ${index}`)])),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const rows = await app.database.query('SELECT 1 FROM entries WHERE tenant_id = $1', [tenant.id]);
    expect(rows).toHaveLength(1);
    await expectConsistentContent(app.database, tenant.id);
  });

  it('refuses CSV, which has no column for IDs', async () => {
    const { tenant, type } = await scene();
    const response = await fetch(`${app.url}${type.entries}/import?keep_ids=true`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'text/csv' },
      body: 'title\nOne\n',
    });
    expect(response.status).toBe(400);
  });
});
