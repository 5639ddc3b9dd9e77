import pg from 'pg';
import { ContentType } from '../../src/content/content-type.entity.js';
import { UPDATE_ENTRY } from '../../src/content/entries/writes/update-entry.sql.js';
import { SchemaChangeQueue } from '../../src/content/schema-changes/schema-change-queue.js';
import { Database } from '../../src/database/database.js';
import { parseId } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { ACTIVITY } from '../support/citus.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createEntries, createType } from '../support/content.js';
import { until } from '../support/until.js';
import { storedEntryEvents } from '../support/stored-events.js';

const FIELDS = [
  { name: 'title', type: 'text', required: true },
  { name: 'body', type: 'rich_text' },
  { name: 'price', type: 'number', min: 0 },
  { name: 'tags', type: 'text', multiple: true },
  { name: 'cover', type: 'media' },
];

describe('entries', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(() => {
    tenant = app.tenant();
  });
  afterEach(() => expectConsistentContent(app.database, tenant.id));

  const eventTypes = async (): Promise<string[]> => {
    const rows = await app.database.query<{ type: string }>(
      `SELECT type FROM events WHERE tenant_id = $1 AND type LIKE 'entry.%' ORDER BY id`,
      [tenant.id],
    );
    return rows.map(({ type }) => type);
  };

  describe('create', () => {
    it('answers 401 without a key and 403 with that of another tenant', async () => {
      const type = await createType(tenant, FIELDS);
      await app
        .client()
        .post(type.entries, { fields: { title: 'a' } })
        .expect(401);
      await app
        .tenant()
        .http.post(type.entries, { fields: { title: 'a' } })
        .expect(403);
    });

    it('stores a draft, and shows only created_at', async () => {
      const type = await createType(tenant, FIELDS);
      const fields = {
        title: ' One ',
        body: '<p>A\n<b>b</b></p>',
        price: 1.5,
        tags: ['x'],
        cover: { url: '/v1/media/a.jpg', alt: '' },
      };
      const { body, headers } = await tenant.http.post(type.entries, { fields }).expect(201);
      expect(body.data).toEqual({
        id: expect.stringMatching(/^ent_[0-9a-hjkmnp-tv-z]{26}$/),
        content_type_id: type.id,
        fields,
        status: 'draft',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      expect(headers['etag']).toBe('"v1"');
      expect(await eventTypes()).toEqual(['entry.created']);
    });

    it('publishes at once, with two events for the same resource', async () => {
      const type = await createType(tenant, FIELDS);
      const { body } = await tenant.http
        .post(type.entries, { fields: { title: 'a' }, status: 'published' })
        .expect(201);
      const got = await tenant.http.get(`${type.entries}/${body.data.id}`).expect(200);
      const events = await storedEntryEvents(app, tenant.id);
      expect(events.map(({ type: name, data }) => ({ type: name, data: JSON.parse(data) }))).toEqual([
        { type: 'entry.created', data: got.body.data },
        { type: 'entry.published', data: got.body.data },
      ]);
    });

    it('reports every wrong value at once', async () => {
      const type = await createType(tenant, FIELDS);
      const { body } = await tenant.http
        .post(type.entries, {
          fields: { body: 1, price: -1, tags: ['a', 2], nope: 1, cover: { url: 'x' } },
          status: 'gone',
          more: 1,
        })
        .expect(422);
      expect(body).toMatchObject({ type: '/problems/validation_failed', status: 422, code: 'validation_failed' });
      const errors = body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`).sort();
      expect(errors).toEqual([
        'fields.body type',
        'fields.cover.alt required',
        'fields.cover.url format',
        'fields.nope unknown_property',
        'fields.price min',
        'fields.tags.1 type',
        'fields.title required',
        'more unknown_property',
        'status options',
      ]);
    });

    it.each([
      [{}, 'fields', 'required'],
      [{ fields: null }, 'fields', 'required'],
      [{ fields: [] }, 'fields', 'type'],
      [{ fields: 'x' }, 'fields', 'type'],
      [{ fields: { title: 'a' }, status: null }, 'status', 'options'],
      [{ fields: { title: null } }, 'fields.title', 'required'],
      [{ fields: { title: 'a\u0000b' } }, 'fields.title', 'text'],
      [{ fields: { title: 'a\ud800b' } }, 'fields.title', 'text'],
    ])('answers 422 to %j', async (sent, path, code) => {
      const type = await createType(tenant, FIELDS);
      const { body } = await tenant.http.post(type.entries, sent).expect(422);
      expect(body.errors).toEqual([{ path, code, message: expect.any(String) }]);
      expect(await eventTypes()).toEqual([]);
    });

    it('lists text and numbers that cannot be stored beside other wrong values', async () => {
      const type = await createType(tenant, FIELDS);
      const sent = '{"fields":{"title":"a\\u0000","price":1e400,"nope":1,"tags":["\\ud800",5]},"status":"x"}';
      const { body } = await tenant.http
        .post(type.entries)
        .set('Content-Type', 'application/json')
        .send(sent)
        .expect(422);
      const errors = body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
      expect(errors.sort()).toEqual([
        'fields.nope unknown_property',
        'fields.price number',
        'fields.tags.0 text',
        'fields.tags.1 type',
        'fields.title text',
        'status options',
      ]);
    });

    it('handles malicious names and deep nesting', async () => {
      const type = await createType(tenant, [{ name: 'data', type: 'json' }]);
      const send = (text: string) => tenant.http.post(type.entries).set('Content-Type', 'application/json').send(text);
      await send('{"fields":{"__proto__":1,"constructor":2,"toString":3}}').expect(422);
      await send('{"__proto__":{"a":1},"fields":{}}').expect(422);
      await send(`{"fields":{"data":${'['.repeat(5000)}${']'.repeat(5000)}}}`).expect(422);
      await send('{"fields":{"data":{"n":1e400}}}').expect(422);
      const { text } = await send('{"fields":{"data":{"__proto__":{"a":1}}}}').expect(201);
      expect(text).toContain('"data":{"__proto__":{"a":1}}');
    });

    it('applies defaults to missing values', async () => {
      const type = await createType(tenant, [
        { name: 'kind', type: 'select', options: ['a', 'b'], default: 'b' },
        { name: 'count', type: 'integer', default: 0, required: true },
      ]);
      const { body } = await tenant.http.post(type.entries, { fields: { kind: null } }).expect(201);
      expect(body.data.fields).toEqual({ kind: 'b', count: 0 });
    });

    it('rejects a taken value of a unique field, also when two requests send it at once', async () => {
      const type = await createType(tenant, [
        { name: 'sku', type: 'text', unique: true },
        { name: 'price', type: 'number' },
      ]);
      await tenant.http.post(type.entries, { fields: { sku: 'A' } }).expect(201);
      await tenant.http.post(type.entries, { fields: { sku: 'a' } }).expect(201);
      const { body } = await tenant.http.post(type.entries, { fields: { sku: 'A', price: 'x' } }).expect(422);
      expect(body.errors.map(({ code }: { code: string }) => code).sort()).toEqual(['type', 'unique']);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => tenant.http.post(type.entries, { fields: { sku: 'race' } })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(422)]);
    });

    it('accepts references only to existing entries', async () => {
      const author = await createType(tenant, [{ name: 'name', type: 'text' }], 'Author');
      const [jane] = await createEntries(tenant, author, [{ fields: { name: 'Jane' } }]);
      const post = await createType(
        tenant,
        [{ name: 'by', type: 'reference', content_type: 'author', multiple: true }],
        'Post',
      );
      const { body } = await tenant.http.post(post.entries, { fields: { by: [jane] } }).expect(201);
      expect(body.data.fields).toEqual({ by: [jane] });
      const wrong = await tenant.http.post(post.entries, { fields: { by: [jane, body.data.id, 'x'] } }).expect(422);
      expect(wrong.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(['fields.by.2']);
      const missing = await tenant.http.post(post.entries, { fields: { by: [body.data.id] } }).expect(422);
      expect(missing.body.errors[0]).toMatchObject({ path: 'fields.by.0', code: 'reference' });
      await tenant.http.delete(`${author.entries}/${jane}`).expect(200);
      await tenant.http.patch(`${post.entries}/${body.data.id}`, { status: 'published' }).expect(200);
    });

    it('accepts references to entries of any content type that the field names', async () => {
      const name = [{ name: 'name', type: 'text' }];
      const author = await createType(tenant, name, 'Author');
      const company = await createType(tenant, name, 'Company');
      const other = await createType(tenant, name, 'Other');
      const [jane] = await createEntries(tenant, author, [{ fields: { name: 'Jane' } }]);
      const [acme] = await createEntries(tenant, company, [{ fields: { name: 'Acme' } }]);
      const [none] = await createEntries(tenant, other, [{ fields: { name: 'None' } }]);
      const by = { name: 'by', type: 'reference', content_types: ['author', 'company'], multiple: true };
      const post = await createType(tenant, [by], 'Post');
      const { body } = await tenant.http.post(post.entries, { fields: { by: [jane, acme, jane] } }).expect(201);
      expect(body.data.fields).toEqual({ by: [jane, acme, jane] });
      const wrong = await tenant.http.post(post.entries, { fields: { by: [acme, none, jane, none] } }).expect(422);
      expect(wrong.body.errors).toEqual(
        ['fields.by.1', 'fields.by.3'].map((path) => ({
          path,
          code: 'reference',
          message: 'by must be the ID of an entry of one of the content types author, company.',
        })),
      );
      const list = await tenant.http.get(`${post.entries}?where={"by":"${acme}"}`).expect(200);
      expect(list.body.meta.total).toBe(1);
    });

    it('keeps a date and time as it was sent, and sorts it by its instant', async () => {
      const type = await createType(tenant, [{ name: 'at', type: 'datetime', unique: true }]);
      const sent = ['2026-01-31T02:00+0300', '2026-01-31', '2026-01-31T00:30:00.5+00:00', '2026-01-30T23:59Z'];
      await createEntries(
        tenant,
        type,
        sent.map((at) => ({ fields: { at } })),
      );
      const { body } = await tenant.http.get(`${type.entries}?sort=at`).expect(200);
      const stored = body.data.map((entry: { fields: { at: string } }) => entry.fields.at);
      expect(stored).toEqual([sent[0], sent[3], sent[1], sent[2]]);
      const taken = await tenant.http.post(type.entries, { fields: { at: '2026-01-31T01:00:00+01:00' } }).expect(422);
      expect(taken.body.errors[0].code).toBe('unique');
    });

    it('says why it refuses a URL', async () => {
      const type = await createType(tenant, [{ name: 'link', type: 'url' }]);
      const { body } = await tenant.http.post(type.entries, { fields: { link: 'https://exa mple.com' } }).expect(422);
      expect(body.errors[0].message).toBe('link must be an absolute http or https URL: it has a space at position 12.');
    });

    it('accepts text up to the limit of a body, and rejects more', async () => {
      const type = await createType(tenant, FIELDS);
      const words = Array.from({ length: 125_000 }, (_, index) => index.toString(36)).join(' ');
      await tenant.http.post(type.entries, { fields: { title: words } }).expect(201);
      const { body } = await tenant.http.post(type.entries, { fields: { title: 'x'.repeat(1024 * 1024) } }).expect(413);
      expect(body.code).toBe('payload_too_large');
    });
  });

  describe('get', () => {
    it('answers 404 for unknown IDs of any form, another type and another tenant', async () => {
      const type = await createType(tenant, FIELDS);
      const other = await createType(tenant, FIELDS);
      const [id] = await createEntries(tenant, type, [{ fields: { title: 'a' } }]);
      for (const wrong of [
        'ent_',
        'x',
        'ent_00000000000000000000000000',
        id?.toUpperCase(),
        id?.replace('ent', 'ct'),
        '%00',
        'a'.repeat(500),
      ]) {
        await tenant.http.get(`${type.entries}/${wrong}`).expect(404);
      }
      await tenant.http.get(`${other.entries}/${id}`).expect(404);
      const stranger = app.tenant();
      await stranger.http.get(`${type.entries}/${id}`.replace(tenant.id, stranger.id)).expect(404);
    });

    it('answers 304 when the client has the current version', async () => {
      const type = await createType(tenant, FIELDS);
      const [id] = await createEntries(tenant, type, [{ fields: { title: 'a' } }]);
      const path = `${type.entries}/${id}`;
      const { headers } = await tenant.http.get(path).expect(200);
      const etag = headers['etag'] ?? '';
      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const answer = await tenant.http.get(path).set('If-None-Match', known).expect(304);
        expect(answer.headers['etag']).toBe(etag);
        expect(answer.text).toBe('');
      }
      await tenant.http.get(path).set('If-None-Match', '"v0"').expect(200);
    });
  });

  describe('update', () => {
    it('changes only what is sent, and shows only updated_at', async () => {
      const type = await createType(tenant, FIELDS);
      const [id] = await createEntries(tenant, type, [{ fields: { title: 'a', price: 1, tags: ['x', 'y'] } }]);
      const { body, headers } = await tenant.http
        .patch(`${type.entries}/${id}`, { fields: { price: null, tags: ['y', 'z'], body: '<i>new</i>' } })
        .expect(200);
      expect(body.data).toEqual({
        id,
        content_type_id: type.id,
        fields: { title: 'a', tags: ['y', 'z'], body: '<i>new</i>' },
        status: 'draft',
        updated_at: expect.any(String),
      });
      expect(headers['etag']).toBe('"v2"');
      expect((await tenant.http.get(`${type.entries}?search=new&filter[tags]=z`)).body.meta.total).toBe(1);
      expect((await tenant.http.get(`${type.entries}?filter[tags]=x`)).body.meta.total).toBe(0);
    });

    it('emits entry.published only for explicit publishing, and entry.unpublished only for what was published', async () => {
      const type = await createType(tenant, FIELDS);
      const [id] = await createEntries(tenant, type, [{ fields: { title: 'a' } }]);
      const path = `${type.entries}/${id}`;
      await tenant.http.patch(path, {}).expect(200);
      await tenant.http.patch(path, { status: 'published' }).expect(200);
      await tenant.http.patch(path, { fields: { title: 'b' } }).expect(200);
      await tenant.http.patch(path, { status: 'published' }).expect(200);
      await tenant.http.patch(path, { status: 'draft' }).expect(200);
      await tenant.http.patch(path, { status: 'draft' }).expect(200);
      expect(await eventTypes()).toEqual([
        'entry.created',
        'entry.updated',
        ...['entry.updated', 'entry.published'],
        'entry.updated',
        ...['entry.updated', 'entry.published'],
        ...['entry.updated', 'entry.unpublished'],
        'entry.updated',
      ]);
    });

    it('rejects removal of a required value, wrong values and unknown fields', async () => {
      const type = await createType(tenant, FIELDS);
      const [id] = await createEntries(tenant, type, [{ fields: { title: 'a' } }]);
      const path = `${type.entries}/${id}`;
      const { body } = await tenant.http
        .patch(path, { fields: { title: null, price: 'x', nope: 1 }, status: 1 })
        .expect(422);
      expect(body.errors).toHaveLength(4);
      await tenant.http.patch(path, { fields: null }).expect(422);
      await tenant.http.patch(path, { status: null }).expect(422);
      expect(await eventTypes()).toEqual(['entry.created']);
    });

    it('rejects changes that grow the entry above 4 MiB, and accepts changes that shrink a larger one', async () => {
      const large = await createType(
        tenant,
        ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, type: 'json' })),
        'Large',
      );
      const [id] = await createEntries(tenant, large, [{ fields: {} }]);
      const patch = (fields: object) => tenant.http.patch(`${large.entries}/${id}`, { fields });
      const text = 'x'.repeat(1_048_000);
      for (const name of ['a', 'b', 'c', 'd']) await patch({ [name]: text }).expect(200);
      const { body } = await patch({ e: text }).expect(422);
      expect(body.errors).toMatchObject([{ path: 'fields', code: 'too_long' }]);
      await app.database.query(
        `UPDATE entries SET fields = json_build_object('a', repeat('x', 6000000)) WHERE tenant_id = $1`,
        [tenant.id],
      );
      await patch({ b: 1 }).expect(422);
      await patch({ a: 'x'.repeat(1_000_000) }).expect(200);
    });

    it('writes each of many concurrent changes of one entry once, without a retry', async () => {
      const type = await createType(tenant, FIELDS);
      const [id = ''] = await createEntries(tenant, type, [{ fields: { title: 'a' } }]);
      const query = jest.spyOn(app.get(Database), 'query');
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, price) => tenant.http.patch(`${type.entries}/${id}`, { fields: { price } })),
      );
      const updates = query.mock.calls.filter(([, { name }]) => name === UPDATE_ENTRY.plain.name);
      query.mockRestore();
      expect(answers.map(({ status }) => status)).toEqual(Array<number>(30).fill(200));
      expect(updates).toHaveLength(30);
    });

    it('lets several changes of one entry wait for a change of their type for longer than for each other', async () => {
      const type = await createType(tenant, FIELDS);
      const [id = ''] = await createEntries(tenant, type, [{ fields: { title: 'a' } }]);
      const typeId = parseId('ct', type.id) ?? '';
      const changes = app.get(SchemaChangeQueue);
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      let lock = Promise.resolve();
      await new Promise<void>((locked) => {
        lock = app.get(Database).transaction(tenant.id, async (transaction) => {
          await transaction.repository(ContentType).findOne(tenant.id, { id: typeId }, 'pessimistic_write');
          locked();
          await held;
        });
      });
      const fields = FIELDS.map((field) => (field.name === 'title' ? { ...field, max: 50 } : field));
      const change = tenant.http
        .put(`/v1/content/${tenant.id}/types/${type.id}`, { fields })
        .then(({ status }) => status);
      await until(() => Promise.resolve(changes.isInProgress(tenant.id, typeId)));
      const updates = [1, 2, 3].map((price) =>
        tenant.http.patch(`${type.entries}/${id}`, { fields: { price } }).then(({ status }) => status),
      );
      // Longer than a change waits for the changes of its entry.
      await new Promise((resolve) => setTimeout(resolve, 3_500));
      release();
      await lock;
      expect(await change).toBe(200);
      expect(await Promise.all(updates)).toEqual([200, 200, 200]);
    });

    it('keeps both of two concurrent changes, and emits every event', async () => {
      const type = await createType(
        tenant,
        Array.from({ length: 12 }, (_, index) => ({ name: `f${index}`, type: 'number' })),
      );
      const [id] = await createEntries(tenant, type, [{ fields: {} }]);
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          tenant.http.patch(`${type.entries}/${id}`, { fields: { [`f${index}`]: index } }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
      const { body } = await tenant.http.get(`${type.entries}/${id}`);
      expect(body.data.fields).toEqual(
        Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${index}`, index])),
      );
      expect(await eventTypes()).toHaveLength(13);
    });

    it('happens once although PostgreSQL ends it in favour of a transaction that holds its counter', async () => {
      const type = await createType(tenant, FIELDS);
      const [id] = await createEntries(tenant, type, [{ fields: { title: 'a' } }]);
      const names = [tenant.id, parseId('ct', type.id)];
      await app.database.query(
        `INSERT INTO entry_counts (tenant_id, content_type_id, shard, drafts, published, state)
          SELECT $1, $2, n, 0, 0, 0 FROM generate_series(0, 15) n ON CONFLICT DO NOTHING`,
        names,
      );
      const isWaiting = async () =>
        (
          await app.database.query(
            `SELECT FROM ${ACTIVITY} WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          )
        ).length > 0;
      /** Returns whether PostgreSQL ended the update and not this transaction. */
      const collide = async (title: string): Promise<boolean> => {
        const client = new pg.Client({ connectionString: app.database.url });
        await client.connect();
        try {
          await client.query('BEGIN');
          await client.query(
            'SELECT FROM entry_counts WHERE tenant_id = $1 AND content_type_id = $2 FOR UPDATE',
            names,
          );
          const update = tenant.http
            .patch(`${type.entries}/${id}`, { fields: { title } })
            .expect(200)
            .then(() => undefined);
          await until(isWaiting);
          const wins = await client
            .query('SELECT FROM entries WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [tenant.id, parseId('ent', id!)])
            .then(
              () => true,
              () => false,
            );
          await client.query('ROLLBACK');
          await update;
          return wins;
        } finally {
          await client.end();
        }
      };
      let count = 1;
      while (!(await collide(`b${count}`))) count++;
      const { body } = await tenant.http.get(`${type.entries}/${id}`).expect(200);
      expect(body.data.fields.title).toBe(`b${count}`);
      expect(await eventTypes()).toHaveLength(1 + count);
    });

    it('honours If-Match', async () => {
      const type = await createType(tenant, FIELDS);
      const [id] = await createEntries(tenant, type, [{ fields: { title: 'a' } }]);
      const path = `${type.entries}/${id}`;
      await tenant.http
        .patch(path, { fields: { title: 'b' } })
        .set('If-Match', '"v1"')
        .expect(200);
      const { body } = await tenant.http
        .patch(path, { fields: { title: 'c' } })
        .set('If-Match', '"v1"')
        .expect(412);
      expect(body.code).toBe('precondition_failed');
      await tenant.http
        .patch(path, { fields: { title: 'c' } })
        .set('If-Match', 'W/"v2"')
        .expect(412);
      await tenant.http.delete(path).set('If-Match', '"v1"').expect(412);
      const race = await Promise.all(
        Array.from({ length: 6 }, () => tenant.http.patch(path, { fields: { title: 'd' } }).set('If-Match', '"v2"')),
      );
      expect(race.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
      await tenant.http.delete(path).set('If-Match', '*').expect(200);
    });
  });

  describe('delete', () => {
    it('deletes permanently, and emits the last state', async () => {
      const type = await createType(tenant, [{ name: 'sku', type: 'text', unique: true }]);
      const [id] = await createEntries(tenant, type, [{ fields: { sku: 'a' }, status: 'published' }]);
      const path = `${type.entries}/${id}`;
      const last = await tenant.http.get(path).expect(200);
      const { body } = await tenant.http.delete(path).expect(200);
      expect(body).toEqual({ message: expect.any(String) });
      await tenant.http.get(path).expect(404);
      await tenant.http.delete(path).expect(404);
      await tenant.http.patch(path, {}).expect(404);
      await createEntries(tenant, type, [{ fields: { sku: 'a' } }]);
      const event = (await storedEntryEvents(app, tenant.id)).find((one) => one.type === 'entry.deleted');
      expect(JSON.parse(event?.data ?? '')).toEqual(last.body.data);
    });

    it('succeeds once when several clients delete at once', async () => {
      const type = await createType(tenant, FIELDS);
      const [id] = await createEntries(tenant, type, [{ fields: { title: 'a' } }]);
      const answers = await Promise.all(Array.from({ length: 6 }, () => tenant.http.delete(`${type.entries}/${id}`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    });
  });

  it('stay consistent under any mix of concurrent writes', async () => {
    const type = await createType(tenant, FIELDS);
    const ids = await createEntries(
      tenant,
      type,
      Array.from({ length: 5 }, (_, index) => ({ fields: { title: `t${index}` } })),
    );
    const random = (below: number) => Math.floor(Math.random() * below);
    await Promise.all(
      Array.from({ length: 120 }, async () => {
        const path = `${type.entries}/${ids[random(ids.length)]}`;
        switch (random(4)) {
          case 0:
            return tenant.http.post(type.entries, { fields: { title: 'new', tags: ['a', 'b'] } });
          case 1:
            return tenant.http.delete(path);
          default:
            return tenant.http.patch(path, {
              fields: { price: random(9), tags: ['a', `${random(3)}`] },
              status: random(2) ? 'published' : 'draft',
            });
        }
      }),
    );
  });
});
