import type { EntityManager } from 'typeorm';
import { DatabaseProbe } from '../../src/database/connections/database-probe.js';
import { Database } from '../../src/database/database.js';
import { problemOfDatabase } from '../../src/errors/database-problem.js';
import { Tenant } from '../../src/tenants/tenant.entity.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createType, type TestType } from '../support/content.js';
import { expectServerErrors } from '../support/server-errors.js';
import { until } from '../support/until.js';
import { Wire } from '../support/wire.js';

describe('while the database is unreachable', () => {
  let database: TestDatabase;
  let wire: Wire;
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  beforeAll(async () => {
    database = await createDatabase();
    wire = await Wire.to(database.url);
    const url = wire.urlOf(database.url);
    app = await startApp({ DATABASE_URL: url }, { database: { ...database, url } });
    tenant = app.tenant();
    type = await createType(tenant, [{ name: 'title', type: 'text' }]);
  });
  afterAll(async () => {
    wire.restore();
    await app.close();
    wire.close();
    await database.drop();
  });
  afterEach(() => wire.restore());

  it('every endpoint answers 503 with Retry-After, and works again after the outage', async () => {
    expectServerErrors(503);
    const form = await tenant.http
      .post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields: [{ name: 'a', type: 'text' }] })
      .expect(201);
    const entry = await tenant.http.post(type.entries, { fields: { title: 'a' } }).expect(201);
    const path = `${type.entries}/${entry.body.data.id}`;
    const requests = [
      () => tenant.http.get(`/v1/content/${tenant.id}/types`),
      () => tenant.http.post(`/v1/content/${tenant.id}/types`, { name: 'a', fields: [{ name: 'a', type: 'text' }] }),
      () => tenant.http.put(type.path, { name: 'b' }),
      () => tenant.http.get(type.entries),
      () => tenant.http.get(path),
      () => tenant.http.post(type.entries, { fields: {} }),
      () => tenant.http.patch(path, { fields: { title: 'b' } }),
      () => tenant.http.delete(path),
      () => tenant.http.get(`/v1/forms/${tenant.id}`),
      () => app.client().post(`/v1/forms/${tenant.id}/contact/submissions`, { fields: { a: 'b' } }),
      () => tenant.http.get(`/v1/forms/${tenant.id}/${form.body.data.id}/submissions`),
      () => app.client().get('/health/ready'),
    ];
    wire.cut();
    for (const send of requests) {
      const { body, headers } = await send().expect(503);
      expect(body).toMatchObject({ type: '/problems/unavailable', code: 'unavailable', status: 503 });
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      // The response does not reveal the cause.
      expect(JSON.stringify(body)).not.toMatch(/ECONN|127\.0\.0\.1|terminated|postgres|pool/i);
    }
    await app.client().get('/health/live').expect(200);

    wire.restore();
    await tenant.http.get(path).expect(200);
    await tenant.http.patch(path, { fields: { title: 'c' } }).expect(200);
    // Readiness is checked at most once a second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await app.client().get('/health/ready').expect(200);
  });

  it('an unauthorized request still answers 401 or 403', async () => {
    wire.cut();
    await app.client().get(type.entries).expect(401);
    await app.tenant().http.get(type.entries).expect(403);
    await tenant.http.get('/nope').expect(404);
  });

  it('a request in progress when the connection breaks answers 503', async () => {
    expectServerErrors(503);
    wire.silence();
    const answer = tenant.http.get(type.entries).then(({ status }) => status);
    await new Promise((resolve) => setTimeout(resolve, 100));
    wire.cut();
    expect(await answer).toBe(503);
  });

  it('a health check whose connection breaks fails, and the process goes on', async () => {
    const asked = app.get(DatabaseProbe).run((client) => client.query('SELECT pg_sleep(30)'));
    const isAsked = `SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(30)' AND datname = current_database()`;
    await until(async () => (await database.query(isAsked)).length > 0);
    wire.cut();
    await expect(asked).rejects.toThrow('Connection terminated unexpectedly');
  });

  it.each([
    ['a plain statement', (manager: EntityManager) => manager.query('SELECT 1')],
    ['an entity', (manager: EntityManager) => manager.update(Tenant, { id: 'none' }, { name: 'None' })],
  ])('a transaction whose connection breaks before %s becomes a 503', async (_, next) => {
    expectServerErrors(503);
    const broken = app.get(Database).transaction(tenant.id, async (transaction) => {
      const { manager } = transaction as unknown as { manager: EntityManager };
      await manager.query('SELECT 1');
      wire.cut();
      await until(() => Promise.resolve(manager.queryRunner?.isReleased));
      await next(manager);
    });
    const error: unknown = await broken.catch((reason: unknown) => reason);
    expect(problemOfDatabase(error)).toMatchObject({ status: 503, code: 'unavailable' });
  });

  it('readiness does not wait for a database that does not respond', async () => {
    expectServerErrors(503);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    wire.silence();
    const started = Date.now();
    await app.client().get('/health/ready').expect(503);
    expect(Date.now() - started).toBeLessThan(4000);
    await app.client().get('/health/live').expect(200);
  });
});
