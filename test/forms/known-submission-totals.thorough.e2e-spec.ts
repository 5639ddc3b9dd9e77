import { parseId } from '../../src/ids/type-id.js';
import { startApp, type Http, type TestApp, type TestTenant } from '../support/app.js';

const FIELDS = [
  { name: 'name', type: 'text' },
  { name: 'topic', type: 'select', options: ['a', 'b'] },
];

/** More submissions than totals that are counted each time, and than lists collect. */
const MANY = 5_200;

interface Submission {
  name: string;
  topic: string;
  isSpam?: boolean;
  state?: 'new' | 'read' | 'done';
}

const isOk = ({ isSpam }: Submission) => !isSpam;

/** Lists whose totals are counted, and what they match. */
const LISTS: [query: string, matches: (submission: Submission) => boolean][] = [
  ['filter[topic]=a', (one) => isOk(one) && one.topic === 'a'],
  ['filter[topic]=a&page=20', (one) => isOk(one) && one.topic === 'a'],
  ['filter[topic]=a&verdict=any', ({ topic }) => topic === 'a'],
  ['filter[topic][ne]=b&sort=name', (one) => isOk(one) && one.topic !== 'b'],
  ['search=tide', (one) => isOk(one) && one.name.includes('tide')],
  ['search=tide&sort=name', (one) => isOk(one) && one.name.includes('tide')],
  ['search=tide&filter[topic]=a', (one) => isOk(one) && one.name.includes('tide') && one.topic === 'a'],
  ['state=new', (one) => isOk(one) && (one.state ?? 'new') === 'new'],
  ['state=new,read', (one) => isOk(one) && one.state !== 'done'],
  ['state=read,done', (one) => isOk(one) && (one.state ?? 'new') !== 'new'],
  ['state=new,read,done', isOk],
  ['filter[topic]=a&state=new', (one) => isOk(one) && one.topic === 'a' && (one.state ?? 'new') === 'new'],
];

describe('known totals of submissions', () => {
  let app: TestApp;
  let other: TestApp;
  let tenant: TestTenant;
  let clients: Http[];
  let path: string;
  let formId: string;
  let stored: Submission[];

  beforeAll(async () => {
    app = await startApp();
    tenant = app.tenant();
    const { id, key } = tenant;
    // Another process on the same database.
    other = await startApp(
      { TENANTS: JSON.stringify([{ id, name: 'Same', api_keys: [{ name: 'test', key }] }]) },
      { database: app.database },
    );
    clients = [tenant.http, other.client(`Bearer ${key}`)];
  });
  afterAll(async () => {
    await other.close();
    await app.close();
  });

  beforeEach(async () => {
    const { body } = await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Tide', fields: FIELDS }).expect(201);
    const form = body.data as { id: string };
    formId = parseId('frm', form.id) ?? '';
    path = `/v1/forms/${tenant.id}/${form.id}/submissions`;
    stored = await addMany();
  });

  /** Writes submissions as the service does. All of them have the word `tide`. */
  const addMany = async (): Promise<Submission[]> => {
    await submit({ name: 'tide 0', topic: 'a' });
    const idOf = `('01900000-' || right(s.form_id::text, 4) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
    const others = `generate_series(1, ${MANY} - 1) n WHERE s.tenant_id = $1 AND s.form_id = $2`;
    for (const text of [
      `INSERT INTO submissions (tenant_id, form_id, id, fields, size, digest, created_at)
        SELECT s.tenant_id, s.form_id, ${idOf}, s.fields, s.size, s.digest, s.created_at FROM submissions s, ${others}`,
      `UPDATE submission_counts SET submissions = submissions + ${MANY} - 1 WHERE tenant_id = $1 AND form_id = $2`,
      `INSERT INTO submission_values (tenant_id, form_id, field, sort_key, discriminator, submission_id)
        SELECT s.tenant_id, s.form_id, s.field, s.sort_key, s.discriminator, ${idOf} FROM submission_values s, ${others}`,
    ]) {
      await app.database.query(text, [tenant.id, formId]);
    }
    await app.database.query('ANALYZE submissions, submission_values');
    return Array.from({ length: MANY }, () => ({ name: 'tide 0', topic: 'a' }));
  };

  const submit = async (fields: Submission, http = tenant.http): Promise<string> => {
    const { body } = await http.post(path, { fields }).expect(201);
    return (body as { data: { id: string } }).data.id;
  };

  const totalOf = async (http: Http, query: string): Promise<number> => {
    const { body } = await http.get(`${path}?per_page=1&${query}`).expect(200);
    return (body as { meta: { total: number } }).meta.total;
  };

  const expectExact = async () => {
    const expected = LISTS.map(([query, matches]) => [query, stored.filter(matches).length]);
    for (const http of [...clients, ...clients]) {
      const totals = [];
      for (const [query] of LISTS) totals.push([query, await totalOf(http, query)]);
      expect(totals).toEqual(expected);
    }
  };

  it('are not counted again as long as no submission changes', async () => {
    expect(await totalOf(tenant.http, 'filter[topic]=a')).toBe(MANY);
    // What no request can do: the total changes without a change of a submission.
    await app.database.query(
      `DELETE FROM submission_values WHERE tenant_id = $1 AND form_id = $2 AND field = 'topic' AND submission_id IN (
        SELECT max(submission_id::text)::uuid FROM submission_values WHERE tenant_id = $1 AND form_id = $2
      )`,
      [tenant.id, formId],
    );
    expect(await totalOf(tenant.http, 'filter[topic]=a')).toBe(MANY);
    expect(await totalOf(clients[1]!, 'filter[topic]=a')).toBe(MANY - 1);
    await submit({ name: 'ebb', topic: 'b' });
    expect(await totalOf(tenant.http, 'filter[topic]=a')).toBe(MANY - 1);
  });

  it('are exact after every kind of write, through any process', async () => {
    await expectExact();
    for (const [index, http] of clients.entries()) {
      const submissions: Submission[] = [
        { name: 'tide', topic: 'a' },
        { name: 'tide', topic: 'b' },
        { name: 'ebb', topic: 'a' },
      ];
      const ids: string[] = [];
      for (const one of submissions) {
        ids.push(await submit(one, http));
        stored.push(one);
        await expectExact();
      }
      const [tide, , ebb] = submissions as [Submission, Submission, Submission];
      await http.patch(`${path}/${ids[0]}`, { state: index ? 'read' : 'done' }).expect(200);
      tide.state = index ? 'read' : 'done';
      await expectExact();
      await http.post(`${path}/${ids[2]}/mark-spam`).expect(200);
      ebb.isSpam = true;
      await expectExact();
      await http.post(`${path}/${ids[2]}/release`).expect(200);
      ebb.isSpam = false;
      await expectExact();
      await http.delete(`${path}/${ids[0]}`).expect(200);
      stored = stored.filter((one) => one !== tide);
      await expectExact();
      await http.post(`${path}/delete`, { ids: ids.slice(1) }).expect(200);
      stored = stored.filter((one) => !submissions.includes(one));
      await expectExact();
    }
  }, 240_000);
});
