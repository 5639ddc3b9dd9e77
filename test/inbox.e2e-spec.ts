import { startApp, type Http, type TestApp, type TestTenant } from './support/app.js';

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
