import { startApp, type TestApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { until } from '../support/until.js';

const TENANT = 'ten_owned';

describe('the owners of the configuration', () => {
  let server: MailServer;
  let database: TestDatabase;
  const apps: TestApp[] = [];
  beforeAll(async () => {
    server = await startMailServer();
    database = await createDatabase();
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
  });
  afterAll(async () => {
    await database.drop();
    await server.stop();
  });

  async function start(owners: string[], limits: object = { users: 1 }): Promise<TestApp> {
    const tenant = { id: TENANT, name: 'Owned', api_keys: [{ name: 'a', key: 'key-of-the-owned' }], owners, limits };
    const app = await startApp({ SMTP_URL: server.url, TENANTS: JSON.stringify([tenant]) }, { database });
    apps.push(app);
    return app;
  }
  async function members(app: TestApp): Promise<{ id: string; email: string; role: string; state: string }[]> {
    const { body } = await app.client('Bearer key-of-the-owned').get(`/v1/users/${TENANT}`).expect(200);
    return (body as { data: { id: string; email: string; role: string; state: string }[] }).data;
  }
  const invitedTo = (app: TestApp, count: number) => until(async () => (await members(app)).length === count);

  it('are invited once, by whichever of several processes, and beyond the limit of members', async () => {
    const owners = ['Ada@example.com', 'grace@example.com', 'aDa@example.com'];
    const [one] = [await start(owners), await start(owners)];
    await invitedTo(one, 2);
    const [mail] = await server.until('Ada@example.com', 1);
    expect(mail?.header('Subject')).toContain('Owned');
    expect(mail?.text).toMatch(/\/console\/invitation#tvi_[\w-]{49}/);
    expect((await members(one)).map(({ email, role, state }) => [email, role, state]).sort()).toEqual([
      ['Ada@example.com', 'owner', 'invited'],
      ['grace@example.com', 'owner', 'invited'],
    ]);
    await server.until('grace@example.com', 1);
    expect(server.attempts('Ada@example.com')).toBe(1);
  });

  it('are not invited again at the next start, and stay when they leave the list', async () => {
    const app = await start(['grace@example.com', 'new@example.com']);
    await invitedTo(app, 3);
    await server.until('new@example.com', 1);
    expect(server.attempts('Ada@example.com')).toBe(1);
    expect(server.attempts('grace@example.com')).toBe(1);
  });

  it('who were removed are invited again at a later start', async () => {
    const app = await start([]);
    const http = app.client('Bearer key-of-the-owned');
    const grace = (await members(app)).find(({ email }) => email === 'grace@example.com');
    await http.delete(`/v1/users/${TENANT}/${grace?.id}`).expect(200);
    const later = await start(['grace@example.com']);
    await invitedTo(later, 3);
    await server.until('grace@example.com', 2);
  });
});
