import { startApp, type Http, type TestApp, type TestTenant } from '../support/app.js';

const BODY = { fields: { name: 'Ada' } };

describe('submissions that a server sends for its visitors', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let path: string;
  let addresses = 0;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(async () => {
    tenant = app.tenant();
    const form = { name: 'Contact', fields: [{ name: 'name', type: 'text' }] };
    await tenant.http.post(`/v1/forms/${tenant.id}`, form).expect(201);
    path = `/v1/forms/${tenant.id}/contact/submissions`;
  });
  afterAll(() => app.close());

  const newAddress = () => `10.7.${++addresses >> 8}.${addresses & 255}`;

  /** A server with this key, at one address, that sends the request for a visitor. */
  function server(key: string | undefined, visitor: string, own = newAddress()): Http {
    const authorization = key === undefined ? undefined : `Bearer ${key}`;
    return app.client(authorization, { 'X-Forwarded-For': own, 'Trivet-Client-Address': visitor });
  }

  async function keyWith(...scopes: string[]): Promise<string> {
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: scopes.join(), scopes }).expect(201);
    return body.data.key as string;
  }

  it('count for the address of the visitor that the server tells, and not for its own', async () => {
    const own = newAddress();
    const key = await keyWith('forms:write');
    for (let i = 0; i < 12; i++) await server(key, newAddress(), own).post(path, BODY).expect(201);
    const visitor = newAddress();
    for (let i = 0; i < 10; i++) await server(key, visitor, own).post(path, BODY).expect(201);
    await server(key, visitor, own).post(path, BODY).expect(429);
    // The same visitor without the server.
    await app.client(undefined, { 'X-Forwarded-For': visitor }).post(path, BODY).expect(429);
    await app.client(undefined, { 'X-Forwarded-For': own }).post(path, BODY).expect(201);
  });

  it('count for the /64 of a visitor with IPv6', async () => {
    const key = await keyWith('forms:write');
    for (let i = 0; i < 10; i++) await server(key, `2001:db8:7:7::${i}`).post(path, BODY).expect(201);
    await server(key, '2001:db8:7:7::ffff').post(path, BODY).expect(429);
    await server(key, '2001:db8:7:8::1').post(path, BODY).expect(201);
  });

  it('need a key of the tenant that may write forms', async () => {
    await server(undefined, '192.0.2.1').post(path, BODY).expect(401);
    await server('tvt_unknown', '192.0.2.1').post(path, BODY).expect(401);
    for (const scopes of [['forms:read'], ['content:write'], ['content:read:published']]) {
      const { body } = await server(await keyWith(...scopes), '192.0.2.1')
        .post(path, BODY)
        .expect(403);
      expect(body.code).toBe('forbidden');
    }
    await server(app.tenant().key, '192.0.2.1').post(path, BODY).expect(403);
    await server(tenant.key, '192.0.2.1').post(path, BODY).expect(201);
  });

  it('are refused with anything but one address', async () => {
    for (const visitor of ['', 'visitor', '192.0.2.1, 192.0.2.2', '192.0.2.1:80', '192.0.2.300', '[2001:db8::1]']) {
      const { body } = await server(tenant.key, visitor).post(path, BODY).expect(400);
      expect([body.code, body.errors[0].path]).toEqual(['invalid_parameter', 'Trivet-Client-Address']);
    }
  });

  it('are kept once for an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const first = await server(tenant.key, newAddress()).post(path, BODY).set(headers).expect(201);
    const again = await server(tenant.key, newAddress()).post(path, BODY).set(headers).expect(201);
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
  });
});
