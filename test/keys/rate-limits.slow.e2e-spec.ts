import { randomBytes, randomInt } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Controller, Get, Module } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RequiresKey } from '../../src/access/access.js';
import { RateLimitStorage } from '../../src/access/rate-limit-storage.js';
import { RateLimit } from '../../src/access/rate-limits.js';
import { LoggedOutage } from '../../src/redis/logged-outage.js';
import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import { makePerson, signIn } from '../support/people.js';
import { describeWithRedis, TEST_REDIS_URL } from '../support/redis.js';

const FIELDS = [{ name: 'message', type: 'textarea' }];

/** A random address, which is unlikely to be counted in Redis within the last minute. */
const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

async function createForm(tenant: TestTenant, name = 'Contact'): Promise<string> {
  const { body } = await tenant.http.post(`/v1/forms/${tenant.id}`, { name, fields: FIELDS }).expect(201);
  return `/v1/forms/${tenant.id}/${body.data.slug}/submissions`;
}

const visitor = (app: TestApp, address: string): Http => app.client(undefined, { 'X-Forwarded-For': address });

async function submit(app: TestApp, path: string, address: string): Promise<number> {
  const { status } = await visitor(app, address).post(path, { fields: { message: 'hello' } });
  return status;
}

async function statuses(times: number, send: () => Promise<number>): Promise<number[]> {
  const found: number[] = [];
  for (let time = 0; time < times; time++) found.push(await send());
  return found;
}

const TEN = Array.from({ length: 10 }, () => 201);

@Controller('v1/limited/:tenant_id')
class LimitedController {
  @Get('by-key')
  @RequiresKey('content', 'read')
  @RateLimit({ per: 'key', name: 'limited', limit: 2, window: 'hour' })
  byKey(): string {
    return 'read';
  }

  @Get('by-tenant')
  @RequiresKey('content', 'read')
  @RateLimit({ per: 'tenant', name: 'limited', limit: 4, window: 'day' })
  @RateLimit({ per: 'key', name: 'limited-too', limit: 3, window: 'minute' })
  byTenant(): string {
    return 'read';
  }
}

@Module({ controllers: [LimitedController] })
class LimitedModule {}

describe('the limits of a route', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({}, { modules: [{ module: LimitedModule }] });
  });
  afterAll(() => app.close());

  const read = (tenant: TestTenant, route: string, key = tenant.key) =>
    readAs(app.client(`Bearer ${key}`), tenant, route);
  const readAs = async (client: Http, tenant: TestTenant, route: string): Promise<object> => {
    const { status, body, headers } = await client.get(`/v1/limited/${tenant.id}/${route}`);
    if (status !== 429) return { status };
    return { status, limit: body.limit, maximum: body.maximum, detail: body.detail, seconds: headers['retry-after'] };
  };
  const refused = (maximum: number, window: string) => ({
    status: 429,
    limit: `requests_per_${window}`,
    maximum,
    detail: `The limit of ${maximum} requests per ${window} was exceeded.`,
  });

  it('count each key apart, and tell their window and when it ends', async () => {
    const tenant = app.tenant();
    for (const key of [tenant.key, tenant.publishedKey ?? '']) {
      expect([await read(tenant, 'by-key', key), await read(tenant, 'by-key', key)]).toEqual([
        { status: 200 },
        { status: 200 },
      ]);
      const third = await read(tenant, 'by-key', key);
      expect(third).toMatchObject(refused(2, 'hour'));
      expect(Number((third as { seconds: string }).seconds)).toBeGreaterThan(3_500);
    }
  });

  it('count the sessions of a person as one key', async () => {
    const tenant = app.tenant();
    const [ada, ben] = [await makePerson(app, [tenant.id]), await makePerson(app, [tenant.id])];
    const [first, second, other] = [await signIn(app, ada), await signIn(app, ada), await signIn(app, ben)];
    expect(await readAs(first.http, tenant, 'by-key')).toEqual({ status: 200 });
    expect(await readAs(second.http, tenant, 'by-key')).toEqual({ status: 200 });
    expect(await readAs(first.http, tenant, 'by-key')).toMatchObject(refused(2, 'hour'));
    expect(await readAs(other.http, tenant, 'by-key')).toEqual({ status: 200 });
    expect(await readAs(other.http, tenant, 'by-tenant')).toEqual({ status: 200 });
  });

  it('count all keys of a tenant together, beside other limits of the route', async () => {
    const [tenant, other] = [app.tenant(), app.tenant()];
    for (let time = 0; time < 3; time++) expect(await read(tenant, 'by-tenant')).toEqual({ status: 200 });
    expect(await read(tenant, 'by-tenant')).toMatchObject(refused(3, 'minute'));
    expect(await read(tenant, 'by-tenant', tenant.publishedKey)).toMatchObject(refused(4, 'day'));
    expect(await read(other, 'by-tenant')).toEqual({ status: 200 });
  });
});

describe('the limit of submissions', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let form: string;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    tenant = app.tenant();
    form = await createForm(tenant);
  });

  it('is ten a minute for each address, and the eleventh gets Retry-After', async () => {
    const address = newAddress();
    expect(await statuses(10, () => submit(app, form, address))).toEqual(TEN);
    const { body, headers } = await visitor(app, address).post(form, { fields: {} }).expect(429);
    expect(body).toMatchObject({ code: 'rate_limited', status: 429, limit: 'requests_per_minute', maximum: 10 });
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    // A page of another origin may read the response.
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-expose-headers']).toContain('Retry-After');
    expect(await submit(app, form, newAddress())).toBe(201);
    const { body: list } = await tenant.http.get(`/v1/forms/${tenant.id}`).expect(200);
    expect(list.data[0].submission_count).toBe(11);
  });

  it('is one limit over all forms of all tenants', async () => {
    const address = newAddress();
    const other = await createForm(app.tenant(), 'Other');
    await statuses(5, () => submit(app, form, address));
    await statuses(5, () => submit(app, other, address));
    expect([await submit(app, form, address), await submit(app, other, address)]).toEqual([429, 429]);
  });

  it('counts failed requests of every kind', async () => {
    const address = newAddress();
    const http = visitor(app, address);
    await http.post(form, {}).expect(422);
    await http.post(form, { fields: { nope: 'x' } }).expect(422);
    await http.post(form).set('Content-Type', 'text/plain').send('x').expect(415);
    await http.post(form).set('Content-Type', 'application/json').send('{').expect(400);
    await http.post(`${form}?nope=1`, { fields: {} }).expect(400);
    await http.post(`/v1/forms/${tenant.id}/nope/submissions`, { fields: {} }).expect(404);
    await http.post('/v1/forms/ten_nobody/nope/submissions', { fields: {} }).expect(404);
    expect(await statuses(4, () => submit(app, form, address))).toEqual([201, 201, 201, 429]);
  });

  it('does not count preflights', async () => {
    const address = newAddress();
    for (let time = 0; time < 15; time++) {
      const { status } = await fetch(app.url + form, {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://acme.example',
          'Access-Control-Request-Method': 'POST',
          'X-Forwarded-For': address,
        },
      });
      expect(status).toBe(204);
    }
    expect(await submit(app, form, address)).toBe(201);
  });

  it('is not raised by a key, a header or another notation of the address', async () => {
    const address = newAddress();
    await statuses(10, () => submit(app, form, address));
    const send = (headers: Record<string, string>) =>
      app.client(`Bearer ${tenant.key}`, headers).post(form, { fields: {} }).expect(429);
    await send({ 'X-Forwarded-For': address });
    await send({ 'X-Forwarded-For': `::ffff:${address}` });
    await send({ 'X-Forwarded-For': `1.2.3.4, ${address}` });
    await send({
      'X-Forwarded-For': address,
      'X-Real-IP': '1.2.3.4',
      Forwarded: 'for=1.2.3.4',
      'CF-Connecting-IP': '1.2.3.4',
    });
  });

  it('counts an IPv6 client by its /64', async () => {
    const network = `2001:db8:${randomInt(65536).toString(16)}:${randomInt(65536).toString(16)}`;
    let host = 0;
    expect(await statuses(10, () => submit(app, form, `${network}:${(++host).toString(16)}::1`))).toEqual(TEN);
    expect(await submit(app, form, `${network}:ffff:ffff:ffff:ffff`)).toBe(429);
    expect(await submit(app, form, `2001:db8:${randomInt(65536).toString(16)}:1::1`)).toBe(201);
  });

  it('ignores X-Forwarded-For if no proxy is configured', async () => {
    const alone = await startApp({ TRUST_PROXY: '0' });
    const path = await createForm(alone.tenant());
    expect(await statuses(10, () => submit(alone, path, newAddress()))).toEqual(TEN);
    expect(await submit(alone, path, newAddress())).toBe(429);
    await alone.close();
  });

  it('trusts exactly the configured number of proxies', async () => {
    const behindTwo = await startApp({ TRUST_PROXY: '2' });
    const path = await createForm(behindTwo.tenant());
    const address = newAddress();
    const found = await statuses(10, () => submit(behindTwo, path, `${newAddress()}, ${address}, 10.0.0.1`));
    expect(found).toEqual(TEN);
    expect(await submit(behindTwo, path, `${newAddress()}, ${address}, 10.0.0.1`)).toBe(429);
    expect(await submit(behindTwo, path, `${address}, ${newAddress()}, 10.0.0.1`)).toBe(201);
    await behindTwo.close();
  });

  it('holds for simultaneous requests', async () => {
    const address = newAddress();
    const found = await Promise.all(Array.from({ length: 30 }, () => submit(app, form, address)));
    expect(found.filter((status) => status === 201)).toHaveLength(10);
    expect(found.filter((status) => status === 429)).toHaveLength(20);
  });
});

describeWithRedis('limits that share a Redis', () => {
  it('count the submissions of two processes together', async () => {
    const first = await startApp({ REDIS_URL: TEST_REDIS_URL });
    const second = await startApp({ REDIS_URL: TEST_REDIS_URL });
    const forms = { first: await createForm(first.tenant()), second: await createForm(second.tenant()) };
    const address = newAddress();
    expect(await statuses(5, () => submit(first, forms.first, address))).toEqual(TEN.slice(5));
    expect(await statuses(5, () => submit(second, forms.second, address))).toEqual(TEN.slice(5));
    expect([await submit(first, forms.first, address), await submit(second, forms.second, address)]).toEqual([
      429, 429,
    ]);
    await first.close();
    await second.close();
  });

  it('count failed authentication and each key together', async () => {
    const key = `key-${randomBytes(8).toString('hex')}`;
    const tenants = JSON.stringify([{ id: 'ten_limited', name: 'Limited', rate_limit: 4, api_keys: [{ key }] }]);
    const env = { REDIS_URL: TEST_REDIS_URL, TENANTS: tenants };
    const apps = [await startApp(env), await startApp(env)] as const;
    const types = '/v1/content/ten_limited/types';
    const address = newAddress();

    const failed: number[] = [];
    for (let time = 0; time < 21; time++) {
      failed.push((await visitor(apps[time % 2 === 0 ? 0 : 1], address).get(types)).status);
    }
    expect(failed).toEqual([...Array.from({ length: 20 }, () => 401), 429]);

    const withKey: number[] = [];
    for (let time = 0; time < 5; time++) {
      withKey.push((await apps[time % 2 === 0 ? 0 : 1].client(`Bearer ${key}`).get(types)).status);
    }
    expect(withKey).toEqual([200, 200, 200, 200, 429]);
    for (const app of apps) await app.close();
  });

  it('start again after the window, at the announced time', async () => {
    const app = await startApp({ REDIS_URL: TEST_REDIS_URL });
    const storage = new RateLimitStorage(app.config, new LoggedOutage({ log: () => undefined, warn: () => undefined }));
    const name = `test:${randomBytes(8).toString('hex')}`;
    // The connection to Redis needs a moment.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const hits = async () => (await storage.increment(name, 1000, 2)).totalHits;
    expect([await hits(), await hits()]).toEqual([1, 2]);
    expect(await storage.increment(name, 1000, 2)).toMatchObject({ totalHits: 3, isBlocked: true, timeToExpire: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await hits()).toBe(1);
    const redis = new Redis(TEST_REDIS_URL);
    expect(await redis.pttl(`trivet:rate:${name}`)).toBeGreaterThan(0);
    await redis.quit();
    storage.onApplicationShutdown();
    await app.close();
  });
});

describe('limits with an unreachable Redis', () => {
  it('are counted in the process, and the service starts and works', async () => {
    const app = await startApp({ REDIS_URL: 'redis://127.0.0.1:1' });
    const form = await createForm(app.tenant());
    const address = newAddress();
    expect(await statuses(10, () => submit(app, form, address))).toEqual(TEN);
    expect(await submit(app, form, address)).toBe(429);
    await app.close();
  });

  it('are counted in the process when Redis accepts connections and does not respond', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const app = await startApp({ REDIS_URL: `redis://127.0.0.1:${port}` });
    const form = await createForm(app.tenant());
    const started = Date.now();
    expect(await submit(app, form, newAddress())).toBe(201);
    expect(Date.now() - started).toBeLessThan(3000);
    await app.close();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});
