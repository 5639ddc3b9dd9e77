import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { counted, CV, cv, fileForm, nothingLeft, storedFiles, submit, submitted } from '../support/file-forms.js';
import { until } from '../support/until.js';
import { upload } from '../support/upload.js';

const LIMIT = 1_000;

describe('files of submissions count in media_bytes', () => {
  let app: TestApp;
  let tenants: TestTenant[];
  beforeAll(async () => {
    const ids = ['ten_one', 'ten_two', 'ten_three'];
    const list = ids.map((id) => ({ id, name: id, api_keys: [{ key: `key-${id}` }], limits: { media_bytes: LIMIT } }));
    app = await startApp({ TENANTS: JSON.stringify(list) });
    tenants = ids.map((id) => ({ id, key: `key-${id}`, http: app.client(`Bearer key-${id}`) }));
  });
  afterAll(() => app.close());

  const usedBy = async ({ id, http }: TestTenant) =>
    (await http.get(`/v1/usage/${id}`).expect(200)).body.data.media_bytes as number;

  it('and are refused beyond the limit, without numbers, until others are deleted', async () => {
    const [tenant] = tenants as [TestTenant];
    const form = await fileForm(tenant, [CV, { name: 'name', type: 'text' }]);
    const { path } = await submitted(app, tenant, form, [cv(Buffer.alloc(600))]);
    const before = await storedFiles(app);
    const refused = await submit(app, form.submissions, [cv(Buffer.alloc(600))]);
    expect([refused.status, refused.body.code]).toEqual([403, 'limit_reached']);
    expect(refused.body.detail).not.toMatch(/\d/);
    await until(async () => (await storedFiles(app)).join() === before.join());
    expect((await submit(app, form.submissions, [{ name: 'name', data: 'Ada' }])).status).toBe(201);
    expect(await usedBy(tenant)).toBe(600);
    await tenant.http.delete(path).expect(200);
    expect((await submit(app, form.submissions, [cv(Buffer.alloc(LIMIT))])).status).toBe(201);
    expect((await submit(app, form.submissions, [cv('x')])).status).toBe(403);
  });

  it('together with media, which they leave no room for', async () => {
    const [, tenant] = tenants as [TestTenant, TestTenant];
    const form = await fileForm(tenant);
    await upload(app, tenant, Buffer.alloc(600, 'a'), 'a.txt');
    expect((await submit(app, form.submissions, [cv(Buffer.alloc(401))])).status).toBe(403);
    expect((await submit(app, form.submissions, [cv(Buffer.alloc(400))])).status).toBe(201);
    await expect(upload(app, tenant, Buffer.from('a'), 'a.txt')).rejects.toThrow('limit_reached');
    expect(await usedBy(tenant)).toBe(LIMIT);
  });

  it('exactly, however many arrive at once', async () => {
    const tenant = tenants[2] as TestTenant;
    const before = await storedFiles(app);
    const form = await fileForm(tenant);
    const sent = await Promise.all(
      Array.from({ length: 8 }, () => submit(app, form.submissions, [cv(Buffer.alloc(300))])),
    );
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 201, 201, 403, 403, 403, 403, 403]);
    expect(await counted(app, tenant)).toEqual([3, 900]);
    await tenant.http.delete(form.path).expect(200);
    await nothingLeft(app, tenant, before);
  });
});
