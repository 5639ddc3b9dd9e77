import { startApp, type TestApp } from '../support/app.js';
import { createType } from '../support/content.js';

describe('an import', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('lists at most 100 errors of a header, in a time that grows with its length', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    const unknown = Array.from({ length: 120_000 }, (_, index) => `c${index}`);
    const send = (columns: readonly string[]) =>
      tenant.http.post(`${type.entries}/import`).set('Content-Type', 'text/csv').send(`${columns.join()}\n`);
    for (const columns of [unknown, Array<string>(150_000).fill('title')]) {
      expect((await send(columns).expect(422)).body.errors).toHaveLength(100);
    }
    await send(Array<string>(1_000_000).fill('')).expect(400);
  });

  it('reports a line of CSV that is not UTF-8 as malformed CSV', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    const answer = await fetch(`${app.url}${type.entries}/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'text/csv' },
      body: Buffer.from([...Buffer.from('title\n'), 0xff, 0xfe]),
    });
    const [line] = (await answer.text()).split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({ line: 2, problem: { code: 'malformed_csv' } });
  });
});
