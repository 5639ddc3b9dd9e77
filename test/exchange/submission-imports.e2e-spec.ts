import { startApp, type Http, type TestApp, type TestTenant } from '../support/app.js';
import { makeKey } from '../support/make-key.js';
import { storedEvents } from '../support/stored-events.js';

const FIELDS = [
  { name: 'name', type: 'text' },
  { name: 'email', type: 'email', required: true },
];
const ID = 'sub_01hn5rw000e008000000000001';

interface Line {
  line?: number;
  problem?: { code: string; errors?: { path: string; code: string }[] };
}

describe('an import of submissions', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  async function newForm(tenant: TestTenant, more: object = {}) {
    const form = { name: 'Contact', fields: FIELDS, notify_email: 'desk@example.com', ...more };
    const { body } = await tenant.http.post(`/v1/forms/${tenant.id}`, form).expect(201);
    return `/v1/forms/${tenant.id}/${body.data.id}/submissions`;
  }

  async function send(tenant: TestTenant, path: string, body: string | object[], key = tenant.key) {
    const text = typeof body === 'string' ? body : body.map((line) => `${JSON.stringify(line)}\n`).join('');
    const response = await fetch(`${app.url}${path}/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/x-ndjson' },
      body: text,
    });
    const answer = await response.text();
    const lines = answer.split('\n').filter(Boolean);
    return { status: response.status, lines: lines.map((line) => JSON.parse(line) as Line) };
  }
  const done = (counts: object) => ({ done: true, created: 0, unchanged: 0, failed: 0, ...counts });
  const listed = async (tenant: TestTenant, path: string, query = '') =>
    (await tenant.http.get(`${path}?view=full&${query}`).expect(200)).body.data as Record<string, unknown>[];

  it('needs the scope *, and a form of the tenant', async () => {
    const tenant = app.tenant();
    const path = await newForm(tenant);
    const key = await makeKey(tenant, ['forms:write', 'forms:read']);
    expect((await send(tenant, path, [], key)).status).toBe(403);
    expect((await send(app.tenant(), path, [])).status).toBe(403);
    const unknown = path.replace(/frm_[^/]+/, 'frm_01hn5rw000e008000000000001');
    expect((await send(tenant, unknown, [])).status).toBe(404);
    expect((await send(tenant, path, [])).lines).toEqual([done({})]);
  });

  it('takes what an export wrote: IDs, times, verdicts, states and notes, without events and mails', async () => {
    const tenant = app.tenant();
    const from = await newForm(tenant);
    const visitor: Http = app.client(undefined, { 'X-Forwarded-For': '10.20.0.1' });
    for (const name of ['Ada', 'Bob', 'Cleo']) {
      await visitor.post(from, { fields: { name, email: `${name}@example.com` } }).expect(201);
    }
    const [first, second] = await listed(tenant, from);
    await tenant.http.patch(`${from}/${String(first?.['id'])}`, { state: 'done', note: 'Answered.' }).expect(200);
    await tenant.http.post(`${from}/${String(second?.['id'])}/mark-spam`).expect(200);
    const headers = { Authorization: `Bearer ${tenant.key}` };
    const text = await (await fetch(`${app.url}${from}/export?verdict=any`, { headers })).text();
    const before = (await storedEvents(app, tenant.id)).length;

    const other = app.tenant();
    const to = await newForm(other);
    const events = (await storedEvents(app, other.id)).length;
    const exported = text.replaceAll('"reasons":[]', '"reasons":["links"]');
    expect((await send(other, to, exported)).lines).toEqual([done({ created: 3 })]);
    expect((await send(other, to, exported)).lines).toEqual([done({ unchanged: 3 })]);
    expect(await storedEvents(app, other.id)).toHaveLength(events);
    expect(await storedEvents(app, tenant.id)).toHaveLength(before);

    const kept = (rows: Record<string, unknown>[]) =>
      rows
        .map(({ form_id: _form, reasons: _reasons, ...rest }) => rest)
        .sort((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1));
    expect(kept(await listed(other, to, 'verdict=any'))).toEqual(kept(await listed(tenant, from, 'verdict=any')));
    expect((await listed(other, to)).length).toBe(2);
    expect((await listed(other, to, 'sort=name')).map(({ fields }) => (fields as { name: string }).name)).toEqual([
      'Ada',
      'Cleo',
    ]);
  });

  it('reports bad lines, and commits the others', async () => {
    const tenant = app.tenant();
    const path = await newForm(tenant);
    const other = await newForm(tenant, { name: 'Other' });
    await send(tenant, other, [{ id: ID, fields: { email: 'a@example.com' } }]);
    const good = { fields: { email: 'b@example.com' } };
    const { lines } = await send(
      tenant,
      path,
      `${JSON.stringify(good)}\nno json\n${[
        { id: ID, ...good },
        { id: 'sub_x', ...good },
        { fields: { email: 7 } },
        { fields: { __proto__: 'x', 'no name': 'x' } },
        { ...good, state: 'lost', verdict: 'bad', note: 5, origin: 'javascript:1', locale: '<' },
        { ...good, created_at: '2999-01-01T00:00:00Z' },
        { ...good, nope: 1 },
        { fields: { email: 'a\0b' } },
        { fields: { name: 'x'.repeat(300_000) } },
        {},
        [],
      ]
        .map((line) => JSON.stringify(line))
        .join('\n')}`,
    );
    expect(
      lines.map(({ line, problem }) => [line, problem?.code, problem?.errors?.map(({ path: at }) => at).join()]),
    ).toEqual([
      [2, 'malformed_json', undefined],
      [3, 'conflict', undefined],
      [4, 'validation_failed', 'id'],
      [5, 'validation_failed', 'fields.email'],
      [6, 'validation_failed', 'fields.no name'],
      [7, 'validation_failed', 'verdict,reasons,state,note,origin,locale'],
      [8, 'validation_failed', 'created_at'],
      [9, 'validation_failed', 'nope'],
      [10, 'validation_failed', 'fields.email'],
      [11, 'validation_failed', 'fields'],
      [12, 'validation_failed', 'fields'],
      [13, 'malformed_json', undefined],
      [undefined, undefined, undefined],
    ]);
    expect(lines.at(-1)).toEqual(done({ created: 1, failed: 12 }));
  });

  it('keeps values of fields that the form no longer has, and searches find them', async () => {
    const tenant = app.tenant();
    const path = await newForm(tenant);
    await listed(tenant, path, 'search=anything');
    const created_at = '2020-02-03T04:05:06.789Z';
    await send(tenant, path, [{ created_at, fields: { email: 'not an address', topic: 'Lighthouse' } }]);
    expect(await listed(tenant, path, 'search=lighthouse')).toMatchObject([
      { created_at, fields: { email: 'not an address', topic: 'Lighthouse' } },
    ]);
    const headers = { Authorization: `Bearer ${tenant.key}` };
    const csv = await (await fetch(`${app.url}${path}/export?format=csv`, { headers })).text();
    expect(csv.split('\r\n')[0]).toBe('id,created_at,name,email,topic');
  });

  it('neither sees nor changes a submission of another tenant with the same ID', async () => {
    const [mine, theirs] = [app.tenant(), app.tenant()];
    const [to, other] = [await newForm(mine), await newForm(theirs)];
    await send(theirs, other, [{ id: ID, fields: { email: 'theirs@example.com' } }]);
    expect((await send(mine, to, [{ id: ID, fields: { email: 'mine@example.com' } }])).lines).toEqual([
      done({ created: 1 }),
    ]);
    expect(await listed(theirs, other)).toMatchObject([{ id: ID, fields: { email: 'theirs@example.com' } }]);
  });
});
