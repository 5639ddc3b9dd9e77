import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { newSecretText } from '../../src/access/secrets/secret-text.js';
import { KeyCache } from '../../src/keys/key-cache.js';
import { type Http, startApp, type TestApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { describeWithRedis, TEST_REDIS_URL } from '../support/redis.js';
import { expectServerErrors } from '../support/server-errors.js';
import { build, Service } from '../support/service.js';
import { until } from '../support/until.js';
import { Wire } from '../support/wire.js';

const TENANT = 'ten_keys';
const TENANTS = JSON.stringify([
  {
    id: TENANT,
    name: 'Keys',
    api_keys: [
      { name: 'root', key: 'root-key' },
      { name: 'other', key: 'other-key' },
    ],
  },
]);
const KEYS = `/v1/keys/${TENANT}`;
const FORMS = `/v1/forms/${TENANT}`;
/** Refused with 400 after the key was accepted, without a look into the database. */
const APART = `${FORMS}?nope=1`;

interface Made {
  id: string;
  key: string;
}

async function make(http: Http, body: object = {}): Promise<Made> {
  const answer = await http.post(KEYS, { name: 'A key', scopes: ['*'], ...body }).expect(201);
  return (answer.body as { data: Made }).data;
}

/** Tests of two processes with one database. */
function ofTwoProcesses(env: Record<string, string>, deaf = false): void {
  let database: TestDatabase;
  let wire: Wire;
  let apps: TestApp[];
  beforeAll(async () => {
    database = await createDatabase();
    wire = await Wire.to(database.url, { deaf });
    const url = wire.urlOf(database.url);
    const start = () => startApp({ TENANTS, ...env, DATABASE_URL: url }, { database: { ...database, url } });
    apps = [await start(), await start()];
  });
  afterAll(async () => {
    wire.restore();
    for (const app of apps) await app.close();
    wire.close();
    await database.drop();
  });

  const http = (process: number, key = 'root-key') => apps[process]!.client(`Bearer ${key}`);
  const statusOf = async (process: number, { key }: Made) => (await http(process, key).get(FORMS)).status;

  it('a new key works at once in both, and a revoked one in neither', async () => {
    for (const [here, there] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const made = await make(http(here));
      expect(await statusOf(there, made)).toBe(200);
      expect(await statusOf(here, made)).toBe(200);
      const child = await make(http(there, made.key));
      expect(await statusOf(here, child)).toBe(200);
      const revokedAt = Date.now();
      await http(here).delete(`${KEYS}/${made.id}`).expect(200);
      expect(await statusOf(here, child)).toBe(401);
      await until(async () => (await statusOf(there, made)) === 401 && (await statusOf(there, child)) === 401);
      // Half a second for the interval. The rest is for a busy machine.
      expect(Date.now() - revokedAt).toBeLessThan(5_000);
    }
  });

  it('a key that is used again and again is refused in both when it is revoked', async () => {
    const made = await make(http(0));
    let refusals = 0;
    const use = async (process: number) => {
      while ((await statusOf(process, made)) === 200);
      refusals++;
    };
    const uses = [0, 1, 0, 1].map(use);
    await http(1).delete(`${KEYS}/${made.id}`).expect(200);
    await Promise.all(uses);
    expect(refusals).toBe(4);
  });

  it('a process whose connection is lost follows when it is back', async () => {
    expectServerErrors(500, 503);
    const [stays, goes] = [await make(http(0)), await make(http(0))];
    expect([await statusOf(1, stays), await statusOf(1, goes)]).toEqual([200, 200]);
    wire.cut();
    await database.query(`DELETE FROM api_keys WHERE name = 'A key' AND id = $1`, [await uuidOf(goes)]);
    await database.query('UPDATE access_versions SET version = version + 1');
    wire.restore();
    await until(async () => (await statusOf(1, goes)) === 401 && (await statusOf(0, goes)) === 401);
    await until(async () => (await statusOf(1, stays)) === 200 && (await statusOf(0, stays)) === 200);
  });

  const uuidOf = async ({ key }: Made): Promise<string> => {
    const [row] = await database.query<{ id: string }>(
      `SELECT id FROM api_keys WHERE hash = sha256(convert_to($1, 'UTF8'))`,
      [key],
    );
    return row?.id ?? '';
  };
}

describe('with two processes', () => {
  ofTwoProcesses({});
});

describe('with two processes and a pooler that loses notifications', () => {
  ofTwoProcesses({}, true);
});

describeWithRedis('with two processes and Redis', () => {
  ofTwoProcesses({ REDIS_URL: TEST_REDIS_URL });
});

describe('while the database is away', () => {
  let database: TestDatabase;
  let wire: Wire;
  let app: TestApp;
  beforeAll(async () => {
    database = await createDatabase();
    wire = await Wire.to(database.url);
    const url = wire.urlOf(database.url);
    app = await startApp({ TENANTS, DATABASE_URL: url }, { database: { ...database, url } });
  });
  afterAll(async () => {
    wire.restore();
    await app.close();
    wire.close();
    await database.drop();
  });
  afterEach(() => wire.restore());

  const http = (key = 'root-key') => app.client(`Bearer ${key}`);

  it.each(['cut', 'silence'] as const)(
    'keys over the API work for ten seconds and are then refused with 503, and keys of the configuration go on (%s)',
    async (outage) => {
      expectServerErrors(500, 503);
      const { key } = await make(http());
      await http(key).get(APART).expect(400);
      const unused = await make(http());
      wire[outage]();
      await http(key).get(APART).expect(400);
      await http(unused.key).get(APART).expect(400);
      const { body } = await until(async () => {
        const answer = await http(key).get(APART);
        expect([400, 503]).toContain(answer.status);
        return answer.status === 503 && answer;
      }, 30_000);
      expect(body).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('cannot be checked') });
      await http().get(APART).expect(400);
      await http('unknown').get(APART).expect(401);
      // Nobody knows whether this key was made meanwhile.
      await http(newSecretText('tvk_')).get(APART).expect(503);
      wire.restore();
      await until(async () => (await http(key).get(FORMS)).status === 200);
      await http(unused.key).get(FORMS).expect(200);
    },
    60_000,
  );
});

describe('a key of the configuration that is removed', () => {
  it('takes the keys that it made with it, also if another one gets its name', async () => {
    const database = await createDatabase();
    const configured = (...api_keys: object[]) => JSON.stringify([{ id: TENANT, name: 'Keys', api_keys }]);
    const [root, other] = [
      { name: 'root', key: 'root-key' },
      { name: 'other', key: 'other-key' },
    ];
    const before = await startApp({ TENANTS: configured(root, other) }, { database });
    const ofRoot = await make(before.client('Bearer root-key'));
    const second = await make(before.client(`Bearer ${ofRoot.key}`));
    const ofOther = await make(before.client('Bearer other-key'));
    await before.close();
    const after = await startApp({ TENANTS: configured({ ...root, key: 'new-key' }, other) }, { database });
    try {
      for (const { key } of [ofRoot, second]) await after.client(`Bearer ${key}`).get(FORMS).expect(401);
      await after.client(`Bearer ${ofOther.key}`).get(FORMS).expect(200);
      const { body } = await after.client('Bearer new-key').get(KEYS).expect(200);
      expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['A key', 'root', 'other']);
    } finally {
      await after.close();
      await database.drop();
    }
  });
});

describe('100,000 keys', () => {
  it('take less than 50 MB of memory', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `ten_many${index}`);
    const tenants = ids.map((id) => ({ id, name: id, api_keys: [{ name: 'root', key: `root-${id}` }] }));
    const app = await startApp({ TENANTS: JSON.stringify(tenants) });
    try {
      for (const id of ids) {
        const body = { name: 'A key', scopes: ['read'] };
        await app.client(`Bearer root-${id}`).post(`/v1/keys/${id}`, body).expect(201);
      }
      const before = heapUsed();
      await app.database.query(
        `INSERT INTO api_keys SELECT tenant_id, gen_random_uuid(), sha256(concat(tenant_id, ' ', n)::bytea), concat('key ', n), scopes,
            created_by, root, now(), NULL FROM api_keys, generate_series(1, 999) n`,
      );
      await app.database.query('UPDATE access_versions SET version = version + 1');
      const known = app.get(KeyCache);
      await until(() => Promise.resolve(known.size === 100_000), 60_000);
      expect(heapUsed() - before).toBeLessThan(50_000_000);
    } finally {
      await app.close();
    }
  }, 120_000);
});

/** In bytes, after a garbage collection. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe('a cluster of two processes', () => {
  it('knows new and revoked keys in both', async () => {
    await build();
    const database = await createDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'trivet-keys-'));
    const service = new Service({ DATA_DIR: dataDir, DATABASE_URL: database.url, WEB_CONCURRENCY: '2', TENANTS });
    try {
      const url = await service.url();
      // Each request has a connection of its own, which either process may accept.
      const send = (method: string, path: string, key: string, body?: object) =>
        fetch(url + path, {
          method,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
          ...(body && { body: JSON.stringify(body) }),
        });
      const statuses = async (key: string) =>
        Promise.all(Array.from({ length: 12 }, async () => (await send('GET', FORMS, key)).status));
      const answer = await send('POST', KEYS, 'root-key', { name: randomUUID(), scopes: ['read'] });
      const { data } = (await answer.json()) as { data: Made };
      expect(new Set(await statuses(data.key))).toEqual(new Set([200]));
      expect((await send('DELETE', `${KEYS}/${data.id}`, 'root-key')).status).toBe(200);
      await until(async () => (await statuses(data.key)).every((status) => status === 401 || status === 429));
    } finally {
      await service.stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    }
  }, 120_000);
});
