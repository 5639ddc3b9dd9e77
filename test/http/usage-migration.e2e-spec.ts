import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { type Http, startApp, type TestTenant } from '../support/app.js';
import { createEntries, createType } from '../support/content.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { files } from '../support/files.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { loadTables } from '../support/tables.js';
import { until } from '../support/until.js';
import { upload } from '../support/upload.js';

const ID = 'ten_upgraded';
const KEY = 'tvt_key_of_an_upgraded_tenant';

describe('the migrations of the counters of usage', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let dataSource: DataSource;
  beforeAll(async () => {
    [database, receiver] = await Promise.all([createDatabase(), startReceiver()]);
    dataSource = await new DataSource(dataSourceOptions(database.url, 1, await loadTables())).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await Promise.all([database.drop(), receiver.close()]);
  });

  const start = () => {
    const TENANTS = JSON.stringify([{ id: ID, name: 'A', api_keys: [{ key: KEY }] }]);
    return startApp({ ...RECEIVER_ENV, TENANTS }, { database });
  };
  const usageOf = async (http: Http) => {
    const [now, history] = await Promise.all(
      ['', '/history'].map(async (path) => (await http.get(`/v1/usage/${ID}${path}`).expect(200)).body.data),
    );
    return { now, history };
  };

  it('count what was stored before them', async () => {
    const app = await start();
    const http = app.client(`Bearer ${KEY}`);
    const tenant: TestTenant = { id: ID, key: KEY, http };
    await http.post(`/v1/webhooks/${ID}`, { url: receiver.url('/all'), events: ['entry.created'] }).expect(201);
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    await createEntries(tenant, type, [{ fields: {} }, { fields: {} }, { fields: {} }]);
    const sizes = [await upload(app, tenant, await files.png()), await upload(app, tenant, await files.png())];
    const bytes = sizes.reduce((sum, { size }) => sum + size, 0);
    await until(async () => (await usageOf(http)).now.deliveries_24h === 3);
    // Events of files are counted too, but are in no column of the history.
    await until(async () => (await app.database.query('SELECT FROM pending_events')).length === 0);
    const before = await usageOf(http);
    expect(before.now).toMatchObject({ entries: 3, media_bytes: bytes, deliveries_24h: 3 });
    const days = () => database.query('SELECT type, events FROM event_days ORDER BY type');
    const daysBefore = await days();
    expect(daysBefore).toContainEqual({ type: 'entry.created', events: '3' });
    await app.close();

    const hasCounters = async () =>
      (
        await database.query(
          `SELECT FROM information_schema.columns WHERE table_name = 'media_counts' AND column_name = 'bytes'`,
        )
      ).length > 0;
    while (await hasCounters()) await dataSource.undoLastMigration();
    await dataSource.runMigrations({ transaction: 'each' });
    expect(await days()).toEqual(daysBefore);
    const upgraded = await start();
    expect(await usageOf(upgraded.client(`Bearer ${KEY}`))).toEqual(before);
    await upgraded.close();
  });
});
