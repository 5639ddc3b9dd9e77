import { get } from 'node:http';
import { SubmissionListService } from '../../src/forms/inbox/submission-list.service.js';
import { ErasureTimes } from '../../src/forms/retention/erasure-times.js';
import { startApp, type Http, type TestApp, type TestTenant } from '../support/app.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'name', type: 'text' },
  { name: 'email', type: 'email' },
];

describe('what is read of many submissions', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  let addresses = 0;
  const visitor = (): Http => app.client(undefined, { 'X-Forwarded-For': `10.10.0.${++addresses % 250}` });

  async function newForm(tenant: TestTenant, fields: object[] = FIELDS) {
    const { body } = await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields }).expect(201);
    const id = body.data.id as string;
    return { id, path: `/v1/forms/${tenant.id}/${id}`, submissions: `/v1/forms/${tenant.id}/${id}/submissions` };
  }

  async function submit(path: string, fields: object) {
    const { body } = await visitor().post(path, { fields }).expect(201);
    return body.data as { id: string; created_at: string };
  }

  const read = async (tenant: TestTenant, path: string) => {
    const response = await fetch(`${app.url}${path}`, { headers: { Authorization: `Bearer ${tenant.key}` } });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  const endOf = (path: string, tenant: TestTenant) =>
    new Promise((resolve, reject) => {
      get(`${app.url}${path}`, { headers: { Authorization: `Bearer ${tenant.key}` } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const start = Buffer.concat(chunks).subarray(0, 3).toString('hex');
          resolve({ count: response.trailers['x-row-count'], start });
        });
        response.on('error', reject);
      });
    });

  describe('a search', () => {
    it('announces no trailer where it sends no chunks', async () => {
      const tenant = app.tenant();
      const form = await newForm(tenant);
      const path = `${form.submissions}/export?format=csv`;
      const headers = { Authorization: `Bearer ${tenant.key}` };
      const head = await fetch(`${app.url}${path}`, { method: 'HEAD', headers });
      expect([head.status, head.headers.get('trailer')]).toEqual([200, null]);
      await tenant.http.get(`${path}&sort=nope`).expect(400);
      await tenant.http
        .get(`/v1/forms/${tenant.id}/frm_00000000000000000000000000/submissions/export?format=csv`)
        .expect(404);
    });

    it('finds what was submitted just now, and not what was deleted', async () => {
      const tenant = app.tenant();
      const form = await newForm(tenant);
      const idsOf = async (search: string) => {
        const { body } = await tenant.http.get(`${form.submissions}?search=${search}`).expect(200);
        return body.data.map(({ id }: { id: string }) => id);
      };
      const first = await submit(form.submissions, { name: 'Éclair au chocolat' });
      expect(await idsOf('eclair')).toEqual([first.id]);
      const second = await submit(form.submissions, { name: 'Another eclair' });
      expect(await idsOf('eclair')).toEqual([second.id, first.id]);
      await tenant.http.delete(`${form.submissions}/${first.id}`).expect(200);
      expect(await idsOf('eclair')).toEqual([second.id]);
      const words = 'SELECT count(*)::int AS count FROM submission_words WHERE tenant_id = $1';
      expect(await app.database.query(words, [tenant.id])).toEqual([{ count: 1 }]);
    });
  });

  describe('an export', () => {
    it('in NDJSON has the full view of what the list shows, and the number at the end', async () => {
      const tenant = app.tenant();
      const form = await newForm(tenant);
      const sent: { id: string }[] = [];
      for (let index = 0; index < 120; index++) {
        sent.push(await submit(form.submissions, { name: `Name ${index % 3}`, email: `${index}@example.com` }));
      }
      await tenant.http.patch(`${form.submissions}/${sent[0]?.id}`, { state: 'done', note: 'x' }).expect(200);
      for (const query of ['', 'filter[name]=Name%201&sort=email', 'state=done', 'search=name']) {
        const { text } = await read(tenant, `${form.submissions}/export?format=ndjson&${query}`);
        const lines = text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as object);
        const { body } = await tenant.http.get(`${form.submissions}?view=full&per_page=100&${query}`).expect(200);
        expect(lines.at(-1)).toEqual({ done: true, count: body.meta.total });
        expect(lines.slice(0, -1).slice(0, 100)).toEqual(body.data);
        expect(lines).toHaveLength((body.meta.total as number) + 1);
      }
    });

    it('in CSV has the fields of today and then former ones, protects from formulas, and counts in a trailer', async () => {
      const tenant = app.tenant();
      const own = [...FIELDS, { name: 'age', type: 'number' }];
      const form = await newForm(tenant, [...own, { name: 'b', type: 'text' }, { name: 'a', type: 'text' }]);
      const { id, created_at: at } = await submit(form.submissions, { name: '=1+1', age: '-3', b: 'x, "y"', a: 'z' });
      await tenant.http.patch(form.path, { fields: own }).expect(200);
      const { text, headers } = await read(tenant, `${form.submissions}/export?format=csv`);
      expect(text).toBe(`id,created_at,name,email,age,a,b\r\n${id},${at},'=1+1,,-3,z,"x, ""y"""\r\n`);
      expect(headers.get('trailer')).toBe('X-Row-Count');
      const end = await endOf(`${form.submissions}/export?format=csv&bom=true`, tenant);
      expect(end).toEqual({ count: '1', start: 'efbbbf' });
    });

    it('of nothing has its head and end, and wrong requests are refused', async () => {
      const tenant = app.tenant();
      const form = await newForm(tenant);
      expect((await read(tenant, `${form.submissions}/export`)).text).toBe('{"done":true,"count":0}\n');
      expect((await read(tenant, `${form.submissions}/export?format=csv`)).text).toBe('id,created_at,name,email\r\n');
      const unknown = `/v1/forms/${tenant.id}/frm_00000000000000000000000000/submissions/export`;
      expect((await read(tenant, unknown)).status).toBe(404);
      for (const query of [
        'format=xml',
        'bom=1&format=csv',
        'filter[nope]=1',
        'state=open',
        'from=2026',
        'from=2026-02-30',
        'sort=name,email',
        'from=',
        'to=',
      ]) {
        expect([query, (await read(tenant, `${form.submissions}/export?${query}`)).status]).toEqual([query, 400]);
      }
    });
  });

  describe('an export in progress', () => {
    afterEach(() => jest.restoreAllMocks());

    /** A form with 120 submissions of each of two addresses. */
    async function newLargeForm(tenant: TestTenant) {
      const form = await newForm(tenant);
      for (const name of ['gone', 'kept']) await submit(form.submissions, { name, email: `${name}@example.com` });
      await app.database.query(
        `INSERT INTO submissions (tenant_id, form_id, id, fields, size, addresses, digest, created_at)
          SELECT tenant_id, form_id, overlay(gen_random_uuid()::text PLACING left(id::text, 8) FROM 1 FOR 8)::uuid, fields, size, addresses,
            digest, created_at
          FROM submissions, generate_series(1, 119) WHERE tenant_id = $1`,
        [tenant.id],
      );
      return form;
    }
    /** Does something before the second page of the export is read. */
    function betweenPages(work: () => Promise<void>) {
      const lists = app.get(SubmissionListService);
      const list = lists.list.bind(lists);
      let pages = 0;
      return jest.spyOn(lists, 'list').mockImplementation(async (...query) => {
        if (++pages === 2) await work();
        return list(...query);
      });
    }

    it.each(['ndjson', 'csv'])('in %s resets the connection if it breaks off', async (format) => {
      const tenant = app.tenant();
      const form = await newLargeForm(tenant);
      const reading = betweenPages(() => Promise.reject(new Error('The database is away.')));
      await expect(read(tenant, `${form.submissions}/export?format=${format}`)).rejects.toThrow();
      expect(reading.mock.calls).toHaveLength(2);
    });

    it('leaves out what an erasure has deleted meanwhile, and counts what it sent', async () => {
      const tenant = app.tenant();
      const form = await newLargeForm(tenant);
      app.get(ErasureTimes).late = 0;
      betweenPages(async () => {
        const erasures = `/v1/forms/${tenant.id}/erasures`;
        const { body } = await tenant.http.post(erasures, { email: 'gone@example.com' }).expect(202);
        await until(async () => (await tenant.http.get(`${erasures}/${body.data.id}`)).body.data.state === 'done');
      });
      const { text } = await read(tenant, `${form.submissions}/export`);
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { fields: { name: string }; done?: boolean; count?: number });
      const end = lines.pop();
      expect(end).toEqual({ done: true, count: lines.length });
      const names = lines.map(({ fields }) => fields.name);
      expect(names.filter((name) => name === 'kept')).toHaveLength(120);
      expect(names.slice(100)).not.toContain('gone');
    });
  });

  describe('statistics', () => {
    it('count by day of arrival, with zeros, and are not reduced by deletions', async () => {
      const tenant = app.tenant();
      const form = await newForm(tenant);
      const { id } = await submit(form.submissions, { name: 'Ada' });
      await submit(form.submissions, { name: 'Bob' });
      const { body } = await tenant.http.get(`${form.path}/stats?days=3`).expect(200);
      const total = (days: { ok: number; spam: number }[]) =>
        days.reduce((sum, { ok, spam }) => sum + ok + 10 * spam, 0);
      expect(body.data).toHaveLength(3);
      expect(Object.keys(body.data[0])).toEqual(['date', 'ok', 'spam']);
      expect(total(body.data)).toBe(2);
      await tenant.http.delete(`${form.submissions}/${id}`).expect(200);
      const after = await tenant.http.get(`${form.path}/stats`).expect(200);
      expect(after.body.data).toHaveLength(30);
      expect(total(after.body.data)).toBe(2);
      for (const days of ['0', '366', 'x', '1.5']) await tenant.http.get(`${form.path}/stats?days=${days}`).expect(400);
      await tenant.http.get(`/v1/forms/${tenant.id}/frm_00000000000000000000000000/stats`).expect(404);
    });
  });
});
