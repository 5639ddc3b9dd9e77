import { firstUuidOf, formatId } from '../../src/ids/type-id.js';
import { startApp, type TestApp } from '../support/app.js';
import { submit } from '../support/notified-form.js';
import { until } from '../support/until.js';

const DAY_MS = 86_400_000;

describe('retention_days', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('deletes submissions that are older, keeps the others, and is one scheduled job', async () => {
    const tenant = app.tenant();
    const fields = [{ name: 'name', type: 'text' }];
    const { body } = await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Old', fields }).expect(201);
    const form = `/v1/forms/${tenant.id}/${body.data.id}`;
    const path = `${form}/submissions`;
    for (const days of [40, 31, 29]) {
      const id = await submit(app, { path }, { name: `${days}` });
      const older = firstUuidOf(new Date(Date.now() - days * DAY_MS));
      for (const [table, column] of [
        ['submissions', 'id'],
        ['submission_values', 'submission_id'],
      ]) {
        await app.database.query(
          `UPDATE ${table} SET ${column} = $2 WHERE tenant_id = $1 AND ${column} = (
            SELECT id FROM (SELECT ${column} AS id FROM ${table} WHERE tenant_id = $1 ORDER BY 1 DESC LIMIT 1) s)`,
          [tenant.id, older],
        );
      }
      expect(id).not.toBe(formatId('sub', older));
    }
    const newest = await submit(app, { path }, { name: 'new' });
    const names = async () =>
      (await tenant.http.get(path).expect(200)).body.data.map(
        ({ fields: one }: { fields: { name: string } }) => one.name,
      );
    expect(await names()).toEqual(['new', '29', '31', '40']);
    await tenant.http.patch(form, { settings: { retention_days: 30 } }).expect(200);
    await until(async () => (await names()).length === 2);
    expect(await names()).toEqual(['new', '29']);
    expect(newest).toBeDefined();
    const [listed] = (await tenant.http.get(`/v1/forms/${tenant.id}`).expect(200)).body.data;
    expect(listed.submission_count).toBe(2);
    const work = () =>
      app.database.query<{ due: Date; claim: string | null }>(
        `SELECT due_at AS due, claim FROM scheduled_jobs WHERE tenant_id = $1 AND kind = 'submission_retention'`,
        [tenant.id],
      );
    const [row, ...others] = await until(async () => {
      const rows = await work();
      return rows[0]?.claim === null && rows;
    });
    expect(others).toEqual([]);
    expect(Math.abs((row?.due.getTime() ?? 0) - Date.now() - DAY_MS)).toBeLessThan(DAY_MS / 24);
    await tenant.http.patch(form, { settings: { retention_days: 7 } }).expect(200);
    await until(async () => (await names()).length === 1);
  });
});
