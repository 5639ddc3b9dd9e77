import { startApp, type Http, type TestApp, type TestTenant } from '../support/app.js';

const FIELDS = [
  { name: 'name', type: 'text' },
  { name: 'email', type: 'email' },
];

describe('the inbox of a form', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  let addresses = 0;
  const visitor = (): Http => app.client(undefined, { 'X-Forwarded-For': `10.8.0.${++addresses % 250}` });

  async function newForm(tenant: TestTenant, fields: object[] = FIELDS) {
    const { body } = await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields }).expect(201);
    const id = body.data.id as string;
    return { id, path: `/v1/forms/${tenant.id}/${id}`, submissions: `/v1/forms/${tenant.id}/${id}/submissions` };
  }

  async function submit(path: string, fields: object, headers: Record<string, string> = {}) {
    const { body } = await visitor().post(path, { fields }).set(headers).expect(201);
    return body.data as { id: string };
  }

  describe('get', () => {
    it('shows the full view, with every property', async () => {
      const tenant = app.tenant();
      const form = await newForm(tenant);
      const plain = await submit(form.submissions, { name: 'Ada' });
      const { body } = await tenant.http.get(`${form.submissions}/${plain.id}`).expect(200);
      const nothing = { verdict: 'ok', reasons: [], state: 'new', note: null, files: [], origin: null, locale: null };
      expect(body).toEqual({ data: { ...plain, ...nothing } });
      const headers = { Origin: 'https://a.example', 'Accept-Language': 'de-AT,de;q=0.8' };
      const known = await submit(form.submissions, { name: 'Bob' }, headers);
      expect((await tenant.http.get(`${form.submissions}/${known.id}`)).body.data).toEqual({
        ...known,
        ...nothing,
        origin: 'https://a.example',
        locale: 'de-AT',
      });
    });

    it('of an unknown submission, of another form or tenant, and of a deleted form, is 404', async () => {
      const tenant = app.tenant();
      const form = await newForm(tenant);
      const other = await newForm(tenant);
      const { id } = await submit(form.submissions, { name: 'Ada' });
      const foreign = app.tenant();
      for (const path of [
        `${other.submissions}/${id}`,
        `${form.submissions}/sub_00000000000000000000000000`,
        `${form.submissions}/nope`,
      ]) {
        await tenant.http.get(path).expect(404);
        await tenant.http.patch(path, { state: 'done' }).expect(404);
      }
      await foreign.http.get(`/v1/forms/${foreign.id}/${form.id}/submissions/${id}`).expect(404);
      await tenant.http.delete(form.path).expect(200);
      await tenant.http.get(`${form.submissions}/${id}`).expect(404);
      await tenant.http.patch(`${form.submissions}/${id}`, { state: 'done' }).expect(404);
    });
  });

  describe('filters', () => {
    const fields = [
      { name: 'email', type: 'email' },
      { name: 'site', type: 'url' },
      { name: 'phone', type: 'tel' },
      { name: 'age', type: 'number' },
      { name: 'day', type: 'date' },
      { name: 'topic', type: 'select', options: ['Press', 'Sales'] },
      { name: 'topics', type: 'select', options: ['a', 'b'], multiple: true },
      { name: 'agree', type: 'checkbox' },
    ];

    it('refuse what no value of the field can be equal to, in lists and in exports', async () => {
      const tenant = app.tenant();
      const form = await newForm(tenant, fields);
      const wrong = {
        email: ['nobody', 'ada+news@example.com', ' ada@example.com', 'ada@example.com\u200b', ''],
        site: ['example', 'ftp://example.com', 'https://example.com/?q=a+b'],
        phone: ['none', '12', '+442079460018'],
        age: ['abc', '', '1e999'],
        day: ['2026-13-01', 'today', '20260131'],
        topic: ['press', 'Other', ''],
        topics: ['c', 'a, b'],
        agree: ['yes', '1', 'TRUE'],
      };
      for (const [name, values] of Object.entries(wrong)) {
        for (const value of values) {
          const list = `${value},${value}`;
          for (const query of [
            `filter[${name}]=${value}`,
            `filter[${name}][ne]=${value}`,
            `filter[${name}][in]=${list}`,
          ]) {
            for (const path of [form.submissions, `${form.submissions}/export`]) {
              const { status, body } = await tenant.http.get(`${path}?${encodeURI(query)}`);
              expect([query, status, body.code]).toEqual([query, 400, 'invalid_parameter']);
            }
          }
        }
      }
    });

    it('say how to write a + that is meant', async () => {
      const tenant = app.tenant();
      const form = await newForm(tenant, fields);
      const { id } = await submit(form.submissions, { email: 'ada+news@example.com', phone: '+44 20 7946 0018' });
      for (const [name, value, encoded] of [
        ['email', 'ada+news@example.com', 'ada%2Bnews%40example.com'],
        ['phone', '+442079460018', '%2B442079460018'],
        ['site', 'https://example.com/a+b', 'https%3A%2F%2Fexample.com%2Fa%2Bb'],
        ['age', '1e+3', '1e%2B3'],
      ]) {
        const { body } = await tenant.http.get(`${form.submissions}?filter[${name}]=${value}`).expect(400);
        expect(body.detail).toContain(`A + must be encoded as %2B: ${encoded}`);
      }
      for (const query of ['filter[email]=ada%2Bnews@example.com', 'filter[phone]=%2B44%2020%207946%200018']) {
        const { body } = await tenant.http.get(`${form.submissions}?${query}`).expect(200);
        expect(body.data.map((one: { id: string }) => one.id)).toEqual([id]);
      }
    });

    it('find an address in any spelling, and only that address', async () => {
      const tenant = app.tenant();
      const form = await newForm(tenant, [{ name: 'email', type: 'email' }]);
      const spellings = ['Info@münchen.example', 'info@xn--mnchen-3ya.example', '"info"@mu\u0308nchen.example'];
      const ids: string[] = [];
      for (const email of spellings) ids.push((await submit(form.submissions, { email })).id);
      const other = (await submit(form.submissions, { email: 'info@munchen.example' })).id;
      const found = async (query: Record<string, string>) => {
        const { body } = await tenant.http
          .get(`${form.submissions}?${new URLSearchParams({ sort: 'id', ...query }).toString()}`)
          .expect(200);
        return body.data.map(({ id }: { id: string }) => id) as string[];
      };
      for (const email of spellings) {
        expect(await found({ 'filter[email]': email })).toEqual(ids);
        expect(await found({ 'filter[email][in]': `bob@example.com,${email}` })).toEqual(ids);
        expect(await found({ 'filter[email][ne]': email })).toEqual([other]);
      }
      expect(await found({ 'filter[email][contains]': 'xn--mnchen' })).toEqual([ids[1]]);
      expect(await found({ 'filter[email][contains]': 'munchen' })).toEqual([other]);
      const { body } = await tenant.http.get(`${form.submissions}?sort=id`).expect(200);
      expect(body.data.map(({ fields: sent }: { fields: object }) => sent)).toEqual(
        [...spellings, 'info@munchen.example'].map((email) => ({ email })),
      );
    });
  });

  describe('patch', () => {
    it('changes the state and the note, keeps the rest, and emits no event', async () => {
      const tenant = app.tenant();
      const form = await newForm(tenant);
      const { id } = await submit(form.submissions, { name: 'Ada' });
      const path = `${form.submissions}/${id}`;
      const { body: before } = await tenant.http.get(path).expect(200);
      const events = async () => (await tenant.http.get(`/v1/events/${tenant.id}`).expect(200)).body.data.length;
      const count = await events();
      const steps = [
        [{ state: 'read' }, { state: 'read', note: null }],
        [{ note: 'Called\n"back"' }, { state: 'read', note: 'Called\n"back"' }],
        [{}, { state: 'read', note: 'Called\n"back"' }],
        [
          { state: 'done', note: null },
          { state: 'done', note: null },
        ],
        [
          { state: 'new', note: 'x'.repeat(2_000) },
          { state: 'new', note: 'x'.repeat(2_000) },
        ],
      ];
      for (const [change = {}, expected] of steps) {
        const { body } = await tenant.http.patch(path, change).expect(200);
        expect(body.data).toEqual({ ...before.data, ...expected });
        expect((await tenant.http.get(path)).body).toEqual(body);
      }
      expect(await events()).toBe(count);
    });

    it('is 422 with each wrong value', async () => {
      const tenant = app.tenant();
      const form = await newForm(tenant);
      const { id } = await submit(form.submissions, { name: 'Ada' });
      const path = `${form.submissions}/${id}`;
      for (const [change, paths] of [
        [{ state: 'open', note: 5 }, ['state', 'note']],
        [{ state: null }, ['state']],
        [{ note: 'x'.repeat(2_001) }, ['note']],
        [{ note: 'a\u0000' }, ['note']],
        [{ verdict: 'spam' }, ['verdict']],
      ] as const) {
        const { body } = await tenant.http.patch(path, change).expect(422);
        expect(body.errors.map((error: { path: string }) => error.path)).toEqual(paths);
      }
    });
  });
});
