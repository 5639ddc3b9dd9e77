import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { ofEntries } from '../support/stored-events.js';

const FIELDS = [
  { name: 'title', type: 'text', required: true, max: 40 },
  { name: 'slug', type: 'text', unique: true },
  { name: 'price', type: 'number' },
];

describe('a draft of an entry that is not published', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  let entry: string;
  let draft: string;
  let drafter: Http;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, FIELDS);
    const [id] = await createEntries(tenant, type, [{ fields: { title: 'First', slug: 'first', price: 1 } }]);
    entry = `${type.entries}/${id}`;
    draft = `${entry}/draft`;
    const made = { name: 'Drafter', scopes: ['content:draft'] };
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, made).expect(201);
    drafter = app.client(`Bearer ${body.data.key}`);
  });
  afterEach(() => expectConsistentContent(app.database, tenant.id));

  const save = async (fields: object, http = tenant.http) => {
    return (await http.patch(draft, { fields }).expect(200)).headers['etag'] as string;
  };
  const apply = (query = '', http = tenant.http) => http.post(`${draft}/apply${query}`);
  const read = async (path = entry) => (await tenant.http.get(path).expect(200)).body.data;
  const eventsOf = async () => {
    const { body } = await tenant.http.get(`/v1/events/${tenant.id}?cursor=&per_page=100`).expect(200);
    return ofEntries(body.data as { type: string; data: object }[]).slice(1);
  };

  it('is applied as one version and one event, and is then gone', async () => {
    await save({ title: 'Second', price: null });
    const { body, headers } = await apply().expect(200);
    expect(headers['etag']).toBe('"v2"');
    expect(await read()).toMatchObject(body.data);
    expect(body.data).toMatchObject({ status: 'draft', fields: { title: 'Second', slug: 'first' } });
    await tenant.http.get(draft).expect(404);
    expect((await eventsOf()).map((event) => event.type)).toEqual(['entry.updated']);
    const { body: history } = await tenant.http.get(`${entry}/versions`).expect(200);
    expect(history.data[0]).toMatchObject({
      version: 2,
      action: 'updated',
      status: 'draft',
      changed: ['title', 'price'],
    });
    expect((await tenant.http.get(`${type.entries}?search=second`)).body.meta.total).toBe(1);
  });

  it('stays as it is if the entry is published: 409', async () => {
    await save({ title: 'Second' });
    await tenant.http.patch(entry, { status: 'published' }).expect(200);
    const { body } = await apply('?force=true').expect(409);
    expect(body).toMatchObject({
      code: 'conflict',
      detail: 'The entry is published. Publish the draft to make its values live.',
    });
    expect((await read(draft)).changed).toEqual(['title']);
  });

  it('is 404 if there is none, and 412 if it is not the one that If-Match names', async () => {
    expect((await apply().expect(404)).body.detail).toBe('There is no such draft.');
    const first = await save({ title: 'Second' });
    const second = await save({ title: 'Third' });
    await apply().set('If-Match', first).expect(412);
    await apply().set('If-Match', '"v1"').expect(412);
    await apply().set('If-Match', second).expect(200);
    expect((await read()).fields.title).toBe('Third');
  });

  it('has no tag again that it had before it was applied', async () => {
    const first = await save({ title: 'Second' });
    await apply().expect(200);
    expect(await save({ title: 'Third' })).not.toBe(first);
    await apply().set('If-Match', first).expect(412);
  });

  it('conflicts by field, unless it is forced', async () => {
    await save({ title: 'Mine', price: 2 });
    await tenant.http.patch(entry, { fields: { title: 'Theirs' } }).expect(200);
    const { body } = await apply().expect(409);
    expect(body.errors).toMatchObject([{ path: 'fields.title', code: 'conflict' }]);
    await apply('?force=yes').expect(400);
    await apply('?force=true').expect(200);
    expect((await read()).fields).toEqual({ title: 'Mine', slug: 'first', price: 2 });
  });

  it('is checked: a unique value that was taken meanwhile is 422', async () => {
    await save({ slug: 'second' });
    await createEntries(tenant, type, [{ fields: { title: 'Other', slug: 'second' } }]);
    expect((await apply().expect(422)).body.errors).toMatchObject([{ path: 'fields.slug', code: 'unique' }]);
    await save({ slug: 'third' });
    await apply().expect(200);
    await createEntries(tenant, type, [{ fields: { title: 'Other', slug: 'first' } }]);
  });

  it('is applied by a key with content:draft, which gets the ID alone', async () => {
    await save({ title: 'Second' }, drafter);
    const { body } = await apply('', drafter).expect(200);
    expect(body.data).toEqual({ id: entry.split('/').at(-1) });
    await app.client().post(`${draft}/apply`).expect(401);
    await app.client(`Bearer ${app.tenant().key}`).post(`${draft}/apply`).expect(403);
    await app.client(`Bearer ${tenant.publishedKey}`).post(`${draft}/apply`).expect(403);
  });

  it('keeps a review that waits: the entry is then its own draft', async () => {
    await save({ title: 'Second' });
    const asked = await tenant.http.put(`${draft}/review`, { note: 'Ready' }).expect(200);
    await apply().expect(200);
    const { body, headers } = await tenant.http.get(draft).expect(200);
    expect(body.data).toMatchObject({ changed: [], fields: { title: 'Second' }, review: { note: 'Ready' } });
    expect(headers['etag']).not.toBe(asked.headers['etag']);
  });

  it('keeps all values if it is saved and applied at the same time', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `f${n}`);
    const more = names.map((name) => ({ name, type: 'text' }));
    await tenant.http.put(type.path, { fields: [...FIELDS, ...more] }).expect(200);
    const statuses = await Promise.all(
      names.flatMap((name) => [save({ [name]: name }).then(() => 200), apply().then(({ status }) => status)]),
    );
    expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([]);
    await apply();
    expect((await read()).fields).toMatchObject(Object.fromEntries(names.map((name) => [name, name])));
  });

  describe('that a schedule publishes', () => {
    const unapproved = async () =>
      (await app.database.query('SELECT unapproved, version FROM entries WHERE tenant_id = $1', [tenant.id]))[0];

    it('is published with the same values after it was applied by somebody who may not publish', async () => {
      await save({ title: 'Second' }, drafter);
      await apply('', drafter).expect(200);
      expect(await unapproved()).toEqual({ unapproved: null, version: 2 });
    });

    it('is no longer what the schedule was set for if somebody who may not publish forces it over other values', async () => {
      await save({ title: 'Second' });
      await tenant.http.patch(entry, { fields: { title: 'Other' } }).expect(200);
      await apply('?force=true', drafter).expect(200);
      expect(await unapproved()).toEqual({ unapproved: 3, version: 3 });
    });
  });

  describe('with If-None-Match: *', () => {
    const begin = (fields: object) => tenant.http.patch(draft, { fields }).set('If-None-Match', '*');

    it('is only begun: 412 if there is one', async () => {
      await begin({ title: 'Mine' }).expect(200);
      const { body } = await begin({ title: 'Theirs' }).expect(412);
      expect(body).toMatchObject({ code: 'precondition_failed', detail: 'The entry already has a draft.' });
      await begin({}).expect(412);
      expect((await read(draft)).fields.title).toBe('Mine');
      await apply().expect(200);
      await begin({ title: 'Theirs' }).expect(200);
    });

    it('is begun by one of several requests at the same time', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => begin({ title: `${n}` })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(412)]);
    });

    it('is 400 with a tag', async () => {
      await tenant.http.patch(draft, { fields: {} }).set('If-None-Match', '"d1"').expect(400);
    });
  });
});
