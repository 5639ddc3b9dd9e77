import { randomBytes } from 'node:crypto';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createType } from '../support/content.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { Subscription } from '../support/subscription.js';

const ENV = { ...RECEIVER_ENV, WEBHOOK_RETRY_SCHEDULE: '100ms', ENCRYPTION_KEY: randomBytes(32).toString('base64') };
const OPTIONS = {
  description: 'Rebuilds the website',
  headers: { Authorization: 'Bearer s3cret', 'X-Site': 'acme' },
  filters: { status: 'published', changed: ['title'] },
  payload: 'thin',
};
const SHOWN = { ...OPTIONS, headers: { Authorization: '***', 'X-Site': '***' } };

describe('options of webhooks', () => {
  let app: TestApp;
  let receiver: Receiver;
  beforeAll(async () => {
    [app, receiver] = await Promise.all([startApp(ENV), startReceiver()]);
  });
  afterAll(() => Promise.all([app.close(), receiver.close()]));

  const subscribe = (body: object, of?: Subscription) => Subscription.create(app, receiver, body, of);

  describe('in the API', () => {
    let tenant: TestTenant;
    let path: string;
    const url = 'https://hooks.example.com/in';
    beforeEach(() => {
      tenant = app.tenant();
      path = `/v1/webhooks/${tenant.id}`;
    });
    const create = async (body: object) =>
      (await tenant.http.post(path, { url, events: ['entry.updated'], ...body }).expect(201)).body.data;
    const change = async (id: string, body: object) =>
      (await tenant.http.patch(`${path}/${id}`, body).expect(200)).body.data;

    it('are in the responses of create, get and update, without the values of headers', async () => {
      const created = await create(OPTIONS);
      expect(created).toMatchObject(SHOWN);
      expect((await tenant.http.get(`${path}/${created.id}`).expect(200)).body.data).toMatchObject(SHOWN);
      expect(await change(created.id, { active: true })).toMatchObject(SHOWN);
      const [listed] = (await tenant.http.get(path).expect(200)).body.data;
      expect(Object.keys(listed)).toEqual(['id', 'url', 'events', 'active', 'created_at']);
      const rows = await app.database.query('SELECT * FROM webhooks WHERE tenant_id = $1', [tenant.id]);
      expect(JSON.stringify(rows)).not.toContain('s3cret');
    });

    it('are absent where they were not set', async () => {
      const { id } = await create({});
      const { data } = (await tenant.http.get(`${path}/${id}`).expect(200)).body;
      expect(Object.keys(data)).toEqual(['id', 'url', 'events', 'active', 'created_at', 'disabled_reason']);
    });

    it('are replaced as a whole, kept if they are not sent, and removed by null', async () => {
      const { id } = await create(OPTIONS);
      expect(await change(id, { filters: { status: 'draft' } })).toMatchObject({
        ...SHOWN,
        filters: { status: 'draft' },
      });
      expect((await change(id, { headers: { 'x-site': '***', 'X-New': 'b' } })).headers).toEqual({
        'x-site': '***',
        'X-New': '***',
      });
      const removed = await change(id, { description: null, headers: null, filters: null, payload: null });
      expect(Object.keys(removed)).toEqual(['id', 'url', 'events', 'active', 'created_at', 'disabled_reason']);
    });

    it('lose the headers when the URL moves to another origin, unless they are sent again', async () => {
      const { id } = await create(OPTIONS);
      expect(await change(id, { url: `${url}/deeper` })).toMatchObject(SHOWN);
      const moved = { url: 'https://elsewhere.example.com/in' };
      const kept = await tenant.http
        .patch(`${path}/${id}`, { ...moved, headers: { Authorization: '***' } })
        .expect(422);
      expect(kept.body.errors).toMatchObject([{ path: 'headers.Authorization', code: 'required' }]);
      expect(await change(id, moved)).not.toHaveProperty('headers');
      expect(await change(id, { url, headers: { Authorization: 'again' } })).toMatchObject({
        headers: { Authorization: '***' },
      });
    });

    it('name content types and forms by ID or slug, and keep them when they are renamed', async () => {
      const type = await createType(tenant, [{ name: 'title', type: 'text' }], 'Post');
      const fields = [{ name: 'email', type: 'email' }];
      const form = (await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields }).expect(201)).body
        .data;
      const { id, filters } = await create({ filters: { content_types: ['post', type.id], forms: ['contact'] } });
      expect(filters).toEqual({ content_types: [type.id], forms: [form.id] });
      await tenant.http.put(type.path, { slug: 'article' }).expect(200);
      expect((await tenant.http.get(`${path}/${id}`).expect(200)).body.data.filters).toEqual(filters);
      const other = app.tenant();
      const foreign = {
        url,
        events: ['entry.created'],
        filters: { content_types: [type.id, 'post'], forms: ['contact'] },
      };
      const { body } = await other.http.post(`/v1/webhooks/${other.id}`, foreign).expect(422);
      expect(body.errors.map((error: { path: string }) => error.path)).toEqual([
        'filters.content_types.0',
        'filters.content_types.1',
        'filters.forms.0',
      ]);
    });

    it.each<[string, object, string, string]>([
      ['a long description', { description: 'x'.repeat(501) }, 'description', 'length'],
      ['headers that are a list', { headers: [] }, 'headers', 'type'],
      [
        'eleven headers',
        { headers: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`X-${n}`, 'a'])) },
        'headers',
        'length',
      ],
      ['a header twice', { headers: { 'X-A': 'a', 'x-a': 'b' } }, 'headers.x-a', 'duplicate'],
      ['a value that is no string', { headers: { 'X-A': 1 } }, 'headers.X-A', 'type'],
      ['a long value', { headers: { 'X-A': 'x'.repeat(2049) } }, 'headers.X-A', 'too_long'],
      ['a value with a line break', { headers: { 'X-A': 'a\r\nHost: b' } }, 'headers.X-A', 'format'],
      ['a value beyond ASCII', { headers: { 'X-A': 'ä' } }, 'headers.X-A', 'format'],
      ['an empty value', { headers: { 'X-A': '' } }, 'headers.X-A', 'format'],
      ['a hidden value of a new webhook', { headers: { 'X-A': '***' } }, 'headers.X-A', 'required'],
      ['a name with a space', { headers: { 'X A': 'a' } }, 'headers.X A', 'header'],
      ...[
        'Host',
        'content-type',
        'Content-Length',
        'User-Agent',
        'webhook-id',
        'Trivet-Attempt',
        'Cookie',
        'TE',
        'Trailers',
        'Connection',
        'Transfer-Encoding',
        'Expect',
      ].map((name): [string, object, string, string] => [
        `the header ${name}`,
        { headers: { [name]: 'a' } },
        `headers.${name}`,
        'header',
      ]),
      ['an unknown filter', { filters: { type: 'post' } }, 'filters.type', 'unknown_property'],
      ['an empty filter', { filters: { changed: [] } }, 'filters.changed', 'length'],
      ['an unknown status', { filters: { status: 'live' } }, 'filters.status', 'options'],
      ['an unknown content type', { filters: { content_types: ['none'] } }, 'filters.content_types.0', 'reference'],
      ['a text that names nothing', { filters: { forms: ['Not a slug'] } }, 'filters.forms.0', 'reference'],
      ['an unknown payload', { payload: 'small' }, 'payload', 'options'],
    ])('refuse %s', async (_name, body, at, code) => {
      const response = await tenant.http.post(path, { url, events: ['entry.updated'], ...body }).expect(422);
      expect(response.body.errors).toEqual([{ path: at, code, message: expect.any(String) }]);
    });
  });

  describe('in deliveries', () => {
    it('add the headers, the number of the attempt and the version of the resource', async () => {
      const webhook = await subscribe({ events: ['entry.created', 'entry.updated'], headers: OPTIONS.headers });
      receiver.answer(webhook.path, (_request, count) => (count === 0 ? 500 : 200));
      const { id } = await webhook.happen();
      const [first, second] = await receiver.until(webhook.path, 2);
      expect(first!.headers).toMatchObject({
        authorization: 'Bearer s3cret',
        'x-site': 'acme',
        'trivet-attempt': '1',
        'trivet-version': '1',
        'content-type': 'application/json',
      });
      expect(first!.body.data['id']).toBe(id);
      expect(second!.headers).toMatchObject({ 'trivet-attempt': '2', 'trivet-version': '1' });
    });

    it('with thin payloads have only the IDs of the resource', async () => {
      const webhook = await subscribe({
        events: ['entry.created', 'form.submitted', 'media.uploaded'],
        payload: 'thin',
      });
      const { tenant } = webhook;
      const { id } = await webhook.happen('x'.repeat(100_000));
      const [entry] = await receiver.until(webhook.path, 1);
      expect(entry!.body).toEqual({
        id: expect.stringMatching(/^evt_/),
        type: 'entry.created',
        timestamp: expect.any(String),
        tenant_id: tenant.id,
        data: { id, content_type_id: expect.stringMatching(/^ct_/) },
      });
      const fields = [{ name: 'email', type: 'email' }];
      const form = (await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields }).expect(201)).body
        .data;
      const submissions = `/v1/forms/${tenant.id}/${form.id}/submissions`;
      const submission = (
        await app
          .client()
          .post(submissions, { fields: { email: 'a@b.example' } })
          .expect(201)
      ).body.data;
      const [, submitted] = await receiver.until(webhook.path, 2);
      expect(submitted!.body.data).toEqual({ id: submission.id, form_id: form.id });
      expect(submitted!.headers['trivet-version']).toBe('1');
    });

    it('about schedules keep to the content types that were chosen, and have the version and IDs of the entry', async () => {
      const all = await subscribe({ events: ['entry.schedule_failed'] });
      const { tenant } = all;
      const fields = [{ name: 'title', type: 'text' }];
      const [post, page] = [await createType(tenant, fields, 'Post'), await createType(tenant, fields, 'Page')];
      const some = await subscribe({ events: ['*'], filters: { content_types: ['post'] }, payload: 'thin' }, all);
      const failing = async ({ entries }: { entries: string }) => {
        const { id } = (await tenant.http.post(entries, { fields: { title: 'a' } }).expect(201)).body.data;
        const entry = `${entries}/${id}`;
        await tenant.http.patch(`${entry}/draft`, { fields: { title: 'b' } }).expect(200);
        await tenant.http.patch(entry, { fields: { title: 'c' } }).expect(200);
        const publish_at = new Date(Date.now() + 1_000).toISOString();
        await tenant.http.put(`${entry}/schedule`, { publish_at }).expect(200);
        return id as string;
      };
      const [chosen, other] = [await failing(post), await failing(page)];
      const both = await receiver.until(all.path, 2);
      expect(both.map(({ body }) => body.data['entry_id']).sort()).toEqual([chosen, other].sort());
      const received = await receiver.until(some.path, 3);
      expect(await some.deliveries()).toHaveLength(3);
      const failed = received.find(({ body }) => body.type === 'entry.schedule_failed')!;
      expect(failed.body.data).toEqual({ entry_id: chosen, content_type_id: post.id });
      expect(failed.headers['trivet-version']).toBe('2');
    });

    it('of a webhook for all types are those of every event', async () => {
      const webhook = await subscribe({ events: ['*'] });
      const { id } = await webhook.happen();
      const { tenant } = webhook;
      const fields = [{ name: 'email', type: 'email' }];
      await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields }).expect(201);
      await app.client().post(`/v1/forms/${tenant.id}/contact/submissions`, { fields: {} }).expect(201);
      const received = await receiver.until(webhook.path, 4);
      const types = received.map(({ body }) => body.type);
      expect(types.sort()).toEqual(['content_type.created', 'entry.created', 'form.created', 'form.submitted']);
      expect(received.some(({ body }) => body.data['id'] === id)).toBe(true);
      expect((await tenant.http.get(webhook.webhook).expect(200)).body.data.events).toEqual(['*']);
    });

    it('number the changes of content types and forms, and keep to those that were chosen', async () => {
      const first = await subscribe({ events: ['webhook.failing'] });
      const { tenant } = first;
      const chosen = await createType(tenant, [{ name: 'title', type: 'text' }], 'Post');
      const create = async (name: string) =>
        (
          await tenant.http
            .post(`/v1/forms/${tenant.id}`, { name, fields: [{ name: 'email', type: 'email' }] })
            .expect(201)
        ).body.data.id as string;
      const form = await create('Contact');
      const others = [
        (await createType(tenant, [{ name: 'title', type: 'text' }], 'Page')).path,
        `/v1/forms/${tenant.id}/${await create('Other')}`,
      ];
      const filters = { content_types: ['post'], forms: ['contact'] };
      const { path } = await subscribe({ events: ['*'], filters }, first);
      const changes = [
        ['put', others[0]!],
        ['patch', others[1]!],
        ['put', chosen.path],
        ['patch', `/v1/forms/${tenant.id}/${form}`],
      ] as const;
      for (const [method, resource] of changes) {
        for (const name of ['First', 'Second']) await tenant.http[method](resource, { name }).expect(200);
        await tenant.http.delete(resource).expect(200);
      }
      const received = await receiver.until(path, 6);
      const seen = received.map(({ body, headers }) => [body.type, body.data['id'], headers['trivet-version']]).sort();
      const expected = [
        ['content_type', chosen.id],
        ['form', form],
      ].flatMap(([kind, id]) => [
        [`${kind}.deleted`, id, '4'],
        [`${kind}.updated`, id, '2'],
        [`${kind}.updated`, id, '3'],
      ]);
      expect(seen).toEqual(expected);
    });

    it('are only those of events that fit each filter that applies', async () => {
      const all = await subscribe({ events: ['entry.created', 'entry.updated', 'entry.deleted', 'form.submitted'] });
      const { tenant } = all;
      const [post, page] = [
        await createType(
          tenant,
          [
            { name: 'title', type: 'text' },
            { name: 'body', type: 'text' },
          ],
          'Post',
        ),
        await createType(tenant, [{ name: 'title', type: 'text' }], 'Page'),
      ];
      const fields = [{ name: 'email', type: 'email' }];
      const form = (await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields }).expect(201)).body
        .data;
      const filters = { content_types: ['post'], status: 'published', changed: ['title'] };
      const events = ['entry.created', 'entry.updated', 'entry.deleted', 'form.submitted'];
      const some = await subscribe({ events, filters }, all);
      const others = await subscribe(
        { events: ['form.submitted', 'entry.created'], filters: { forms: [form.id] } },
        all,
      );

      const create = async (entries: string, status: string) =>
        (await tenant.http.post(entries, { fields: { title: 'a' }, status }).expect(201)).body.data.id as string;
      const [draft, shown, elsewhere] = [
        await create(post.entries, 'draft'),
        await create(post.entries, 'published'),
        await create(page.entries, 'published'),
      ];
      await tenant.http.patch(`${post.entries}/${shown}`, { fields: { body: 'b' } }).expect(200);
      await tenant.http.patch(`${post.entries}/${shown}`, { fields: { title: 'b' } }).expect(200);
      await tenant.http.patch(`${post.entries}/${draft}`, { fields: { title: 'b' } }).expect(200);
      await tenant.http.delete(`${post.entries}/${shown}`).expect(200);
      await app.client().post(`/v1/forms/${tenant.id}/contact/submissions`, { fields: {} }).expect(201);

      await receiver.until(all.path, 8);
      await receiver.until(some.path, 4);
      await receiver.until(others.path, 4);
      const seen = (path: string) =>
        receiver
          .received(path)
          .map(({ body }) => [body.type, body.data['id']])
          .sort();
      const submitted = receiver.received(all.path).find(({ body }) => body.type === 'form.submitted')!.body.data['id'];
      expect(seen(some.path)).toEqual(
        [
          ['entry.created', shown],
          ['entry.updated', shown],
          ['entry.deleted', shown],
          ['form.submitted', submitted],
        ].sort(),
      );
      const deletion = receiver.received(some.path).find(({ body }) => body.type === 'entry.deleted');
      expect(deletion!.headers['trivet-version']).toBe('4');
      expect((await some.deliveries()).length).toBe(4);
      expect(seen(others.path).filter(([type]) => type === 'form.submitted')).toHaveLength(1);
      expect(
        seen(others.path)
          .filter(([type]) => type === 'entry.created')
          .map(([, id]) => id),
      ).toEqual([draft, shown, elsewhere].sort());
    });
  });
});
