import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { build, Service } from '../support/service.js';
import { until } from '../support/until.js';

describe('a cluster of two processes', () => {
  let database: TestDatabase;
  let dataDir: string;
  let service: Service;
  let url: string;

  beforeAll(async () => {
    await build();
    database = await createDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'trivet-cluster-'));
    service = new Service({
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      WEB_CONCURRENCY: '2',
      TENANTS: '[{"id":"ten_a","name":"A","api_keys":[{"key":"a-key"}]}]',
    });
    url = await service.url();
  }, 360_000);
  afterAll(async () => {
    const { code } = await service.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
    expect(code).toBe(0);
  });

  const types = '/v1/content/ten_a/types';
  const key = { Authorization: 'Bearer a-key' };

  it('counts failed authentications of all processes together', async () => {
    const answers: number[] = [];
    for (let count = 0; count < 24; count++) answers.push((await request(url).get(types)).status);
    expect(answers).toEqual([...Array<number>(20).fill(401), ...Array<number>(4).fill(429)]);
  });

  it('returns the metrics of all processes from any of them', async () => {
    const counted = async (): Promise<number> => {
      const { text } = await request(url).get('/metrics').expect(200);
      return Number(
        /^http_request_duration_seconds_count\{[^}]*route="\/health\/live"[^}]*\} (\d+)$/m.exec(text)?.[1] ?? 0,
      );
    };
    const before = await counted();
    for (let count = 0; count < 10; count++) await request(url).get('/health/live').expect(200);
    // A request is counted when the server has finished it, which may be after its response arrived.
    await until(async () => (await counted()) >= before + 10);
    const after = [await counted(), await counted(), await counted()];
    expect(after).toEqual(Array<number>(3).fill(before + 10));
  });

  it('does not add up what all processes read from the tables', async () => {
    await database.query(
      `INSERT INTO mails (tenant_id, submission_id, form_id, recipient, status, attempts, next_attempt_at, created_at)
        VALUES ('ten_a', gen_random_uuid(), gen_random_uuid(), 'a@example.com', 'pending', 0, now() + interval '1 day', now())`,
    );
    const scrape = async () => (await request(url).get('/metrics').expect(200)).text;
    const pending = async () => (await scrape()).match(/^trivet_mails_pending .*$/gm);
    // Each process reads the tables anew after a few seconds.
    await until(async () => {
      const scrapes = [await pending(), await pending(), await pending()];
      for (const lines of scrapes) expect(lines?.[0]).toMatch(/ [01]$/);
      return scrapes.every((lines) => lines?.length === 1 && lines[0] === 'trivet_mails_pending 1');
    });
    const text = await scrape();
    expect(text).toMatch(/^trivet_images_running\{lane="drawing"\} 0$/m);
  });

  it('never responds by a schema that another process has changed', async () => {
    const created = await request(url)
      .post(types)
      .set(key)
      .send({ name: 'A', fields: [{ name: 'n', type: 'number' }] });
    const path = `${types}/${created.body.data.id}`;
    for (let round = 0; round < 6; round++) {
      const name = `field${round}`;
      await request(url)
        .put(path)
        .set(key)
        .send({ fields: [{ name, type: 'text' }] })
        .expect(200);
      const answers = await Promise.all(
        Array.from({ length: 6 }, () =>
          request(url)
            .post(`${path}/entries`)
            .set(key)
            .send({ fields: { [name]: 'x' } }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array<number>(6).fill(201));
      const lists = await Promise.all(
        Array.from({ length: 4 }, () => request(url).get(`${path}/entries?filter[${name}]=x&sort=${name}`).set(key)),
      );
      expect(lists.map(({ body }) => body.meta?.total)).toEqual(Array<number>(4).fill(6));
    }
  });
});
