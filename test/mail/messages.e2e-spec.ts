import { createType, type TestType } from '../support/content.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';

const TENANTS = JSON.stringify([
  {
    id: 'ten_acme',
    name: 'Acme',
    api_keys: [
      { name: 'reader', key: 'reader-key', scopes: ['content:read'] },
      { name: 'website', key: 'website-key', scopes: ['content:read:published', 'forms:read'] },
    ],
  },
]);

/** What newcomers get wrong, and whether the response says what to do. */
describe('the message about a mistake', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  beforeAll(async () => {
    app = await startApp();
    tenant = app.tenant();
    type = await createType(tenant, [
      { name: 'title', type: 'text', required: true },
      { name: 'minutes', type: 'integer' },
      { name: 'extra', type: 'json' },
    ]);
  });
  afterAll(() => app.close());

  const detailOf = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
    const response = await fetch(app.url + path, { headers: { Authorization: `Bearer ${tenant.key}`, ...headers } });
    return ((await response.json()) as { detail: string }).detail;
  };

  const bodyOf = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(app.url + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json', ...headers },
      body,
    });
    return (await response.json()) as { status: number; detail: string; errors: { path: string; message: string }[] };
  };

  const messages = async (path: string, body: object): Promise<Record<string, string>> => {
    const { errors } = await bodyOf(path, JSON.stringify(body));
    return Object.fromEntries((errors ?? []).map((error) => [error.path, error.message]));
  };

  describe('in the query', () => {
    const ALL = 'Its parameters are page, per_page, cursor, sort, filter[field]';

    it.each([
      ['limit=5', 'limit is not a parameter of this endpoint. Did you mean per_page?'],
      ['perPage=5', 'perPage is not a parameter of this endpoint. Did you mean per_page?'],
      [
        'title=a',
        'title is not a parameter of this endpoint. To filter by a field of this name, write filter[title]=value.',
      ],
      ['filter=a', 'filter is not a parameter of this endpoint. Write filter[field]=value.'],
      ['filter.title=a', 'filter.title is not a parameter of this endpoint. Write filter[field]=value.'],
      ['constructor=1', 'constructor is not a parameter of this endpoint.'],
    ])('%s lists the parameters, and names the one that was meant', async (query, message) => {
      const detail = await detailOf(`${type.entries}?${query}`);
      expect(detail).toContain(message);
      expect(detail).toContain(ALL);
    });

    it('lists the parameters once, however many are unknown', async () => {
      const query = Array.from({ length: 99 }, (_, index) => `${'x'.repeat(150)}${index}=1`).join('&');
      const response = await tenant.http.get(`${type.entries}?${query}`).expect(400);
      expect(response.text.length).toBeLessThan(50_000);
      expect(response.text.split(ALL)).toHaveLength(2);
    });

    it('says that an endpoint has no parameters', async () => {
      expect(await detailOf(`${type.path}?page=1`)).toBe(
        'page is not a parameter of this endpoint. This endpoint has no query parameters.',
      );
    });

    it.each(['title:asc', 'title:desc', '+title', 'title%20DESC', 'title_desc', 'title.ascending'])(
      'sort=%s says how to sort',
      async (sort) => {
        expect(await detailOf(`${type.entries}?sort=${sort}`)).toBe(
          'To sort by title, send sort=title for ascending or sort=-title for descending order.',
        );
      },
    );

    it.each([
      ['title,%20-minutes', 'sort must have no spaces around its commas: write title,-minutes.'],
      ['title,', 'sort has a comma with no name before or after it.'],
      [',title', 'sort has a comma with no name before or after it.'],
    ])('sort=%s says what is wrong with it', async (sort, message) => {
      expect(await detailOf(`${type.entries}?sort=${sort}`)).toBe(message);
    });

    it('about an unknown field names the similar one and those that are possible', async () => {
      expect(await detailOf(`${type.entries}?sort=-titel`)).toBe(
        'There is no field titel. Did you mean title? The possible names are title, minutes, id, status, created_at, updated_at, published_at.',
      );
      expect(await detailOf(`${type.entries}?filter[colour]=red`)).toBe(
        'There is no field colour. The possible names are title, minutes, id, status, created_at, updated_at, published_at.',
      );
      const form = await tenant.http
        .post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields: [{ name: 'email', type: 'email' }] })
        .expect(201);
      const submissions = `/v1/forms/${tenant.id}/${form.body.data.id}/submissions`;
      expect(await detailOf(`${submissions}?sort=emial:desc`)).toMatch(/^There is no field emial:desc\./);
      expect(await detailOf(`${submissions}?sort=email:desc`)).toMatch(/^To sort by email, send sort=email/);
    });
  });

  describe('in the body', () => {
    it.each([
      ["{'fields': {}}", 'line 1, column 2: expected a name in double quotes, not in single quotes'],
      ['{"fields": {\n  "title": "a",\n}}', 'line 3, column 1: a comma must not follow the last member'],
      ['{"fields": {"title": "a"}', 'line 1, column 26: the text ends before the closing }'],
      [`{"a": [${'1,'.repeat(40_000)}], "b": 2}`, 'line 1, column 80008: a comma must not follow the last element'],
    ])('that is not JSON says where', async (body, place) => {
      expect(await bodyOf(type.entries, body)).toMatchObject({
        status: 400,
        detail: `The body is not valid JSON: ${place}.`,
      });
    });

    it('that is missing, or has another type, says what to send', async () => {
      expect((await bodyOf(type.entries, '')).detail).toBe('The body is empty. Send a JSON object.');
      const text = { 'Content-Type': 'text/plain;charset=utf-8' };
      expect((await bodyOf(type.entries, '{}', text)).detail).toBe(
        'Send the body as JSON, with Content-Type: application/json, not text/plain.',
      );
      const odd = { 'Content-Type': '"<script>"' };
      expect((await bodyOf(type.entries, '{}', odd)).detail).toBe(
        'Send the body as JSON, with Content-Type: application/json.',
      );
    });

    it('about unknown properties and fields names the ones that were meant', async () => {
      expect(await messages(type.entries, { title: 'a', stauts: 'draft' })).toMatchObject({
        title: 'title is not a known property. The properties are fields, status.',
        stauts: 'stauts is not a known property. Did you mean status?',
      });
      expect(await messages(type.entries, { fields: { titel: 'a', colour: 'red' } })).toMatchObject({
        'fields.titel': 'There is no field titel. Did you mean title?',
        'fields.colour': 'There is no field colour. The fields are title, minutes, extra.',
      });
    });

    it('about thousands of unknown fields is quick and bounded', async () => {
      const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`titel${index}`, 1]));
      const { errors } = await bodyOf(type.entries, JSON.stringify({ fields }));
      expect(errors.filter(({ message }) => message.includes('Did you mean'))).toHaveLength(10);
    });

    it('about a definition names the type or attribute that was meant', async () => {
      const fields = [
        { name: 'a', type: 'string' },
        { name: 'b', type: 'richtext' },
        { name: 'c', type: 'text', requird: true },
        { name: 'd', type: 'text', options: ['x'] },
        { name: 'e', type: '__proto__' },
      ];
      const found = await messages(`/v1/content/${tenant.id}/types`, { name: 'A', fields });
      expect(found['fields.0.type']).toMatch(/^type must be one of text, rich_text, .*\. Did you mean text\?$/);
      expect(found['fields.1.type']).toMatch(/Did you mean rich_text\?$/);
      expect(found['fields.2.requird']).toBe(
        'requird is not an attribute of a field definition. Did you mean required?',
      );
      expect(found['fields.3.options']).toBe('options does not apply to the type text.');
      expect(found['fields.4.type']).toMatch(/^type must be one of text, .*, blocks\b/);
    });
  });

  describe('in a header', () => {
    it.each([['v1'], ["'v1'"], ['"v1'], [''], ['"v1", v2'], ['v1, *']])(
      'If-Match: %s says how an ETag is sent, and changes nothing',
      async (ifMatch) => {
        const created = await tenant.http.post(type.entries, { fields: { title: 'a' } }).expect(201);
        const path = `${type.entries}/${created.body.data.id}`;
        for (const method of ['patch', 'delete'] as const) {
          const response = await tenant.http[method](path, {}).set('If-Match', ifMatch).expect(400);
          expect(response.body).toMatchObject({
            code: 'invalid_parameter',
            errors: [{ path: 'If-Match', code: 'invalid_parameter', message: expect.stringContaining('"v3"') }],
          });
        }
        await tenant.http.get(path).expect(200);
      },
    );

    it('If-Match with a list, a weak ETag or * is read as before', async () => {
      const created = await tenant.http.post(type.entries, { fields: { title: 'a' } }).expect(201);
      const path = `${type.entries}/${created.body.data.id}`;
      const { etag = '' } = created.headers as { etag?: string };
      await tenant.http.patch(path, {}).set('If-Match', `"other" , ${etag}`).expect(200);
      await tenant.http.patch(path, {}).set('If-Match', 'W/"v1","x"').expect(412);
      await tenant.http.patch(path, {}).set('If-Match', ' * ').expect(200);
    });

    it.each([
      [{ Authorization: 'tvt_key' }, /Bearer <API_KEY>, with the word Bearer and a space before the key\.$/],
      [{ Authorization: 'Basic dHZ0Og==' }, /with the word Bearer/],
      [{ Authorization: '', 'X-API-Key': 'tvt_key' }, /^An API key is required\. .*Bearer/],
      [
        { Authorization: 'Bearer "tvt_key"' },
        /^This API key is unknown\. Send it without quotation marks and brackets\.$/,
      ],
      [{ Authorization: 'Bearer <API_KEY>' }, /without quotation marks and brackets/],
      [
        { Authorization: 'Bearer tvt_key' },
        /^This API key is unknown\. It may have expired, or it was revoked or removed\.$/,
      ],
    ])('%j says how the key is sent', async (headers, message) => {
      expect(await detailOf(type.entries, headers as Record<string, string>)).toMatch(message);
    });

    it('X-API-Key says where the key belongs', async () => {
      const response = await app.client(undefined, { 'X-API-Key': 'tvt_key' }).get(type.entries).expect(401);
      expect(response.body.detail).toBe(
        'An API key is required. Send it in the header Authorization: Bearer <API_KEY>, not in X-API-Key.',
      );
    });
  });

  it('in the path says what is expected there', async () => {
    expect(await detailOf(`/content/${tenant.id}/types`)).toBe(
      'This path does not exist. /docs lists all paths; they are case-sensitive.',
    );
    expect(await detailOf(`${type.entries}/${type.id}`)).toBe(
      'There is no such entry. The ID in this path must be ent_ and 26 letters and digits.',
    );
    expect(await detailOf('/v1/content/ten_other/types')).toBe(
      `This API key belongs to ${tenant.id}, not to the tenant in the path.`,
    );
  });

  it('in a filter says how a value of the type is written', async () => {
    const { entries } = await createType(tenant, [
      { name: 'day', type: 'date' },
      { name: 'starts', type: 'datetime' },
      { name: 'open', type: 'boolean' },
      { name: 'cover', type: 'media' },
      { name: 'author', type: 'reference', content_type: type.id },
      { name: 'minutes', type: 'integer' },
    ]);
    const filtered = (field: string) => detailOf(`${entries}?filter[${field}]=x`);
    expect(await filtered('day')).toBe('filter[day] must be a calendar date in the format YYYY-MM-DD.');
    expect(await filtered('starts')).toBe(
      'filter[starts] must be a date and time such as 2026-01-31T09:30:00Z, or a date in the format YYYY-MM-DD.',
    );
    expect(await filtered('open')).toBe('filter[open] must be true or false.');
    expect(await filtered('cover')).toBe('filter[cover] must be the URL of a file.');
    expect(await filtered('author')).toBe('filter[author] must be the ID of an entry.');
    expect(await filtered('minutes')).toBe(
      'filter[minutes] must be an integer from -9007199254740991 to 9007199254740991.',
    );
  });

  it('in a number that would become another one says so, whatever the field, and nothing else about it', async () => {
    const fields = [
      { name: 'n', type: 'number', min: 5 },
      { name: 'i', type: 'integer' },
      { name: 'j', type: 'json' },
      { name: 'g', type: 'group', fields: [{ name: 'n', type: 'number' }] },
    ];
    const { entries, path } = await createType(tenant, fields);
    const inexact = (at: string) => ({
      [at]: `${at} is a number that is out of range, or has more digits than can be kept (about 16).`,
    });
    const sent = async (values: string) => {
      const { errors } = await bodyOf(entries, `{"fields":${values}}`);
      return Object.fromEntries((errors ?? []).map((error) => [error.path, error.message]));
    };
    expect(await sent('{"n":1e-400}')).toEqual(inexact('fields.n'));
    expect(await sent('{"i":9007199254740993}')).toEqual(inexact('fields.i'));
    expect(await sent('{"i":9007199254740992}')).toEqual({
      'fields.i': 'i must be an integer from -9007199254740991 to 9007199254740991.',
    });
    expect(await sent('{"j":[{"a":123456789123456.12345}]}')).toEqual(inexact('fields.j.0.a'));
    expect(await sent('{"g":{"n":1e309}}')).toEqual(inexact('fields.g.n'));
    expect(await sent('{"n":1e2,"i":1.0,"j":[0.1,-0,1E+2,5e-324,0.30000000000000004]}')).toEqual({});
    const constraint = await fetch(app.url + path, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
      body: '{"name":"N","fields":[{"name":"n","type":"number","max":9007199254740993,"default":1e-400}]}',
    });
    const { errors } = (await constraint.json()) as { errors: { path: string; code: string }[] };
    expect(errors.map((error) => `${error.path} ${error.code}`)).toEqual([
      'fields.0.max number',
      'fields.0.default number',
    ]);
    expect(await detailOf(`${entries}?filter[n]=9007199254740993`)).toMatch(
      /^filter\[n\] must be a number within the range/,
    );
    expect(await detailOf(`${entries}?where={"n":9007199254740993}`)).toBe(
      'where cannot be read as JSON: it has a number that is out of range or has too many digits at position 6.',
    );
  });

  it('in a date says whether the day exists, and whether the offset is missing', async () => {
    const { entries } = await createType(tenant, [
      { name: 'day', type: 'date' },
      { name: 'at', type: 'datetime' },
    ]);
    const sent = async (day: string, at: string) => Object.values(await messages(entries, { fields: { day, at } }));
    expect(await sent('2023-02-30', '2023-02-30T10:00:00Z')).toEqual([
      'day must be a date, but there is no day 2023-02-30.',
      'at must be a date and time, but there is no day 2023-02-30.',
    ]);
    expect(await sent('1.2.2023', '2023-01-02 10:00')).toEqual([
      'day must be a date in the format YYYY-MM-DD.',
      'at must have an offset from UTC, such as Z or +01:00.',
    ]);
    expect(await sent('2023-01-02', '2023-01-02 16:55:00+00:00')).toEqual([]);
  });

  it('in a name that cannot be seen says that there is none, at every door', async () => {
    const name = ' \u200b\ufeff\u3164\u00ad\u2800 ';
    const field = { name: 'a', type: 'select', options: ['\u200b'] };
    const paths = async (path: string, body: object) => Object.keys(await messages(path, body));
    expect(await paths(`/v1/content/${tenant.id}/types`, { name, fields: [field] })).toEqual([
      'name',
      'fields.0.options.0',
    ]);
    expect(await paths(`/v1/forms/${tenant.id}`, { name, fields: [{ name: 'a', type: 'text' }] })).toEqual(['name']);
    expect(await paths(`/v1/keys/${tenant.id}`, { name, scopes: ['read'] })).toEqual(['name']);
    const { body } = await tenant.http
      .post(`/v1/content/${tenant.id}/types`, {
        name: '\ufeffمی‌خواهم ❤️\u200b',
        fields: [{ name: 'a', type: 'text' }],
      })
      .expect(201);
    expect(body.data.name).toBe('می‌خواهم ❤️');
  });

  it('in an operation of a bulk request lists the operations', async () => {
    const path = `/v1/content/${tenant.id}/bulk`;
    expect(await messages(path, { operations: [{ op: 'replace' }] })).toEqual({
      'operations.0.op': 'op must be one of create, upsert, update, delete.',
    });
  });

  it('in an upload lists the types and the parts', async () => {
    const upload = async (form: FormData) => {
      const headers = { Authorization: `Bearer ${tenant.key}` };
      const response = await fetch(`${app.url}/v1/media/${tenant.id}`, { method: 'POST', headers, body: form });
      const { errors } = (await response.json()) as { errors: { message: string }[] };
      return errors.map(({ message }) => message);
    };
    const program = new FormData();
    program.append('file', new Blob([Buffer.from('7f454c4602010100', 'hex'), new Uint8Array(100)]), 'tool');
    expect(await upload(program)).toEqual([
      expect.stringMatching(
        /^Files of the type application\/x-elf are not allowed\. The allowed types are image\/png, /,
      ),
    ]);
    const misnamed = new FormData();
    misnamed.append('image', new Blob(['a']), 'a.txt');
    expect(await upload(misnamed)).toEqual([
      'image is not a known property. The properties are file, alt.',
      'file is required.',
    ]);
  });

  it('about stored values that are in the way says how to find them', async () => {
    const { path, entries } = await createType(tenant, [{ name: 'title', type: 'text' }]);
    await tenant.http.post(entries, { fields: { title: 'long' } }).expect(201);
    const response = await tenant.http.put(path, { fields: [{ name: 'title', type: 'text', max: 1 }] }).expect(409);
    expect(response.body.detail).toBe(
      '1 entry has values that the new fields do not allow. Nothing was changed. Send dry_run=true to see which.',
    );
  });

  it('about a missing scope names it', async () => {
    const limited = await startApp({ TENANTS });
    try {
      const detail = async (key: string, method: 'get' | 'post', path: string) => {
        const response = await limited.client(`Bearer ${key}`)[method](path).expect(403);
        return response.body.detail as string;
      };
      expect(await detail('reader-key', 'post', '/v1/content/ten_acme/types')).toBe(
        'This request lacks the scope content:write (or write or *). It has only content:read.',
      );
      expect(await detail('reader-key', 'get', '/v1/webhooks/ten_acme')).toMatch(
        /the scope webhooks:read \(or read or \*\)/,
      );
      expect(await detail('website-key', 'get', '/v1/events/ten_acme')).toMatch(
        /It has only content:read:published, forms:read\.$/,
      );
    } finally {
      await limited.close();
    }
  });
});
