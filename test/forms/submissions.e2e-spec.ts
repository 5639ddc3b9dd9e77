import { createHash } from 'node:crypto';
import http from 'node:http';
import { startApp, type Http, type TestApp, type TestTenant } from '../support/app.js';
import { expectServerErrors } from '../support/server-errors.js';

interface Fault {
  path: string;
  code: string;
}

describe('submissions', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const FIELDS = [
    { name: 'name', type: 'text', required: true },
    { name: 'reply-to', type: 'email' },
    { name: 'age', type: 'number' },
    { name: 'message', type: 'textarea' },
  ];

  async function newForm(tenant: TestTenant, fields: object[] = FIELDS, slug?: string) {
    const response = await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Contact', slug, fields }).expect(201);
    const id = response.body.data.id as string;
    return { id, path: `/v1/forms/${tenant.id}/${id}/submissions` };
  }

  let addresses = 0;
  /** A new address for each call. */
  function newAddress(): string {
    addresses++;
    return `10.1.${addresses >> 8}.${addresses & 255}`;
  }

  /** A client without a key, with a new address unless one is given. */
  function visitor(address = newAddress()): Http {
    return app.client(undefined, { 'X-Forwarded-For': address });
  }

  async function submit(path: string, ...submissions: object[]): Promise<Record<string, unknown>[]> {
    const created: Record<string, unknown>[] = [];
    for (const fields of submissions) {
      const response = await visitor().post(path, { fields }).expect(201);
      created.push(response.body.data as Record<string, unknown>);
    }
    return created;
  }

  describe('submit', () => {
    it('needs no key, and ignores a wrong key and that of another tenant', async () => {
      const { path } = await newForm(app.tenant());
      const body = { fields: { name: 'Ada' } };
      await visitor().post(path, body).expect(201);
      await app.client('Bearer wrong').post(path, body).expect(201);
      await app.client(`Bearer ${app.tenant().key}`).post(path, body).expect(201);
    });

    it('returns the submission with its values in the order of the form', async () => {
      const form = await newForm(app.tenant());
      const fields = { message: 'Hello,\n„Welt“ 💬', name: ' Ada ' };
      const response = await visitor().post(form.path, { fields }).expect(201);
      expect(response.body).toEqual({
        data: {
          id: expect.stringMatching(/^sub_[0-9a-z]{26}$/),
          form_id: form.id,
          fields,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      });
      expect(Object.keys(response.body.data)).toEqual(['id', 'form_id', 'fields', 'created_at']);
      expect(Object.keys(response.body.data.fields)).toEqual(['name', 'message']);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    });

    it('accepts the form’s slug for the tenant in the path', async () => {
      const [tenant, other] = [app.tenant(), app.tenant()];
      const form = await newForm(tenant, FIELDS, 'contact');
      const body = { fields: { name: 'Ada' } };
      const response = await visitor().post(`/v1/forms/${tenant.id}/contact/submissions`, body).expect(201);
      expect(response.body.data.form_id).toBe(form.id);
      await visitor().post(`/v1/forms/${other.id}/contact/submissions`, body).expect(404);
      await visitor().post(`/v1/forms/${other.id}/${form.id}/submissions`, body).expect(404);
      const own = await newForm(other, FIELDS, 'contact');
      const again = await visitor().post(`/v1/forms/${other.id}/contact/submissions`, body).expect(201);
      expect(again.body.data.form_id).toBe(own.id);
    });

    it('finds a new form by a slug that was unknown before', async () => {
      const tenant = app.tenant();
      const path = `/v1/forms/${tenant.id}/later/submissions`;
      await visitor()
        .post(path, { fields: { name: 'Ada' } })
        .expect(404);
      await newForm(tenant, FIELDS, 'later');
      await visitor()
        .post(path, { fields: { name: 'Ada' } })
        .expect(201);
    });

    it('accepts a slug that looks like a UUID', async () => {
      const tenant = app.tenant();
      const slug = '01990f3c-5a7e-7c3d-8a5b-2f6d1c9e4b7a';
      await newForm(tenant, FIELDS, slug);
      await visitor()
        .post(`/v1/forms/${tenant.id}/${slug}/submissions`, { fields: { name: 'Ada' } })
        .expect(201);
    });

    it.each([
      'frm_01k9mzh6xze3n8mqsd5wkxp2zt',
      'frm_01k9mzh6xze3n8mqsd5wkxp2z',
      'ct_01k9mzh6xze3n8mqsd5wkxp2zt',
      'Contact',
      'contact-',
      '%00',
      '%27%20OR%201=1',
      's'.repeat(101),
      '__proto__',
    ])('answers 404 for the form %s', async (name) => {
      const response = await visitor()
        .post(`/v1/forms/${app.tenant().id}/${name}/submissions`, { fields: { name: 'Ada' } })
        .expect(404);
      expect(response.body.code).toBe('not_found');
    });

    it.each(['ten_nobody', 'ten_', 'constructor', 'TEN_X', '%2e%2e'])('answers 404 for the tenant %s', async (id) => {
      await visitor().post(`/v1/forms/${id}/contact/submissions`, { fields: {} }).expect(404);
    });

    it('answers 404 for a tenant that was removed from the configuration', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      const later = await startApp({}, { database: app.database });
      await later
        .client()
        .post(path, { fields: { name: 'Ada' } })
        .expect(404);
      await later.close();
    });

    it('answers 404 and writes nothing when the operator deleted a form that was cached', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      await submit(path, { name: 'Ada' });
      await app.database.query('DELETE FROM forms WHERE tenant_id = $1', [tenant.id]);
      await visitor()
        .post(path, { fields: { name: 'Eve' } })
        .expect(404);
      const rows = await app.database.query('SELECT id FROM submissions WHERE tenant_id = $1', [tenant.id]);
      const events = await app.database.query(
        "SELECT id FROM events WHERE tenant_id = $1 AND type = 'form.submitted'",
        [tenant.id],
      );
      expect([rows.length, events.length]).toEqual([1, 1]);
    });

    it('reports every error in the body and in the values', async () => {
      const { path } = await newForm(app.tenant());
      const fields = { 'reply-to': 'nobody', age: 'old', colour: 'red', message: 7 };
      const response = await visitor().post(path, { fields, form: 'x' }).expect(422);
      expect(response.headers['content-type']).toBe('application/problem+json');
      expect(faults(response.body.errors)).toEqual([
        'fields.age format',
        'fields.colour unknown_property',
        'fields.message type',
        'fields.name required',
        'fields.reply-to format',
        'form unknown_property',
      ]);
      expect(response.body.detail).toBe('6 values are not valid.');
    });

    it.each([
      [{}, ['fields required', 'fields.name required']],
      [{ fields: null }, ['fields required', 'fields.name required']],
      [{ fields: 'name=Ada' }, ['fields type']],
      [{ fields: [] }, ['fields type']],
      [{ fields: { name: ' \t' } }, ['fields.name required']],
      [{ fields: { name: null } }, ['fields.name required']],
      [{ fields: { name: ['Ada'] } }, ['fields.name type']],
      [{ fields: { name: 'Ada', message: [] } }, ['fields.message type']],
      [{ fields: { name: 'Ada', message: {} } }, ['fields.message type']],
      [{ fields: { name: 'NUL \0' } }, ['fields.name text']],
      [{ fields: { name: 'x'.repeat(1001) } }, ['fields.name too_long']],
      [{ fields: { name: 'x', message: 'x'.repeat(20_001) } }, ['fields.message too_long']],
      [{ fields: { name: 'x', constructor: 'y' } }, ['fields.constructor unknown_property']],
    ])('rejects %j', async (body, expected) => {
      const { path } = await newForm(app.tenant());
      const response = await visitor().post(path, body).expect(422);
      expect(faults(response.body.errors)).toEqual(expected);
    });

    it('rejects a property called __proto__ and a lone surrogate', async () => {
      const { path } = await newForm(app.tenant());
      const send = (text: string) => visitor().post(path).set('Content-Type', 'application/json').send(text);
      const response = await send('{"fields":{"name":"x","__proto__":{"name":"y"}}}').expect(422);
      expect(faults(response.body.errors)).toEqual(['fields.__proto__ unknown_property']);
      const surrogate = await send('{"fields":{"name":"\\ud800"}}').expect(422);
      expect(faults(surrogate.body.errors)).toEqual(['fields.name text']);
    });

    it('treats an empty value of an optional field of any type as missing', async () => {
      const optional = ['text', 'email', 'textarea', 'number', 'tel', 'url', 'date', 'checkbox', 'hidden'].map(
        (type) => ({
          name: type,
          type,
        }),
      );
      const { path } = await newForm(app.tenant(), [...optional, { name: 'select', type: 'select', options: ['a'] }]);
      const fields = Object.fromEntries([...optional, { name: 'select' }].map(({ name }) => [name, '']));
      const response = await visitor().post(path, { fields }).expect(201);
      expect(response.body.data.fields).toEqual({});
    });

    it('applies defaults', async () => {
      const { path } = await newForm(app.tenant(), [{ name: 'source', type: 'hidden', default: 'web' }]);
      const [created] = await submit(path, {});
      expect(created?.['fields']).toEqual({ source: 'web' });
    });

    it.each([
      ['text', {}, ['Ada', ' '], []],
      ['text', { min: 2, max: 3, pattern: '^[a-z]+$' }, ['abc'], ['a', 'abcd', 'AB']],
      [
        'email',
        {},
        ['ada@example.com', 'a.b+c@sub.example.org'],
        ['ada', 'ada@', 'a@b\n.example', 'Ada <a@b.example>'],
      ],
      ['textarea', {}, ['one\ntwo', 'x'.repeat(20_000)], ['x'.repeat(20_001)]],
      ['textarea', { max: 3 }, ['💬💬💬'], ['four']],
      ['number', {}, ['42', '-12.5', '1e3', '0'], ['many', '1,5', '0x10', 'Infinity', '1e999']],
      ['number', { min: 1, max: 5 }, ['1', '5.0'], ['0.9', '5.1']],
      ['tel', {}, ['+44 (20) 7946-0018', '110'], ['12', 'call me']],
      ['url', {}, ['https://example.com/a?b#c'], ['example.com', 'javascript:alert(1)', 'https://a b']],
      ['date', {}, ['2024-02-29'], ['2023-02-29', '29.02.2024', '2024-02-29T00:00:00Z']],
      ['select', { options: ['a', 'b c'] }, ['a', 'b c'], ['c', 'A']],
      ['checkbox', {}, ['true', 'false'], ['on', 'TRUE', '1']],
      ['hidden', {}, ['spring'], ['x'.repeat(1001)]],
    ])('checks the values of %s %j', async (type, constraints, good, bad) => {
      const { path } = await newForm(app.tenant(), [{ name: 'value', type, ...constraints }]);
      for (const value of good) {
        const [created] = await submit(path, { value });
        expect(created?.['fields']).toEqual({ value });
      }
      for (const value of bad) {
        const response = await visitor().post(path, { fields: { value } }).expect(422);
        expect(response.body.errors).toEqual([
          { path: 'fields.value', code: expect.any(String), message: expect.stringMatching(/^value .*\.$/) },
        ]);
      }
      for (const value of [1, true, {}, ['a']]) {
        const response = await visitor().post(path, { fields: { value } }).expect(422);
        expect(faults(response.body.errors)).toEqual(['fields.value type']);
      }
    });

    it('rejects malformed bodies, bodies that are neither JSON nor a form, and bodies that are too large', async () => {
      const { path } = await newForm(app.tenant());
      const send = (type: string, text: string) => visitor().post(path).set('Content-Type', type).send(text);
      const code = async (status: number, type: string, text: string) =>
        (await send(type, text).expect(status)).body.code as string;
      expect(await code(400, 'application/json', '{"fields":')).toBe('malformed_json');
      expect(await code(400, 'application/json', '[]')).toBe('malformed_json');
      expect(await code(415, 'text/plain', '{"fields":{"name":"Ada"}}')).toBe('unsupported_media_type');
      const padded = (bytes: number) => '{"fields":{"name":"Ada"}}'.padEnd(bytes, ' ');
      expect(await code(413, 'application/json', padded(256 * 1024 + 1))).toBe('payload_too_large');
      await send('application/json', padded(256 * 1024)).expect(201);
      await visitor().post(`${path}?source=web`, { fields: {} }).expect(400);
    });

    it('commits submission, index, count and event together', async () => {
      const tenant = app.tenant();
      const { id, path } = await newForm(tenant);
      const [created] = await submit(path, { name: 'Ada', age: '36' });
      const [event, ...others] = await app.database.query<Record<string, unknown>>(
        `SELECT e.id, e.type, e.data, e.occurred_at, p.event_id, e.xmin::text AS event_in, s.xmin::text AS submission_in
        FROM events e JOIN pending_events p ON p.tenant_id = e.tenant_id AND p.event_id = e.id JOIN submissions s ON s.tenant_id = e.tenant_id
        WHERE e.tenant_id = $1 AND e.type = 'form.submitted'`,
        [tenant.id],
      );
      expect(others).toEqual([]);
      expect(event).toMatchObject({ type: 'form.submitted', data: created });
      expect(event?.['event_in']).toBe(event?.['submission_in']);
      expect((event?.['occurred_at'] as Date).toISOString()).toBe(created?.['created_at']);
      const list = await tenant.http.get(path).expect(200);
      expect(list.body.data).toEqual([event?.['data']]);
      const values = await app.database.query(
        'SELECT field, sort_key FROM submission_values WHERE tenant_id = $1 ORDER BY field',
        [tenant.id],
      );
      expect(values).toEqual([
        { field: '!message', sort_key: '' },
        { field: '!reply-to', sort_key: '' },
        { field: 'age', sort_key: 'c042000000000000' },
        { field: 'name', sort_key: expect.stringMatching(/^ada/) },
      ]);
      expect(id).toBe(created?.['form_id']);
    });

    it('leaves nothing behind when the event cannot be written', async () => {
      expectServerErrors(500);
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      await submit(path, { name: 'Ada' });
      const no = `no_${createHash('md5').update(tenant.id).digest('hex')}`;
      await app.database.query(`ALTER TABLE events ADD CONSTRAINT ${no} CHECK (tenant_id <> '${tenant.id}') NOT VALID`);
      const response = await visitor().post(path, { fields: { name: 'Eve' } });
      await app.database.query(`ALTER TABLE events DROP CONSTRAINT ${no}`);
      expect(response.status).toBe(500);
      expect(response.body.code).toBe('internal_error');
      const list = await tenant.http.get(path).expect(200);
      expect(list.body.meta.total).toBe(1);
      expect(list.body.data).toHaveLength(1);
    });

    it('refuses only the one of many simultaneous submissions that cannot be written', async () => {
      expectServerErrors(500);
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      const no = `no_${createHash('md5').update(tenant.id).digest('hex')}`;
      const isBad = `tenant_id = '${tenant.id}' AND fields ->> 'name' = '7'`;
      await app.database.query(`ALTER TABLE submissions ADD CONSTRAINT ${no} CHECK (NOT (${isBad})) NOT VALID`);
      const names = Array.from({ length: 30 }, (_value, index) => String(index));
      const answers = await Promise.all(names.map((name) => visitor().post(path, { fields: { name } })));
      await app.database.query(`ALTER TABLE submissions DROP CONSTRAINT ${no}`);
      expect(answers.map(({ status }) => status)).toEqual(names.map((name) => (name === '7' ? 500 : 201)));
      const list = await tenant.http.get(`${path}?sort=name&per_page=100`).expect(200);
      expect(list.body.meta.total).toBe(29);
      expect(list.body.data.map(({ fields }: { fields: { name: string } }) => fields.name)).toEqual(
        names.filter((name) => name !== '7').sort(),
      );
    });

    it('counts 50 simultaneous submissions exactly', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      const body = { fields: { name: 'Ada' } };
      const answers = await Promise.all(Array.from({ length: 50 }, () => visitor().post(path, body).expect(201)));
      expect(new Set(answers.map((answer) => answer.body.data.id as string)).size).toBe(50);
      const forms = await tenant.http.get(`/v1/forms/${tenant.id}`).expect(200);
      expect(forms.body.data[0].submission_count).toBe(50);
      const list = await tenant.http.get(`${path}?per_page=100`).expect(200);
      expect(list.body.meta.total).toBe(50);
      expect(list.body.data).toHaveLength(50);
      const [events] = await app.database.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM events WHERE tenant_id = $1 AND type = 'form.submitted'",
        [tenant.id],
      );
      expect(events?.count).toBe(50);
    });
  });

  describe('limit', () => {
    const body = { fields: { name: 'Ada' } };

    it('allows ten requests a minute from an address, over all forms and tenants', async () => {
      const [tenant, other] = [app.tenant(), app.tenant()];
      const paths = [await newForm(tenant), await newForm(tenant), await newForm(other)].map(({ path }) => path);
      const client = visitor();
      for (let i = 0; i < 10; i++) await client.post(paths[i % 3] ?? '', body).expect(201);
      for (const path of paths) {
        const response = await client.post(path, body).expect(429);
        expect(response.body.code).toBe('rate_limited');
        const wait = Number(response.headers['retry-after']);
        expect(wait).toBeGreaterThanOrEqual(1);
        expect(wait).toBeLessThanOrEqual(60);
      }
      await visitor()
        .post(paths[0] ?? '', body)
        .expect(201);
      await tenant.http.get(paths[0] ?? '').expect(200);
    });

    it('counts failed requests of every kind', async () => {
      const { path } = await newForm(app.tenant());
      const client = visitor();
      await client.post('/v1/forms/ten_nobody/contact/submissions', body).expect(404);
      await client.post(`${path}?x=1`, body).expect(400);
      await client.post(path, { fields: {} }).expect(422);
      await client.post(path).type('text').send('a=b').expect(415);
      await client.post(path, { fields: { name: 'x'.repeat(300_000) } }).expect(413);
      for (let i = 0; i < 5; i++) await client.post(path, body).expect(201);
      await client.post(path, body).expect(429);
      await client.post('/v1/forms/ten_nobody/contact/submissions', body).expect(429);
    });

    it('counts neither preflights nor requests with a key on other endpoints', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      const address = newAddress();
      for (let i = 0; i < 12; i++) {
        expect((await preflight(path, { 'X-Forwarded-For': address })).status).toBe(204);
        await tenant.http.get(path).set('X-Forwarded-For', address).expect(200);
      }
      for (let i = 0; i < 10; i++) await visitor(address).post(path, body).expect(201);
      await visitor(address).post(path, body).expect(429);
      expect((await preflight(path, { 'X-Forwarded-For': address })).status).toBe(204);
    });

    it('counts requests with a key too', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      const address = newAddress();
      const post = () => tenant.http.post(path, body).set('X-Forwarded-For', address);
      for (let i = 0; i < 10; i++) await post().expect(201);
      await post().expect(429);
    });

    it('counts IPv6 clients by their /64, and an IPv4-mapped address as IPv4', async () => {
      const { path } = await newForm(app.tenant());
      for (let i = 0; i < 10; i++)
        await visitor(`2001:db8:0:7::${i + 1}`)
          .post(path, body)
          .expect(201);
      await visitor('2001:db8:0:7:ffff::1').post(path, body).expect(429);
      await visitor('2001:db8:0:8::1').post(path, body).expect(201);
      const address = newAddress();
      for (let i = 0; i < 10; i++) await visitor(`::ffff:${address}`).post(path, body).expect(201);
      await visitor(address).post(path, body).expect(429);
    });

    it('trusts only the last hop of a forged X-Forwarded-For', async () => {
      const { path } = await newForm(app.tenant());
      const address = newAddress();
      for (let i = 0; i < 10; i++) await visitor(`192.0.2.${i}, ${address}`).post(path, body).expect(201);
      await visitor(`192.0.2.99, ${address}`).post(path, body).expect(429);
      await visitor(`"<script>", ${address}`).post(path, body).expect(429);
    });

    it('ignores the header without a proxy', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      const { id, key } = tenant;
      const TENANTS = JSON.stringify([{ id, name: 'Direct', api_keys: [{ name: 'test', key }] }]);
      const direct = await startApp({ TRUST_PROXY: '0', TENANTS }, { database: app.database });
      const post = (headers: Record<string, string>) => direct.client(undefined, headers).post(path, body);
      for (let i = 0; i < 10; i++)
        await post({ 'X-Forwarded-For': newAddress(), 'X-Real-IP': newAddress() }).expect(201);
      await post({ 'X-Forwarded-For': newAddress() }).expect(429);
      await post({ Forwarded: `for=${newAddress()}` }).expect(429);
      await direct.close();
    });

    it('allows exactly ten of many simultaneous requests', async () => {
      const { path } = await newForm(app.tenant());
      const client = visitor();
      const answers = await Promise.all(Array.from({ length: 30 }, () => client.post(path, body)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    });
  });

  describe('CORS', () => {
    const origin = 'https://shop.example';
    const body = { fields: { name: 'Ada' } };

    it('answers a preflight from any origin', async () => {
      const { path } = await newForm(app.tenant());
      const { status, headers, text } = await preflight(path, {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,x-request-id,traceparent',
      });
      expect(status).toBe(204);
      expect(text).toBe('');
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type,x-request-id,traceparent',
        'access-control-max-age': '86400',
      });
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      const plain = await preflight('/v1/forms/ten_nobody/contact/submissions', { Origin: origin });
      expect(plain.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
      });
    });

    it('lets a page read every response', async () => {
      const { path } = await newForm(app.tenant());
      const client = visitor();
      const expectReadable = (headers: Record<string, string>) =>
        expect(headers).toMatchObject({
          'access-control-allow-origin': '*',
          'access-control-expose-headers': expect.stringContaining('Retry-After, X-Request-Id'),
        });
      const answers = [
        await client.post(path, body).expect(201),
        await client.post(path, {}).expect(422),
        await client.post(path).type('text').send('a=b').expect(415),
        await client.post(path).type('json').send('{').expect(400),
        await client.post(`${path}?x=1`, body).expect(400),
        await client.post(path, { fields: { name: 'x'.repeat(300_000) } }).expect(413),
        await client.post('/v1/forms/ten_nobody/contact/submissions', body).expect(404),
      ];
      for (let i = answers.length; i < 10; i++) await client.post(path, body).expect(201);
      answers.push(await client.post(path, body).expect(429));
      for (const { headers } of answers) expectReadable(headers);
    });

    describe('of a tenant with allowed origins', () => {
      let tenant: TestTenant;
      let choosy: TestApp;
      let path: string;
      beforeAll(async () => {
        tenant = app.tenant();
        path = (await newForm(tenant, FIELDS, 'contact')).path;
        const settings = (id: string, allowed_origins?: string[]) => ({
          id,
          name: id,
          api_keys: [{ key: id === tenant.id ? tenant.key : `key-of-${id}` }],
          allowed_origins,
        });
        const TENANTS = JSON.stringify([
          settings(tenant.id, [origin, 'https://www.shop.example:8443']),
          settings('ten_none', []),
          settings('ten_any', ['https://a.example', '*']),
          settings('ten_open'),
        ]);
        choosy = await startApp({ TENANTS }, { database: app.database });
        for (const id of ['ten_none', 'ten_any']) {
          const form = { name: 'Contact', slug: 'contact', fields: FIELDS };
          await choosy.client(`Bearer key-of-${id}`).post(`/v1/forms/${id}`, form).expect(201);
        }
      });
      afterAll(() => choosy.close());

      const formsOf = (id: string) => `/v1/forms/${id}/contact/submissions`;
      const post = (from: string | undefined, to = path, address = newAddress()) =>
        choosy
          .client(undefined, { 'X-Forwarded-For': address, ...(from !== undefined && { Origin: from }) })
          .post(to, body);

      it('accepts submissions from these, and from clients that are not browsers', async () => {
        for (const from of [origin, 'https://www.shop.example:8443', undefined]) await post(from).expect(201);
        await post(undefined, formsOf('ten_none')).expect(201);
        await post('https://evil.example', formsOf('ten_any')).expect(201);
      });

      it('answers 403 to others, which may read the response, and stores nothing', async () => {
        const count = async () =>
          (await app.database.query('SELECT id FROM events WHERE tenant_id = ANY ($1)', [[tenant.id, 'ten_none']]))
            .length;
        const submissions = async () => (await tenant.http.get(path).expect(200)).body.meta.total as number;
        const before = [await count(), await submissions()];
        for (const from of [
          'https://evil.example',
          'http://shop.example',
          `${origin}.evil.example`,
          `${origin}:8443`,
          `${origin}/`,
          `${origin}, https://evil.example`,
          'HTTPS://SHOP.EXAMPLE',
          'null',
          '*',
        ]) {
          const refused = await post(from).expect(403);
          expect(refused.body.code).toBe('forbidden');
          expect(refused.headers['access-control-allow-origin']).toBe('*');
        }
        await post(origin, formsOf('ten_none')).expect(403);
        // The values are not validated.
        await choosy.client(undefined, { Origin: 'https://evil.example' }).post(path, { fields: {} }).expect(403);
        expect([await count(), await submissions()]).toEqual(before);
      });

      it('counts rejected requests', async () => {
        const address = newAddress();
        for (let i = 0; i < 10; i++) await post('https://evil.example', path, address).expect(403);
        await post(origin, path, address).expect(429);
      });

      /** The response without the parts that differ each time. */
      const told = ({ status, headers, text }: { status?: number; headers: object; text: string }) => {
        const { 'x-request-id': id = '', ...rest } = headers as Record<string, string>;
        return { status, headers: { ...rest, date: '' }, text: text.replaceAll(id, 'id') };
      };

      it('answers a preflight like that of an open tenant and an unknown one', async () => {
        const questions: Record<string, string>[] = [
          { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
          { Origin: 'https://evil.example', 'Access-Control-Request-Headers': 'content-type' },
          { Origin: 'null' },
          {},
        ];
        for (const asking of questions) {
          const answers = await Promise.all(
            [tenant.id, 'ten_none', 'ten_any', 'ten_open', 'ten_nobody', 'nonsense'].map(async (id) =>
              told(await preflight(formsOf(id), asking, choosy.url)),
            ),
          );
          expect(answers[0]).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': '*' } });
          for (const answer of answers) expect(answer).toEqual(answers[0]);
        }
      });

      it('answers a submission to an unknown form as an unknown tenant does', async () => {
        const paths = [tenant.id, 'ten_none', 'ten_open', 'ten_nobody'].map((id) => `/v1/forms/${id}/nope/submissions`);
        for (const from of ['https://evil.example', undefined]) {
          const answers = [];
          for (const to of paths) answers.push(told(await post(from, to).expect(404)));
          for (const answer of answers) expect(answer).toEqual(answers[0]);
        }
      });
    });
  });

  describe('list', () => {
    it('needs a key', async () => {
      const { path } = await newForm(app.tenant());
      await app.client().get(path).expect(401);
      await app.client('Bearer wrong').get(path).expect(401);
    });

    it('rejects another tenant’s key and one that may not read forms', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      await app.tenant().http.get(path).expect(403);
      const scopes = ['forms:write', 'content:read'];
      const narrow = { id: tenant.id, name: 'Narrow', api_keys: [{ name: 'narrow', key: 'narrow-key', scopes }] };
      const scoped = await startApp({ TENANTS: JSON.stringify([narrow]) }, { database: app.database });
      await scoped.client('Bearer narrow-key').get(path).expect(403);
      await scoped.close();
    });

    it('shows the newest first, with an exact total', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      const empty = await tenant.http.get(path).expect(200);
      expect(empty.body).toEqual({ data: [], meta: { page: 1, per_page: 25, total: 0 } });
      const created = await submit(path, { name: 'One' }, { name: 'Two' }, { name: 'Three' });
      const list = await tenant.http.get(path).expect(200);
      expect(list.body).toEqual({ data: created.reverse(), meta: { page: 1, per_page: 25, total: 3 } });
      expect(Object.keys(list.body.data[0])).toEqual(['id', 'form_id', 'fields', 'created_at']);
      const past = await tenant.http.get(`${path}?page=1000000&per_page=100`).expect(200);
      expect(past.body).toEqual({ data: [], meta: { page: 1_000_000, per_page: 100, total: 3 } });
    });

    it('shows only the submissions of its form and tenant', async () => {
      const tenant = app.tenant();
      const [one, two] = [await newForm(tenant), await newForm(tenant)];
      await submit(one.path, { name: 'One' });
      await submit(two.path, { name: 'Two', age: '2' });
      const list = await tenant.http.get(`${one.path}?sort=age`).expect(200);
      expect(list.body).toMatchObject({ data: [{ fields: { name: 'One' } }], meta: { total: 1 } });
      const other = app.tenant();
      await other.http.get(`/v1/forms/${other.id}/${one.id}/submissions`).expect(404);
    });

    it('accepts only the form’s ID', async () => {
      const tenant = app.tenant();
      await newForm(tenant, FIELDS, 'contact');
      for (const name of ['contact', 'frm_01k9mzh6xze3n8mqsd5wkxp2zt', 'frm_x', '%00']) {
        await tenant.http.get(`/v1/forms/${tenant.id}/${name}/submissions`).expect(404);
      }
    });

    describe('of several submissions', () => {
      let tenant: TestTenant;
      let path: string;
      beforeAll(async () => {
        tenant = app.tenant();
        const fields = [
          { name: 'n', type: 'text', required: true },
          ...FIELDS.slice(1),
          { name: 'first-name', type: 'text' },
        ];
        ({ path } = await newForm(tenant, fields));
        await submit(
          path,
          { n: '0', age: '10', 'first-name': 'Zoë' },
          { n: '1' },
          { n: '2', age: '9', 'first-name': 'adam' },
          { n: '3', age: '-1', 'first-name': 'Zoe' },
          { n: '4', 'first-name': '' },
          { n: '5', age: '10', 'first-name': 'Ärne' },
          { n: '6', age: '1e1', 'first-name': 'Bea' },
        );
      });

      const cases: [sort: string, expected: string][] = [
        ['', '6543210'],
        ['-created_at', '6543210'],
        ['created_at', '0123456'],
        ['id', '0123456'],
        ['-id', '6543210'],
        ['n', '0123456'],
        ['age', '3205614'],
        ['-age', '6502341'],
        // Zoe and Zoë are equal in the alphabetical order: a tie.
        ['first-name', '256' + '03' + '14'],
        ['-first-name', '30' + '652' + '41'],
        ['reply-to', '0123456'],
        ['-reply-to', '6543210'],
      ];

      it.each(cases)('sorts by %s: missing values last, ties by ID in the same direction', async (sort, expected) => {
        expect((await read(`per_page=100${sort && `&sort=${sort}`}`)).ns).toBe(expected);
      });

      it.each(cases)('has the same order by page and by cursor, sorted by %s', async (sort, expected) => {
        const sorted = sort && `&sort=${sort}`;
        for (const perPage of [1, 2, 3, 7]) {
          let paged = '';
          for (let page = 1; page <= Math.ceil(7 / perPage) + 1; page++) {
            const { ns, meta } = await read(`per_page=${perPage}&page=${page}${sorted}`);
            expect(meta).toEqual({ page, per_page: perPage, total: 7 });
            expect(ns.length).toBeLessThanOrEqual(perPage);
            paged += ns;
          }
          expect(paged).toBe(expected);
          expect(await walk(`per_page=${perPage}${sorted}`)).toBe(expected);
        }
      });

      it('shows new submissions while paging only after the cursor', async () => {
        const form = await newForm(tenant);
        await submit(form.path, { name: 'a', age: '1' }, { name: 'c', age: '3' });
        const first = await tenant.http.get(`${form.path}?per_page=1&sort=age&cursor=`).expect(200);
        await submit(form.path, { name: '0', age: '0' }, { name: 'b', age: '2' }, { name: 'd' });
        let cursor = first.body.meta.next_cursor as string | null;
        let seen = '';
        while (cursor) {
          const { body } = await tenant.http.get(`${form.path}?per_page=1&sort=age&cursor=${cursor}`).expect(200);
          seen += body.data[0].fields.name;
          cursor = body.meta.next_cursor;
        }
        expect(seen).toBe('bcd');
      });

      it.each([
        ['sort=colour', 'unknown_field'],
        ['sort=', 'unknown_field'],
        ['sort=--age', 'unknown_field'],
        ['sort=age,n', 'invalid_parameter'],
        ['sort=form_id', 'unknown_field'],
        ['sort=!age', 'unknown_field'],
        ["sort=n'--", 'unknown_field'],
        ['sort=age%00', 'invalid_parameter'],
        ['sort=age&sort=n', 'invalid_parameter'],
        ['per_page=0', 'invalid_parameter'],
        ['per_page=101', 'invalid_parameter'],
        ['page=-1', 'invalid_parameter'],
        ['page=1&cursor=', 'invalid_parameter'],
        ['cursor=x', 'invalid_parameter'],
        ['filter[nope]=1', 'unknown_field'],
        ['colour=x', 'unknown_parameter'],
      ])('rejects %s', async (query, code) => {
        const response = await tenant.http.get(`${path}?${query}`).expect(400);
        expect(response.body.code).toBe(code);
      });

      it('rejects a cursor of another order or form, and forged ones', async () => {
        const { meta } = await read('per_page=1&sort=age&cursor=');
        const refuse = async (list: string, cursor: string, sort: string) => {
          const response = await tenant.http.get(`${list}?sort=${sort}&cursor=${cursor}`).expect(400);
          expect(response.body.errors[0].path).toBe('cursor');
        };
        await refuse(path, meta.next_cursor, '-age');
        await refuse(path, meta.next_cursor, 'n');
        await refuse((await newForm(tenant)).path, meta.next_cursor, 'age');
        const [digest] = JSON.parse(Buffer.from(meta.next_cursor, 'base64url').toString()) as string[];
        const id = '01990f3c-5a7e-7c3d-8a5b-2f6d1c9e4b7a';
        for (const forged of [
          [],
          [id],
          ['age', id],
          ['name', 'a', id],
          ['age', 'a', 'b'],
          ['age', 'a', id, id],
          [null, id],
        ]) {
          await refuse(path, Buffer.from(JSON.stringify([digest, ...forged])).toString('base64url'), 'age');
        }
      });

      async function read(query: string) {
        const { body } = await tenant.http.get(`${path}?${query}`).expect(200);
        const ns = body.data.map(({ fields }: { fields: { n: string } }) => fields.n).join('') as string;
        return { ns, meta: body.meta };
      }

      async function walk(query: string): Promise<string> {
        let walked = '';
        let cursor: string | null = '';
        while (cursor !== null) {
          const page: Awaited<ReturnType<typeof read>> = await read(`${query}&cursor=${cursor}`);
          expect(Object.keys(page.meta)).toEqual(['per_page', 'next_cursor']);
          walked += page.ns;
          cursor = page.meta.next_cursor;
        }
        return walked;
      }
    });
  });

  it('have an OpenAPI description that lists their real statuses', async () => {
    const { body } = await app.client().get('/openapi.json').expect(200);
    const { post, get } = body.paths['/v1/forms/{tenant_id}/{form_id}/submissions'];
    expect(post.security).toEqual([{}]);
    expect(Object.keys(post.responses)).toEqual([
      '200',
      '201',
      '303',
      '400',
      '401',
      '403',
      '404',
      '408',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
      '507',
    ]);
    expect(get.security).toEqual([{ bearer: [] }]);
    expect(Object.keys(get.responses)).toEqual(['200', '400', '401', '403', '404', '429', '500', '503']);
  });

  async function preflight(path: string, headers: Record<string, string>, url = app.url) {
    return new Promise<{ status?: number; headers: http.IncomingHttpHeaders; text: string }>((resolve, reject) => {
      const request = http.request(`${url}${path}`, { method: 'OPTIONS', headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
      });
      request.on('error', reject);
      request.end();
    });
  }
});

function faults(errors: Fault[]): string[] {
  return errors.map(({ path, code }) => `${path} ${code}`).sort();
}
