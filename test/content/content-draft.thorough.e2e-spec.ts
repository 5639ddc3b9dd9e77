import pg from 'pg';
import request from 'supertest';
import { parseId } from '../../src/ids/type-id.js';
import { fill, type Operation, operationsOf, readDocument } from '../support/api.js';
import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import { ACTIVITY } from '../support/citus.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { until } from '../support/until.js';

const TYPE = '/v1/content/{tenant_id}/types/{content_type_id}';
const ENTRY = `${TYPE}/entries/{entry_id}`;

/** What a request changes: a draft or something that is not live (`any`), or the entry in its path, which must not be published (`entry`). */
interface Allowed {
  changes: 'any' | 'entry';
  query?: string;
  body?: object;
  lines?: string;
}

const FIELDS = { fields: { title: 'Changed' } };

/** Everything that a key with `content:draft` alone may do. Every other operation is refused. */
const ALLOWED: Record<string, Allowed> = {
  [`post ${TYPE}/entries`]: { changes: 'any', body: FIELDS },
  [`post ${TYPE}/entries/import`]: { changes: 'any', lines: '{"fields":{"title":"Line"}}\n' },
  'post /v1/content/{tenant_id}/bulk': { changes: 'any', body: { operations: [] } },
  [`patch ${ENTRY}`]: { changes: 'entry', body: FIELDS },
  [`post ${ENTRY}/versions/{version}/restore`]: { changes: 'entry' },
  [`post ${ENTRY}/versions/{version}/restore?to=draft`]: { changes: 'any', query: '?to=draft' },
  [`post ${ENTRY}/draft/apply`]: { changes: 'entry' },
  [`patch ${ENTRY}/draft`]: { changes: 'any', body: FIELDS },
  [`put ${ENTRY}/draft/review`]: { changes: 'any', body: { note: 'Ready' } },
  [`delete ${ENTRY}/draft/review`]: { changes: 'any' },
  [`delete ${ENTRY}/draft`]: { changes: 'any' },
  [`delete ${ENTRY}/preview-links`]: { changes: 'any' },
  [`put ${ENTRY}/presence`]: { changes: 'any' },
  [`delete ${ENTRY}/presence`]: { changes: 'any' },
  [`delete ${ENTRY}`]: { changes: 'entry' },
};

/** What it may do with entries that are not published and have values in several locales: live-locales.e2e-spec.ts. */
const OF_LOCALES = [`put ${ENTRY}/locales/{code}`];

/** What it may do only together with `content:read`. */
const WITH_READING = [`post ${ENTRY}/preview-links`];

describe('an API key with content:draft', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  let live: string;
  let own: string;
  let drafter: Http;
  let key: string;

  beforeAll(async () => {
    app = await startApp({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, [
      { name: 'title', type: 'text', required: true },
      { name: 'slug', type: 'text', unique: true },
    ]);
    const [first = '', second = ''] = await createEntries(tenant, type, [
      { fields: { title: 'Live', slug: 'live' }, status: 'published' },
      { fields: { title: 'Own', slug: 'own' } },
    ]);
    [live, own] = [`${type.entries}/${first}`, `${type.entries}/${second}`];
    ({ key, http: drafter } = await keyWith(['content:draft']));
  });
  afterEach(() => expectConsistentContent(app.database, tenant.id));

  const keyWith = async (scopes: string[]): Promise<{ key: string; http: Http }> => {
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'drafter', scopes }).expect(201);
    const { key: made } = (body as { data: { key: string } }).data;
    return { key: made, http: app.client(`Bearer ${made}`) };
  };
  const idOf = (path: string) => path.split('/').at(-1) ?? '';
  const read = async (path: string) => {
    const { body, headers } = await tenant.http.get(path).expect(200);
    return { ...(body as { data: { status: string; fields: object } }).data, etag: headers['etag'] };
  };
  const send = (method: Operation['method'], path: string, { query = '', body, lines }: Partial<Allowed>, by = key) => {
    const sent = request(app.url)
      [method](path + query)
      .set('Authorization', `Bearer ${by}`);
    if (lines !== undefined) return sent.set('Content-Type', 'application/x-ndjson').send(lines);
    return body ? sent.send(body) : sent;
  };
  const bulk = (operations: object[], atomic = false, http = drafter) =>
    http.post(`/v1/content/${tenant.id}/bulk`, {
      atomic,
      operations: operations.map((one) => ({ content_type: type.id, ...one })),
    });
  const resultsOf = ({ body }: { body: { data: { result: string; problem?: { code: string; status: number } }[] } }) =>
    body.data.map(({ result, problem }) => (problem ? problem.code : result));

  it('may send the requests of a list, and is refused by every other operation', async () => {
    const operations = operationsOf(await readDocument(app)).filter(({ scopes }) => scopes.length > 0);
    const titles = operations.map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(ALLOWED).filter((title) => !titles.includes(title.replace(/\?.*/, '')))).toEqual([]);
    const wrong: string[] = [];
    for (const { method, path, body } of operations) {
      const title = `${method} ${path}`;
      if (title in ALLOWED || OF_LOCALES.includes(title)) continue;
      for (const entry of [live, own]) {
        const names = { tenant_id: tenant.id, content_type_id: type.id, entry_id: idOf(entry), version: '1' };
        const filled = fill(path, names).replace(/\{\w+\}/g, 'unknown');
        const { status, body: answer } = await send(method, filled, { body: body && {} });
        if (status !== 403 || answer.code !== 'forbidden') wrong.push(`${title} answers ${status}`);
      }
    }
    expect(wrong).toEqual([]);
    expect([await read(live), await read(own)]).toMatchObject([{ etag: '"v1"' }, { etag: '"v1"' }]);
  });

  it('changes entries that are not published, and of published ones only the drafts', async () => {
    await tenant.http.patch(live, { fields: { title: 'Live, again' } }).expect(200);
    await tenant.http.patch(own, { fields: { title: 'Own, again' } }).expect(200);
    const before = await read(live);
    const answers: [string, number, number][] = [];
    for (const [title, allowed] of Object.entries(ALLOWED)) {
      const [method = 'get', path = ''] = title.replace(/\?.*/, '').split(' ') as [Operation['method'], string];
      const to = (entry: string) =>
        fill(path, { tenant_id: tenant.id, content_type_id: type.id, entry_id: idOf(entry), version: '1' });
      const { status } = await send(method, to(live), allowed);
      // The restored draft has no differences from the entry that was restored before, so there is one more.
      if (title.startsWith('patch') && path === ENTRY) await tenant.http.patch(own, FIELDS).expect(200);
      answers.push([title, status, (await send(method, to(own), allowed)).status]);
    }
    const isFine = (status: number) => status >= 200 && status < 300;
    expect(answers.filter(([title, ofLive]) => isFine(ofLive) !== (ALLOWED[title]?.changes === 'any'))).toEqual([]);
    expect(answers.filter(([, , ofOwn]) => !isFine(ofOwn))).toEqual([]);
    // The draft of an entry that is published cannot be applied, by anybody.
    const refused = (title: string) => (title.endsWith('/draft/apply') ? 409 : 403);
    expect(answers.filter(([title, status]) => status !== refused(title) && !isFine(status))).toEqual([]);
    expect(await read(live)).toEqual(before);
    await tenant.http.get(own).expect(404);
  });

  it('says why it is refused', async () => {
    const lacks = 'This request lacks the scope content:write (or write or *). It has only content:draft.';
    const published = `The entry is published. ${lacks}`;
    const publishing = `Publishing changes what is live. ${lacks}`;
    const details = [
      (await drafter.patch(live, FIELDS).expect(403)).body.detail,
      (await drafter.delete(live).expect(403)).body.detail,
      (await drafter.patch(own, { status: 'published' }).expect(403)).body.detail,
      (await drafter.post(type.entries, { ...FIELDS, status: 'published' }).expect(403)).body.detail,
      (await drafter.post(`${own}/draft/publish`).expect(403)).body.detail,
    ];
    expect(details).toEqual([published, published, publishing, publishing, lacks]);
  });

  it('neither publishes nor unpublishes, in any request', async () => {
    for (const [path, body] of [
      [live, { status: 'draft' }],
      [live, { status: 'published' }],
      [live, {}],
      [own, { status: 'published' }],
      [own, { status: 'published', fields: { title: 'x' } }],
    ] as const) {
      await drafter.patch(path, body).expect(403);
    }
    for (const entry of [live, own]) {
      await drafter.patch(`${entry}/draft`, FIELDS).expect(200);
      await drafter.post(`${entry}/draft/publish`).expect(403);
      await drafter.post(`${entry}/draft/publish?force=true`).expect(403);
      await drafter.put(`${entry}/schedule`, { publish_at: '2100-01-01T00:00:00Z' }).expect(403);
      await tenant.http.put(`${entry}/schedule`, { publish_at: '2100-01-01T00:00:00Z' }).expect(200);
      await drafter.delete(`${entry}/schedule`).expect(403);
    }
    await send('post', `${type.entries}/import?status=published`, { lines: '{"fields":{"title":"a"}}\n' }).expect(403);
    expect([(await read(live)).etag, (await read(own)).etag]).toEqual(['"v1"', '"v1"']);
  });

  it('decides each operation of a bulk request by the same rule', async () => {
    const [liveId, ownId] = [idOf(live), idOf(own)];
    const answer = await bulk([
      { op: 'create', fields: { title: 'New' } },
      { op: 'create', fields: { title: 'New' }, status: 'published' },
      { op: 'update', entry_id: liveId, fields: { title: 'x' } },
      { op: 'update', entry_id: liveId, status: 'draft' },
      { op: 'update', entry_id: ownId, fields: { title: 'Changed' } },
      { op: 'update', entry_id: ownId, status: 'published' },
      { op: 'upsert', key: { slug: 'live' }, fields: { title: 'x' } },
      { op: 'upsert', key: { slug: 'live' }, fields: { title: 'Live' } },
      { op: 'upsert', key: { slug: 'own' }, fields: { title: 'Upserted' } },
      { op: 'upsert', key: { slug: 'own' }, status: 'published' },
      { op: 'upsert', key: { slug: 'new' }, fields: { title: 'Upserted' }, status: 'published' },
      { op: 'upsert', key: { slug: 'newer' }, fields: { title: 'Upserted' } },
      { op: 'delete', entry_id: liveId },
      { op: 'delete', entry_id: ownId },
    ]).expect(200);
    const no = 'forbidden';
    const [made, put] = ['created', 'updated'];
    expect(resultsOf(answer)).toEqual([made, no, no, no, put, no, no, no, put, no, no, made, no, 'deleted']);
    expect(await read(live)).toMatchObject({ status: 'published', fields: { title: 'Live' }, etag: '"v1"' });
    const { body } = await tenant.http.get(`${type.entries}?filter[status]=published`).expect(200);
    expect(body.data).toHaveLength(1);
  });

  it('changes nothing with an atomic bulk request of which one operation is refused', async () => {
    const { body } = await bulk(
      [
        { op: 'create', fields: { title: 'New' } },
        { op: 'update', entry_id: idOf(live), fields: { title: 'x' } },
        { op: 'upsert', key: { slug: 'live' }, fields: { title: 'x' } },
        { op: 'create', fields: { title: 'New' }, status: 'published' },
      ],
      true,
    ).expect(403);
    expect(body.errors.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual([
      ['operations.1.entry_id', 'forbidden'],
      ['operations.2.key', 'forbidden'],
      ['operations.3.status', 'forbidden'],
    ]);
    expect((await tenant.http.get(type.entries).expect(200)).body.meta.total).toBe(2);
  });

  it('imports lines that change nothing live, and has the others reported', async () => {
    const lines = [
      { fields: { title: 'a', slug: 'a' } },
      { fields: { title: 'b', slug: 'b' }, status: 'published' },
      { fields: { title: 'x', slug: 'live' } },
      { fields: { title: 'c', slug: 'own' } },
      { fields: { title: 'd', slug: 'own' }, status: 'published' },
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const answer = await send('post', `${type.entries}/import?key=slug`, { lines: text }).buffer().expect(200);
    const reported = answer.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { line?: number; problem?: { code: string } })
      .filter(({ problem }) => problem)
      .map(({ line, problem }) => [line, problem?.code]);
    expect(reported).toEqual([2, 3, 5].map((line) => [line, 'forbidden']));
    expect(answer.text).toContain('"created":1,"updated":1,"unchanged":0,"failed":3');
    expect([await read(live), await read(own)]).toMatchObject([
      { etag: '"v1"' },
      { status: 'draft', fields: { title: 'c' } },
    ]);
  });

  it('reads nothing, and gets the answers that other keys for writing get', async () => {
    for (const path of [
      type.entries,
      live,
      own,
      `${live}/draft`,
      `${own}/versions`,
      `/v1/content/${tenant.id}/drafts`,
    ]) {
      await drafter.get(path).expect(403);
    }
    expect((await drafter.patch(`${live}/draft`, FIELDS).expect(200)).body).toEqual({ data: { id: idOf(live) } });
    await drafter.patch(`${live}/draft`, {}).expect(403);
    expect((await drafter.put(`${live}/draft/review`).expect(200)).body).toEqual({ data: { id: idOf(live) } });
    await drafter.post(`${own}/preview-links`).expect(403);
    const { http } = await keyWith(['content:draft', 'content:read']);
    for (const title of WITH_READING) expect(title).toContain('preview-links');
    await http.post(`${own}/preview-links`).expect(201);
    expect((await http.patch(`${live}/draft`, FIELDS).expect(200)).body.data.changed).toEqual(['title']);
  });

  it('replays its own successes, also if the entry was published since', async () => {
    const once = () => drafter.patch(own, FIELDS).set('Idempotency-Key', 'once');
    const { body } = await once().expect(200);
    await tenant.http.patch(own, { status: 'published' }).expect(200);
    const replayed = await once().expect(200);
    expect([replayed.body, replayed.headers['idempotency-replayed']]).toEqual([body, 'true']);
    await drafter.patch(own, FIELDS).set('Idempotency-Key', 'twice').expect(403);
    // A key with other rights has another request.
    await tenant.http.patch(own, FIELDS).set('Idempotency-Key', 'once').expect(422);
    expect((await read(own)).etag).toBe('"v3"');
  });

  it('deletes no entry to which published ones refer in a field that would be cleared', async () => {
    const by = (onDelete: string) => [
      { name: 'title', type: 'text' },
      { name: 'to', type: 'reference', content_type: type.id, on_delete: onDelete },
    ];
    const notes = await createType(tenant, by('clear'), 'Note');
    const values = { title: 'Refers', to: idOf(own) };
    const [first, second] = await createEntries(tenant, notes, [
      { fields: values },
      { fields: values, status: 'published' },
    ]);
    const { body } = await drafter.delete(own).expect(403);
    expect(body.detail).toContain('Published entries refer to the entry');
    expect(resultsOf(await bulk([{ op: 'delete', entry_id: idOf(own) }]).expect(200))).toEqual(['forbidden']);
    const [hidden, shown] = [await read(`${notes.entries}/${first}`), await read(`${notes.entries}/${second}`)];
    expect([hidden.etag, shown.etag, (await read(own)).etag]).toEqual(['"v1"', '"v1"', '"v1"']);
    await tenant.http.patch(`${notes.entries}/${second}`, { status: 'draft' }).expect(200);
    await drafter.delete(own).expect(200);
    expect((await read(`${notes.entries}/${first}`)).fields).toEqual({ title: 'Refers' });
  });

  it('makes only keys that do no more', async () => {
    const { http } = await keyWith(['content:draft', 'keys:write']);
    const make = (scope: string) => http.post(`/v1/keys/${tenant.id}`, { name: 'more', scopes: [scope] });
    for (const scope of ['content:write', `content:write@${type.id}`, 'write', 'content:read', '*']) {
      await make(scope).expect(403);
    }
    await make('content:draft').expect(201);
    await make(`content:draft@${type.id}`).expect(201);
    const wide = await keyWith(['content:write', 'keys:write']);
    await wide.http.post(`/v1/keys/${tenant.id}`, { name: 'part', scopes: ['content:draft'] }).expect(201);
  });

  describe('that is limited to a content type', () => {
    let other: TestType;
    let theirs: string;

    beforeEach(async () => {
      other = await createType(tenant, [{ name: 'title', type: 'text' }], 'Page');
      const [id] = await createEntries(tenant, other, [{ fields: { title: 'Page' } }]);
      theirs = `${other.entries}/${id}`;
    });

    it.each(['id', 'slug'])('by its %s does the same there, and nothing elsewhere', async (by) => {
      const scope = `content:draft@${by === 'id' ? type.id : 'article'}`;
      const { http } = await keyWith([scope]);
      const created = await http.post(type.entries, FIELDS).expect(201);
      await http.patch(`${type.entries}/${created.body.data.id}`, FIELDS).expect(200);
      await http.patch(`${live}/draft`, FIELDS).expect(200);
      await http.put(`${live}/draft/review`, {}).expect(200);
      await http.patch(live, FIELDS).expect(403);
      await http.post(type.entries, { ...FIELDS, status: 'published' }).expect(403);
      await http.post(`${live}/draft/publish`).expect(403);
      await http.put(type.path, { name: 'Mine' }).expect(403);
      await http.post(`/v1/content/${tenant.id}/types`, { name: 'New', fields: [] }).expect(403);
      for (const answer of [
        http.post(other.entries, FIELDS),
        http.patch(theirs, FIELDS),
        http.delete(theirs),
        http.patch(`${theirs}/draft`, FIELDS),
        http.put(`${theirs}/draft/review`),
        http.post(`${theirs}/versions/1/restore`),
      ]) {
        await answer.expect(403);
      }
      const results = resultsOf(
        await bulk(
          [
            { op: 'create', fields: { title: 'Here' } },
            { op: 'create', content_type: other.id, fields: { title: 'There' } },
            { op: 'update', content_type: 'page', entry_id: idOf(theirs), fields: { title: 'x' } },
            { op: 'update', entry_id: idOf(live), fields: { title: 'x' } },
          ],
          false,
          http,
        ).expect(200),
      );
      expect(results).toEqual(['created', 'forbidden', 'forbidden', 'forbidden']);
      expect((await read(theirs)).etag).toBe('"v1"');
    });

    it('may change what is live in others with content:write', async () => {
      const { http } = await keyWith([`content:draft@${type.id}`, `content:write@${other.id}`]);
      await http.patch(theirs, { status: 'published' }).expect(200);
      await http.patch(theirs, FIELDS).expect(200);
      await http.post(other.entries, { ...FIELDS, status: 'published' }).expect(201);
      await http.patch(live, FIELDS).expect(403);
      await http.patch(own, { status: 'published' }).expect(403);
      const { body } = await bulk(
        [
          { op: 'update', entry_id: idOf(live), fields: { title: 'x' } },
          { op: 'update', content_type: other.id, entry_id: idOf(theirs), fields: { title: 'x' } },
        ],
        false,
        http,
      ).expect(200);
      expect(resultsOf({ body })).toEqual(['forbidden', 'updated']);
      const both = await keyWith([`content:draft@${type.id}`, `content:write@${type.id}`]);
      await both.http.patch(live, FIELDS).expect(200);
    });
  });

  describe('while another process publishes the entry', () => {
    let other: TestApp;
    beforeEach(async () => {
      const api_keys = [{ name: 'test', key: tenant.key }];
      const TENANTS = JSON.stringify([{ id: tenant.id, name: 'Same', api_keys }]);
      other = await startApp({ TENANTS }, { database: app.database });
    });
    afterEach(() => other.close());

    const waiting = (count: number) =>
      until(async () => {
        const [row] = await app.database.query<{ waiting: number }>(
          `SELECT count(*)::int AS waiting FROM ${ACTIVITY} WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        return row?.waiting === count;
      });

    it.each<[string, (id: string) => Promise<{ status: number; text: string }>]>([
      ['an update', async () => drafter.patch(own, FIELDS)],
      ['a deletion', async () => drafter.delete(own)],
      ['a restoration', async () => drafter.post(`${own}/versions/1/restore`)],
      ['a bulk update', async (id) => bulk([{ op: 'update', entry_id: id, ...FIELDS }], true)],
      ['a bulk deletion', async (id) => bulk([{ op: 'delete', entry_id: id }], true)],
      ['an upsert', async () => bulk([{ op: 'upsert', key: { slug: 'own' }, ...FIELDS }], true)],
    ])('%s is refused, although it has read an entry that was not published', async (_name, change) => {
      await tenant.http.patch(own, { fields: { title: 'Approved' } }).expect(200);
      const client = new pg.Client({ connectionString: app.database.url });
      await client.connect();
      try {
        await client.query('BEGIN');
        await client.query('SELECT 1 FROM entries WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [
          tenant.id,
          parseId('ent', idOf(own)),
        ]);
        const publication = other
          .client(`Bearer ${tenant.key}`)
          .patch(own, { status: 'published' })
          .then(({ status }) => status);
        await waiting(1);
        const changed = change(idOf(own)).then(({ status }) => status);
        await waiting(2);
        await client.query('COMMIT');
        expect([await publication, await changed]).toEqual([200, 403]);
      } finally {
        await client.end();
      }
      expect(await read(own)).toMatchObject({ status: 'published', fields: { title: 'Approved' }, etag: '"v3"' });
    });
  });
});
