import { startApp, type Http, type TestApp, type TestTenant } from '../support/app.js';
import { expectServerErrors } from '../support/server-errors.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'name', type: 'text', required: true },
  { name: 'email', type: 'email' },
  { name: 'age', type: 'text' },
];

describe('changing forms', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  let addresses = 0;
  const visitor = (of = app): Http => of.client(undefined, { 'X-Forwarded-For': `10.7.0.${++addresses % 250}` });

  async function newForm(tenant: Pick<TestTenant, 'id' | 'http'>, body: object = {}) {
    const response = await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields: FIELDS, ...body });
    expect([response.status, response.body.errors]).toEqual([201, undefined]);
    const id = response.body.data.id as string;
    const path = `/v1/forms/${tenant.id}/${id}`;
    return { id, path, submissions: `${path}/submissions`, created: response.body.data };
  }
  const codes = (body: { errors?: { path: string; code: string }[] }) =>
    (body.errors ?? []).map(({ path, code }) => `${path} ${code}`);
  const eventsOf = async (tenant: TestTenant, prefix: string) =>
    (await tenant.http.get(`/v1/events/${tenant.id}`).expect(200)).body.data.filter(({ type }: { type: string }) =>
      type.startsWith(prefix),
    );

  describe('get', () => {
    it('answers what create answered, with an ETag, by ID and by slug', async () => {
      const tenant = app.tenant();
      const { path, created } = await newForm(tenant, { slug: 'hello', notify_email: 'office@acme.example' });
      const { body, headers } = await tenant.http.get(path).expect(200);
      expect(body).toEqual({ data: created });
      expect(headers.etag).toBe('"v1"');
      expect((await tenant.http.get(`/v1/forms/${tenant.id}/hello`).expect(200)).body).toEqual(body);
    });

    it('of an unknown form, and of one of another tenant, is 404', async () => {
      const tenant = app.tenant();
      const { id } = await newForm(app.tenant());
      for (const name of [id, 'nothing', 'frm_00000000000000000000000000', 'No%20name']) {
        await tenant.http.get(`/v1/forms/${tenant.id}/${name}`).expect(404);
        await tenant.http.patch(`/v1/forms/${tenant.id}/${name}`, {}).expect(404);
        await tenant.http.delete(`/v1/forms/${tenant.id}/${name}`).expect(404);
      }
    });

    it('shows settings if there are any, and the list does not', async () => {
      const tenant = app.tenant();
      const settings = { closed: true, rate_limit: 5, spam: { honeypot: 'website' } };
      const { path, created } = await newForm(tenant, { settings });
      expect(created.settings).toEqual(settings);
      expect((await tenant.http.get(path)).body.data.settings).toEqual(settings);
      const [listed] = (await tenant.http.get(`/v1/forms/${tenant.id}`).expect(200)).body.data;
      expect(listed).not.toHaveProperty('settings');
      expect(listed).toHaveProperty('submission_count', 0);
    });
  });

  describe('patch', () => {
    it('changes what is sent, keeps the rest, and emits form.updated', async () => {
      const tenant = app.tenant();
      const { path, created } = await newForm(tenant, {
        notify_email: 'office@acme.example',
        settings: { closed: false },
      });
      const { body, headers } = await tenant.http.patch(path, { name: 'Hello', slug: 'hello' }).expect(200);
      expect(body.data).toEqual({ ...created, name: 'Hello', slug: 'hello' });
      expect(headers.etag).toBe('"v2"');
      const removed = await tenant.http.patch(path, { notify_email: null, settings: { closed: null } }).expect(200);
      expect(Object.keys(removed.body.data)).toEqual(['id', 'name', 'slug', 'fields', 'created_at']);
      const events = await eventsOf(tenant, 'form.');
      expect(events.map(({ type }: { type: string }) => type)).toEqual([
        'form.created',
        'form.updated',
        'form.updated',
      ]);
      expect(events[1].data).toEqual(body.data);
    });

    it('takes If-Match', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      await tenant.http.patch(path, { name: 'A' }).set('If-Match', '"v1"').expect(200);
      const { body } = await tenant.http.patch(path, { name: 'B' }).set('If-Match', '"v1"').expect(412);
      expect(body.code).toBe('precondition_failed');
      await tenant.http.delete(path).set('If-Match', '"v1"').expect(412);
      expect((await tenant.http.get(path)).body.data.name).toBe('A');
    });

    it('refuses a slug that is taken, and changes nothing', async () => {
      const tenant = app.tenant();
      await newForm(tenant, { slug: 'taken' });
      const { path } = await newForm(tenant, { slug: 'mine' });
      const { body } = await tenant.http.patch(path, { name: 'B', slug: 'taken' }).expect(409);
      expect(codes(body)).toEqual(['slug taken']);
      expect((await tenant.http.get(path)).body.data).toMatchObject({ name: 'Contact', slug: 'mine' });
    });

    it('merges settings by key, and replaces spam as a whole', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant, { settings: { rate_limit: 5, spam: { honeypot: 'a', max_links: 1 } } });
      const { body } = await tenant.http
        .patch(path, { settings: { closed: true, spam: { max_links: 2 } } })
        .expect(200);
      expect(body.data.settings).toEqual({ rate_limit: 5, closed: true, spam: { max_links: 2 } });
    });

    it('is 422 with each wrong setting', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      const settings = {
        notify: [{ to: [] }, { to: ['nobody', 5], when: { field: 'name' }, x: 1 }, 5],
        autoresponder: { field: 5, subject: '' },
        redirect_origins: ['https://a.example/path', 'ftp://a.example', 7, 'https://*.a.example'],
        redirect: 'javascript:alert(1)',
        thanks: '',
        spam: {
          honeypot: '_t',
          challenge: 'yes',
          min_seconds: 0,
          max_links: -1,
          blocked_words: [''],
          duplicates_within: 1.5,
        },
        retention_days: 3_651,
        rate_limit: 0,
        store: 'no',
        closed: 1,
        colour: 'red',
      };
      const { body } = await tenant.http.patch(path, { settings }).expect(422);
      expect(codes(body).sort()).toEqual(
        [
          'settings.colour unknown_property',
          'settings.notify.0.to length',
          'settings.notify.1.x unknown_property',
          'settings.notify.1.to.0 format',
          'settings.notify.1.to.1 type',
          'settings.notify.1.when.equals required',
          'settings.notify.2 type',
          'settings.autoresponder.field type',
          'settings.autoresponder.subject length',
          'settings.autoresponder.text required',
          'settings.redirect_origins.0 format',
          'settings.redirect_origins.1 format',
          'settings.redirect_origins.2 type',
          'settings.redirect_origins.3 format',
          'settings.redirect format',
          'settings.thanks length',
          'settings.spam.honeypot reserved',
          'settings.spam.challenge type',
          'settings.spam.min_seconds min',
          'settings.spam.max_links min',
          'settings.spam.blocked_words.0 length',
          'settings.spam.duplicates_within type',
          'settings.retention_days max',
          'settings.rate_limit min',
          'settings.store type',
          'settings.closed type',
        ].sort(),
      );
      for (const wrong of [
        null,
        [],
        'x',
        { spam: [] },
        { notify: {} },
        { spam: { __proto__: null, constructor: 1 } },
      ]) {
        await tenant.http.patch(path, { settings: wrong }).expect(422);
      }
    });

    it.each([
      [
        { notify: [{ to: ['a@b.example'], when: { field: 'topic', equals: 'x' } }] },
        'settings.notify.0.when.field reference',
      ],
      [{ notify: [{ to: ['a@b.example'], subject: 'Of {{topic}}' }] }, 'settings.notify.0.subject reference'],
      [
        { autoresponder: { field: 'name', subject: 'a', text: 'b' }, spam: { challenge: true } },
        'settings.autoresponder.field reference',
      ],
      [{ autoresponder: { field: 'email', subject: 'a', text: 'b' } }, 'settings.autoresponder required'],
      [
        { autoresponder: { field: 'email', subject: 'a', text: '{{nobody}}' }, spam: { challenge: true } },
        'settings.autoresponder.text reference',
      ],
      [{ spam: { honeypot: 'name' } }, 'settings.spam.honeypot conflict'],
      [{ redirect: 'https://elsewhere.example/' }, 'settings.redirect origin'],
    ])('is 422 for the settings %j, which do not fit the form', async (settings, error) => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      expect(codes((await tenant.http.patch(path, { settings }).expect(422)).body)).toEqual([error]);
    });

    it('is 422 if settings name a field that the new fields lack', async () => {
      const tenant = app.tenant();
      const notify = [{ to: ['a@b.example'], subject: 'Of {{ age }}' }];
      const { path } = await newForm(tenant, { settings: { notify } });
      const fields = FIELDS.slice(0, 2);
      expect(codes((await tenant.http.patch(path, { fields }).expect(422)).body)).toEqual([
        'settings.notify.0.subject reference',
      ]);
      await tenant.http.patch(path, { fields, settings: { notify: null } }).expect(200);
    });
  });

  describe('changed fields', () => {
    it('count in every process at once', async () => {
      const key = 'key-of-both-processes';
      const TENANTS = JSON.stringify([{ id: 'ten_both', name: 'Both', api_keys: [{ name: 'only', key }] }]);
      const [first, second] = [
        await startApp({ TENANTS }, { database: app.database }),
        await startApp({ TENANTS, ROLE: 'api' }, { database: app.database }),
      ];
      const both = [second, first];
      const tenant = { id: 'ten_both', http: first.client(`Bearer ${key}`) };
      const { path, submissions } = await newForm(tenant, { slug: 'both' });
      const slug = `/v1/forms/${tenant.id}/both/submissions`;
      for (const one of both) {
        await visitor(one)
          .post(submissions, { fields: { name: 'a' } })
          .expect(201);
        await visitor(one)
          .post(slug, { fields: { name: 'b' } })
          .expect(201);
      }
      await tenant.http.patch(path, { fields: [{ name: 'topic', type: 'text', required: true }] }).expect(200);
      for (const one of both) {
        await visitor(one)
          .post(submissions, { fields: { name: 'a' } })
          .expect(422);
        await visitor(one)
          .post(slug, { fields: { topic: 'c' } })
          .expect(201);
      }
      await tenant.http.patch(path, { slug: 'moved', settings: { closed: true } }).expect(200);
      for (const one of both) {
        await visitor(one)
          .post(slug, { fields: { topic: 'c' } })
          .expect(404);
        const { body } = await visitor(one)
          .post(submissions, { fields: { topic: 'c' } })
          .expect(403);
        expect(body.code).toBe('forbidden');
      }
      await tenant.http.patch(path, { settings: { closed: false } }).expect(200);
      await visitor(second)
        .post(submissions, { fields: { topic: 'c' } })
        .expect(201);
      await tenant.http.delete(path).expect(200);
      for (const one of both)
        await visitor(one)
          .post(submissions, { fields: { topic: 'c' } })
          .expect(404);
      for (const one of both) await one.close();
    });

    it('leave the values of submissions as they were, and sort them by the fields of today', async () => {
      const tenant = app.tenant();
      const { path, submissions } = await newForm(tenant);
      const sent = [
        { name: 'a', age: '10' },
        { name: 'b', age: '9' },
        { name: 'c', age: 'many' },
      ];
      for (const fields of sent) await visitor().post(submissions, { fields }).expect(201);
      const fields = [
        { name: 'name', type: 'text' },
        { name: 'age', type: 'number' },
        { name: 'topic', type: 'text' },
      ];
      await tenant.http.patch(path, { fields }).expect(200);
      await visitor()
        .post(submissions, { fields: { name: 'd', age: '9.5', topic: 'z' } })
        .expect(201);
      const names = async (sort: string) =>
        (await tenant.http.get(`${submissions}?sort=${sort}`).expect(200)).body.data.map(
          (one: { fields: { name: string } }) => one.fields.name,
        );
      expect(await names('age')).toEqual(['b', 'd', 'a', 'c']);
      expect(await names('topic')).toEqual(['d', 'a', 'b', 'c']);
      await tenant.http.get(`${submissions}?sort=email`).expect(400);
      const all = (await tenant.http.get(`${submissions}?sort=name`).expect(200)).body.data;
      expect(all[2].fields).toEqual({ name: 'c', age: 'many' });
      // Back to text, and the field that was removed returns.
      await tenant.http.patch(path, { fields: FIELDS }).expect(200);
      expect(await names('age')).toEqual(['a', 'b', 'd', 'c']);
      expect(await names('email')).toEqual(['a', 'b', 'c', 'd']);
    });

    it('are indexed in the background if the form has many submissions, and then leave no rows of others', async () => {
      // The list by this field waits for its index.
      expectServerErrors(503);
      const tenant = app.tenant();
      const { path, submissions } = await newForm(tenant);
      await visitor()
        .post(submissions, { fields: { name: 'first', age: '5' } })
        .expect(201);
      await app.database.query(
        `WITH one AS (SELECT * FROM submissions WHERE tenant_id = $1), copied AS (
          INSERT INTO submissions (tenant_id, form_id, id, fields, size, created_at)
          SELECT tenant_id, form_id, gen_random_uuid(), json_build_object('name', 'n' || n, 'age', n::text), size, created_at
          FROM one, generate_series(1, 2500) AS n RETURNING id, fields ->> 'name' AS name
        ), counted AS (UPDATE submission_counts SET submissions = submissions + 2500 WHERE tenant_id = $1)
        INSERT INTO submission_values (tenant_id, form_id, field, sort_key, submission_id)
        SELECT one.tenant_id, one.form_id, f.field, f.key, copied.id
        FROM one, copied, LATERAL (VALUES ('name', copied.name), ('!email', ''), ('!age', '')) AS f (field, key)`,
        [tenant.id],
      );
      await tenant.http
        .patch(path, {
          fields: [
            { name: 'name', type: 'text' },
            { name: 'age', type: 'number' },
          ],
        })
        .expect(200);
      const newest = await until(async () => {
        const { status, body } = await tenant.http.get(`${submissions}?sort=-age&per_page=2`);
        expect([200, 503]).toContain(status);
        return status === 200 && body.data;
      }, 240_000);
      expect(newest.map((one: { fields: { age: string } }) => one.fields.age)).toEqual(['2500', '2499']);
      const fieldsInIndex = async () =>
        (
          await app.database.query<{ field: string }>(
            'SELECT DISTINCT field FROM submission_values WHERE tenant_id = $1 ORDER BY field',
            [tenant.id],
          )
        ).map(({ field }) => field);
      await until(async () => (await fieldsInIndex()).join() === 'age~2,name', 20_000);
    });
  });

  describe('filters while submissions are being indexed', () => {
    it('by a changed field are 503 with Retry-After until it is indexed, and by other fields work', async () => {
      expectServerErrors(503);
      const tenant = app.tenant();
      const { path, submissions } = await newForm(tenant);
      await visitor()
        .post(submissions, { fields: { name: 'Ada', age: '5' } })
        .expect(201);
      // The work of a form with many submissions: it is claimed by a worker that hangs, and the index has no row of the field.
      await app.database.query(
        `INSERT INTO scheduled_jobs (tenant_id, kind, key, due_at, next_at, claim, attempts)
          SELECT tenant_id, 'submission_index', id, now(), now() + interval '1 hour', gen_random_uuid(), 0 FROM forms WHERE tenant_id = $1`,
        [tenant.id],
      );
      const reindexing = {
        names: ['age'],
        stale: [],
        after: '00000000-0000-0000-0000-000000000000',
        lateAt: new Date().toISOString(),
      };
      await app.database.query('UPDATE forms SET version = 2, reindexing = $2, index_names = $3 WHERE tenant_id = $1', [
        tenant.id,
        JSON.stringify(reindexing),
        JSON.stringify({ age: 'age~2' }),
      ]);
      await app.database.query(`DELETE FROM submission_values WHERE tenant_id = $1 AND field = 'age'`, [tenant.id]);
      for (const query of ['filter[age]=5', 'filter[age][exists]=false', 'filter[age][contains]=5&filter[name]=Ada']) {
        const { headers } = await tenant.http.get(`${submissions}?${query}`).expect(503);
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      }
      const found = async (query: string) =>
        (await tenant.http.get(`${submissions}?${query}`).expect(200)).body.meta.total as number;
      expect([await found('filter[name]=Ada'), await found('filter[email][exists]=false')]).toEqual([1, 1]);
      // The worker ends.
      await app.database.query(`UPDATE scheduled_jobs SET next_at = now() WHERE tenant_id = $1`, [tenant.id]);
      await until(async () => (await tenant.http.get(`${submissions}?filter[age]=5`)).status === 200);
      expect([await found('filter[age]=5'), await found('filter[age][gt]=5')]).toEqual([1, 0]);
      expect((await tenant.http.get(path).expect(200)).body.data.name).toBe('Contact');
    });
  });

  describe('settings of submissions', () => {
    it('rate_limit counts for the form instead of the common limit', async () => {
      const tenant = app.tenant();
      const { submissions, path } = await newForm(tenant, { settings: { rate_limit: 12 } });
      const plain = await newForm(tenant);
      const one = app.client(undefined, { 'X-Forwarded-For': '10.8.0.1' });
      for (let n = 0; n < 12; n++) await one.post(submissions, { fields: { name: 'a' } }).expect(201);
      const { headers } = await one.post(submissions, { fields: { name: 'a' } }).expect(429);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      await one.post(plain.submissions, { fields: { name: 'a' } }).expect(201);
      await visitor()
        .post(submissions, { fields: { name: 'a' } })
        .expect(201);
      await tenant.http.patch(path, { settings: { rate_limit: 600 } }).expect(200);
      await one.post(submissions, { fields: { name: 'a' } }).expect(201);
    });

    it('closed does not hide what is wrong with the request from its sender', async () => {
      const tenant = app.tenant();
      const { submissions } = await newForm(tenant, { settings: { closed: true } });
      await visitor()
        .post(submissions, { fields: { name: 'a' } })
        .expect(403);
      await tenant.http.get(submissions).expect(200);
    });
  });

  describe('submissions', () => {
    const idOf = async (of: Http, path: string, fields: object) =>
      (await of.post(path, { fields }).expect(201)).body.data.id as string;

    it('are deleted by one or many, with the data of their events', async () => {
      const tenant = app.tenant();
      const { path, id: formId, submissions } = await newForm(tenant);
      const ids: string[] = [];
      for (const name of ['a', 'b', 'c', 'd']) ids.push(await idOf(visitor(), submissions, { name }));
      // As if it were older than the column.
      await app.database.query('UPDATE submissions SET event_id = NULL WHERE tenant_id = $1', [tenant.id]);
      const single = await tenant.http.delete(`${submissions}/${ids[0]}`).expect(200);
      expect(single.body).toEqual({ message: 'The submission was deleted.' });
      await tenant.http.delete(`${submissions}/${ids[0]}`).expect(404);
      const many = await tenant.http
        .post(`${submissions}/delete`, { ids: [ids[0], ids[1], ids[2], ids[2]] })
        .expect(200);
      expect(many.body).toEqual({ message: '2 submissions were deleted.' });
      const { data, meta } = (await tenant.http.get(`${submissions}?sort=name`).expect(200)).body;
      expect(data.map(({ id }: { id: string }) => id)).toEqual([ids[3]]);
      expect(meta.total).toBe(1);
      const [listed] = (await tenant.http.get(`/v1/forms/${tenant.id}`)).body.data;
      expect(listed.submission_count).toBe(1);
      const [left] = await app.database.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM submission_values WHERE tenant_id = $1',
        [tenant.id],
      );
      expect(left?.count).toBe(FIELDS.length);
      const events = await eventsOf(tenant, '');
      expect(events.slice(1).map(({ type, data }: { type: string; data: unknown }) => [type, data])).toEqual([
        ...[0, 1, 2].map(() => ['form.submitted', null]),
        ['form.submitted', expect.objectContaining({ id: ids[3] })],
        ...ids.slice(0, 3).map((id) => ['submission.deleted', { id, form_id: formId }]),
      ]);
      for (const wrong of [{}, { ids: [] }, { ids: ['x'] }, { ids: [5] }, { ids: 'x' }]) {
        await tenant.http.post(`${submissions}/delete`, wrong).expect(422);
      }
      await tenant.http.post(`${path}x/submissions/delete`, { ids }).expect(404);
    });
  });

  describe('delete', () => {
    it('removes the form at once, its submissions soon, and the data of their events', async () => {
      const tenant = app.tenant();
      const { path, submissions, created } = await newForm(tenant, { slug: 'gone' });
      for (const name of ['secret-a', 'secret-b']) await visitor().post(submissions, { fields: { name } }).expect(201);
      const { body } = await tenant.http.delete(path).expect(200);
      expect(body).toEqual({ message: 'The form and its submissions were deleted.' });
      for (const gone of [path, submissions, `/v1/forms/${tenant.id}/gone`]) await tenant.http.get(gone).expect(404);
      await tenant.http.delete(path).expect(404);
      await until(async () => {
        const [left] = await app.database.query<{ left: number }>(
          `SELECT (SELECT count(*) FROM submissions WHERE tenant_id = $1) + (SELECT count(*) FROM submission_values WHERE tenant_id = $1)
            + (SELECT count(*) FROM submission_counts WHERE tenant_id = $1) AS left`,
          [tenant.id],
        );
        return Number(left?.left) === 0;
      });
      const events = await eventsOf(tenant, '');
      expect(events.map(({ type, data }: { type: string; data: unknown }) => [type, data])).toEqual([
        ['form.created', created],
        ['form.submitted', null],
        ['form.submitted', null],
        ['form.deleted', created],
      ]);
      // The slug is free again.
      await newForm(tenant, { slug: 'gone' });
    });

    it('needs forms:write', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      await app.client().delete(path).expect(401);
      await app.tenant().http.delete(path).expect(403);
      await app.client().patch(path, {}).expect(401);
    });
  });
});
