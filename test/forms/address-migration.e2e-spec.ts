import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { textKey } from '../../src/fields/sort-key.js';
import { ErasureTimes } from '../../src/forms/retention/erasure-times.js';
import { hashedUuid } from '../../src/ids/hashed-uuid.js';
import { parseId } from '../../src/ids/type-id.js';
import { startApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { submit } from '../support/notified-form.js';
import { expectServerErrors } from '../support/server-errors.js';
import { loadTables } from '../support/tables.js';
import { until } from '../support/until.js';

const ID = 'ten_upgraded';
const KEY = 'tvt_key_of_an_upgraded_tenant';
const SPELLINGS = [
  'info@münchen.example',
  'Info@xn--mnchen-3ya.example',
  'info@mu\u0308nchen.example',
  '"info"@münchen.example',
];

describe('the migration of the spellings of addresses', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createDatabase();
    dataSource = await new DataSource(dataSourceOptions(database.url, 1, await loadTables())).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const start = () => {
    const TENANTS = JSON.stringify([{ id: ID, name: 'A', api_keys: [{ key: KEY }] }]);
    return startApp({ TENANTS }, { database });
  };

  it('lets erasures and filters find the spellings that were stored before it', async () => {
    const app = await start();
    const http = app.client(`Bearer ${KEY}`);
    const fields = [
      { name: 'email', type: 'email' },
      { name: 'former', type: 'email' },
      { name: 'text', type: 'text' },
    ];
    const { body } = await http.post(`/v1/forms/${ID}`, { name: 'Contact', fields }).expect(201);
    const form = `/v1/forms/${ID}/${body.data.id}`;
    const path = `${form}/submissions`;
    const written: [id: string, email: string][] = [];
    for (const email of SPELLINGS) written.push([await submit(app, { path }, { email }), email]);
    const former = await submit(app, { path }, { former: SPELLINGS[1], email: 'bob@example.com' });
    const text = await submit(app, { path }, { text: SPELLINGS[1], email: 'bob@example.com' });
    await http.patch(form, { fields: [fields[0], fields[2]] }).expect(200);
    await app.close();

    for (const [id, email] of [...written, [former, SPELLINGS[1] ?? '']] as const) {
      const hash = hashedUuid(JSON.stringify([ID, email.trim().toLowerCase()]));
      await database.query('UPDATE submissions SET addresses = $2::uuid[] WHERE id = $1', [
        parseId('sub', id),
        `{${hash}}`,
      ]);
    }
    for (const [id, email] of written) {
      const { key, discriminator } = textKey(email);
      await database.query(
        `UPDATE submission_values SET sort_key = $2, discriminator = $3 WHERE submission_id = $1 AND field = 'email'`,
        [parseId('sub', id), key, discriminator],
      );
    }
    const isBefore = async () =>
      (await database.query(`SELECT FROM migrations WHERE name LIKE 'AddressSpellings%'`)).length === 0;
    while (!(await isBefore())) await dataSource.undoLastMigration();
    await dataSource.runMigrations({ transaction: 'each' });

    // Lists by the field are answered with 503 until it is indexed again.
    expectServerErrors(503);
    const upgraded = await start();
    upgraded.get(ErasureTimes).late = 1_500;
    const client = upgraded.client(`Bearer ${KEY}`);
    const spelled = written.map(([id]) => id).sort();
    for (const email of SPELLINGS) {
      const found = await until(async () => {
        const response = await client.get(`${path}?filter[email]=${encodeURIComponent(email)}`);
        return response.status === 200 && (response.body.data as { id: string }[]);
      });
      expect(found.map(({ id }) => id).sort()).toEqual(spelled);
    }
    const { body: erasure } = await client.post(`/v1/forms/${ID}/erasures`, { email: SPELLINGS[0] }).expect(202);
    await until(
      async () => (await client.get(`/v1/forms/${ID}/erasures/${erasure.data.id}`)).body.data.state === 'done',
      120_000,
    );
    const { body: left } = await client.get(path).expect(200);
    expect(left.data.map(({ id }: { id: string }) => id)).toEqual([text]);
    await upgraded.close();
  }, 240_000);
});
