import { startApp, type TestApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { inSession, makePerson, setRole, signIn } from '../support/people.js';
import { expectServerErrors } from '../support/server-errors.js';
import { until } from '../support/until.js';
import { Wire } from '../support/wire.js';

const TENANT = 'ten_people';
const TENANTS = JSON.stringify([{ id: TENANT, name: 'People', api_keys: [{ name: 'root', key: 'root-key' }] }]);
const USAGE = `/v1/usage/${TENANT}`;
const TYPES = `/v1/content/${TENANT}/types`;
const TYPE = { name: 'Post', fields: [{ name: 'title', type: 'text' }] };

/** Tests of two processes with one database. */
function ofTwoProcesses(deaf: boolean): void {
  let database: TestDatabase;
  let wire: Wire;
  let apps: [TestApp, TestApp];
  beforeAll(async () => {
    database = await createDatabase();
    wire = await Wire.to(database.url, { deaf });
    const url = wire.urlOf(database.url);
    const start = () => startApp({ TENANTS, DATABASE_URL: url }, { database: { ...database, url } });
    apps = [await start(), await start()];
  });
  afterAll(async () => {
    wire.restore();
    for (const app of apps) await app.close();
    wire.close();
    await database.drop();
  });

  /** The clients of a session in both processes. */
  const inBoth = (cookie: string) => apps.map((app) => inSession(app, cookie));

  it.each(['of a person', 'of a key'])('a session %s that is signed out in one is refused in both', async (kind) => {
    const who = kind === 'of a key' ? { key: 'root-key' } : await makePerson(apps[0], [TENANT]);
    const { cookie } = await signIn(apps[0], who);
    const [here, there] = inBoth(cookie);
    await here!.get(USAGE).expect(200);
    await there!.get(USAGE).expect(200);
    await here!.delete('/v1/sessions/current').expect(200);
    await here!.get(USAGE).expect(401);
    await until(async () => (await there!.get(USAGE)).status === 401);
  });

  it('another role is in effect in both', async () => {
    const person = await makePerson(apps[0], [TENANT], 'viewer');
    const { cookie } = await signIn(apps[0], person);
    const clients = inBoth(cookie);
    for (const client of clients) await client.post(TYPES, TYPE).expect(403);
    await setRole(apps[0], TENANT, person, 'owner');
    for (const client of clients) await until(async () => (await client.post(TYPES, TYPE)).status === 201);
    await setRole(apps[0], TENANT, person, 'support');
    for (const client of clients) await until(async () => (await client.get(TYPES)).status === 403);
  });

  it('a session that is known goes on while the database is away, for a while', async () => {
    expectServerErrors(500, 503);
    const { cookie } = await signIn(apps[0], await makePerson(apps[0], [TENANT]));
    const [here, there] = inBoth(cookie);
    // Refused with 400 after the session was accepted, without a look into the database.
    const APART = `/v1/forms/${TENANT}?nope=1`;
    await here!.get(APART).expect(400);
    wire.cut();
    await here!.get(APART).expect(400);
    await there!.get(APART).expect(503);
    wire.restore();
    await until(async () => (await there!.get(APART)).status === 400);
  });
}

describe('with two processes', () => {
  ofTwoProcesses(false);
});

describe('with two processes that hear no notifications', () => {
  ofTwoProcesses(true);
});
