import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { Assistant } from '../support/assistant.js';
import { createType } from '../support/content.js';
import { makePerson, signIn } from '../support/people.js';

const ACCEPT = 'application/json, text/event-stream';
const MANY = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1]));
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('the endpoint of assistants', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const send = (tenant: TestTenant, body: string | object, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/mcp/${tenant.id}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: {
        Authorization: `Bearer ${tenant.key}`,
        'Content-Type': 'application/json',
        Accept: ACCEPT,
        ...headers,
      },
    });
  const answer = async (response: Response) => [response.status, JSON.parse(await response.text())] as const;

  it('answers 401 without a key, and 403 to the key of another tenant', async () => {
    const [mine, other] = [app.tenant(), app.tenant()];
    const [status, body] = await answer(await send(mine, PING, { Authorization: '' }));
    expect([status, body.code, body.type]).toEqual([401, 'unauthorized', '/problems/unauthorized']);
    const [forbidden, problem] = await answer(await send(mine, PING, { Authorization: `Bearer ${other.key}` }));
    expect([forbidden, problem.code]).toEqual([403, 'forbidden']);
  });

  it('accepts no session', async () => {
    const tenant = app.tenant();
    const { cookie } = await signIn(app, await makePerson(app, [tenant.id]));
    const headers = {
      Cookie: cookie,
      'X-Trivet-Console': '1',
      Origin: app.publicUrl,
      'Content-Type': 'application/json',
      Accept: ACCEPT,
    };
    const response = await fetch(`${app.url}/mcp/${tenant.id}`, {
      method: 'POST',
      body: JSON.stringify(PING),
      headers,
    });
    expect(response.status).toBe(401);
  });

  it('has no sessions and no streams, so that other methods are 405', async () => {
    const tenant = app.tenant();
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await fetch(`${app.url}/mcp/${tenant.id}`, { method, headers: { Accept: 'text/event-stream' } });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
    const initialize = {
      ...PING,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    const response = await send(tenant, initialize);
    expect(response.headers.has('mcp-session-id')).toBe(false);
    const [, { result }] = await answer(response);
    expect(result).toMatchObject({ protocolVersion: '2025-06-18', capabilities: { tools: {}, resources: {} } });
    expect(result.capabilities.prompts).toBeUndefined();
    const initialized = await send(tenant, { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([initialized.status, await initialized.text()]).toEqual([202, '']);
  });

  it.each([
    ['text', 'garbage', -32_700],
    ['JSON that ends too early', '{"jsonrpc": "2.0"', -32_700],
    ['deep JSON', '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000), -32_700],
    ['a deep list', '['.repeat(100_000), -32_600],
    ['null', 'null', -32_700],
    ['a batch', [PING, PING], -32_600],
    ['an empty batch', [], -32_600],
    ['another object', {}, -32_600],
    ['another version', { ...PING, jsonrpc: '1.0' }, -32_600],
    ['no method', { jsonrpc: '2.0', id: 1 }, -32_600],
    ['an ID that is an object', { ...PING, id: {} }, -32_600],
    ['an ID that is no integer', { ...PING, id: 1.5 }, -32_600],
    ['a very long ID', { ...PING, id: 'x'.repeat(256) }, -32_600],
  ])('answers an error of JSON-RPC to %s', async (_name, body, code) => {
    const [status, { error, id }] = await answer(await send(app.tenant(), body));
    expect([status, error.code, id]).toEqual([400, code, null]);
    expect(error.message).toMatch(/\w+ \w+/);
  });

  it.each([
    ['an unknown method', { method: 'tools/nope' }, -32_601],
    ['prompts', { method: 'prompts/list' }, -32_601],
    ['a call without a name', { method: 'tools/call', params: {} }, -32_602],
    ['arguments that are a list', { method: 'tools/call', params: { name: 'list_forms', arguments: [] } }, -32_602],
    ['very many arguments', { method: 'tools/call', params: { name: 'list_forms', arguments: MANY } }, -32_602],
    ['an unknown tool', { method: 'tools/call', params: { name: '__proto__' } }, -32_602],
  ])('answers %s with an error under the ID of the request', async (_name, parts, code) => {
    const [status, { error, id }] = await answer(await send(app.tenant(), { ...PING, ...parts }));
    expect([status, error.code, id]).toEqual([200, code, 1]);
  });

  it('ignores the session, the key of idempotency and the position in a stream that a client sends', async () => {
    const tenant = app.tenant();
    await createType(tenant, [{ name: 'title', type: 'text' }]);
    const headers = { 'Mcp-Session-Id': 'x', 'Idempotency-Key': 'same', 'Last-Event-ID': '7' };
    const create = { name: 'create_entry', arguments: { content_type: 'article', fields: { title: 'New' } } };
    const ids = [];
    for (const id of ['x'.repeat(255), 2]) {
      const response = await send(tenant, { ...PING, id, method: 'tools/call', params: create }, headers);
      expect(response.headers.has('mcp-session-id')).toBe(false);
      const [status, body] = await answer(response);
      expect([status, body.id]).toEqual([200, id]);
      ids.push(body.result.structuredContent.data.id);
    }
    expect(new Set(ids).size).toBe(2);
  });

  it('carries out nothing that a notification asks for', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    const params = { name: 'create_entry', arguments: { content_type: 'article', fields: { title: 'New' } } };
    const response = await send(tenant, { jsonrpc: '2.0', method: 'tools/call', params });
    expect([response.status, await response.text()]).toEqual([202, '']);
    expect((await tenant.http.get(type.entries).expect(200)).body.data).toEqual([]);
  });

  it('refuses bodies, types and versions that it does not take', async () => {
    const tenant = app.tenant();
    expect((await send(tenant, PING, { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await send(tenant, PING, { Accept: 'application/json' })).status).toBe(406);
    expect((await send(tenant, PING, { 'MCP-Protocol-Version': '1999-01-01' })).status).toBe(400);
    expect((await send(tenant, `"${'x'.repeat(1_100_000)}"`)).status).toBe(413);
    expect((await send(tenant, PING, { 'MCP-Protocol-Version': '2025-11-25' })).status).toBe(200);
  });

  it('reads only what it uses of a message', async () => {
    const info = { name: 'test', version: '1', ...MANY };
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: { experimental: MANY },
      clientInfo: info,
      _meta: MANY,
    };
    expect((await send(app.tenant(), { ...PING, method: 'initialize', params })).status).toBe(413);
    const messages = [
      { ...PING, method: 'initialize', params: { ...params, _meta: {}, clientInfo: { name: 'test', version: '1' } } },
      { ...PING, ...MANY },
      { ...PING, params: MANY },
      { ...PING, params: { _meta: MANY } },
    ];
    for (const message of messages) expect((await send(app.tenant(), message)).status).toBe(200);
    expect((await send(app.tenant(), { jsonrpc: '2.0', id: 7, result: MANY })).status).toBe(202);
  });

  it('never answers arguments of any kind with an error of the service', async () => {
    const tenant = app.tenant();
    const values = [null, 1, -1, 1e300, true, '', '%00', '\ud800', '../..', [], {}, { a: { b: 1 } }, 'x'.repeat(3_000)];
    const assistant = await Assistant.connect(app, tenant.id, tenant.key);
    const { tools } = await assistant.client.listTools();
    let turn = 0;
    for (const { name, inputSchema } of tools) {
      const names = Object.keys(inputSchema.properties ?? {});
      const ofAll = values.map((value) => Object.fromEntries(names.map((argument) => [argument, value])));
      const single = names.map((argument) => ({ [argument]: values[turn++ % values.length] }));
      for (const given of [...ofAll, ...single]) {
        const { isError, body } = await assistant.call(name, given);
        if (isError) expect([name, given, body.status < 500]).toEqual([name, given, true]);
      }
    }
    const odd = JSON.parse('{"__proto__": 1, "constructor": 2}') as Record<string, unknown>;
    expect((await assistant.call('get_entry', odd)).body.code).toBe('validation_failed');
  });
});

describe('pages that use the endpoint of assistants', () => {
  const SHOP = 'https://shop.example';
  let app: TestApp;
  beforeAll(async () => {
    const TENANTS = JSON.stringify([
      { id: 'ten_open', name: 'Open', api_keys: [{ key: 'open' }] },
      { id: 'ten_choosy', name: 'Choosy', allowed_origins: [SHOP], api_keys: [{ key: 'choosy' }] },
    ]);
    app = await startApp({ TENANTS });
  });
  afterAll(() => app.close());

  const status = async (tenant: string, origin: string, host?: string) => {
    const { status: received, headers } = await app
      .client(`Bearer ${tenant}`, { Origin: origin, Accept: ACCEPT, ...(host && { Host: host }) })
      .post(`/mcp/ten_${tenant}`, PING);
    return [received, headers['access-control-allow-origin']];
  };

  it('are those that may use the API', async () => {
    expect(await status('open', SHOP)).toEqual([200, '*']);
    expect(await status('choosy', SHOP)).toEqual([200, SHOP]);
    expect(await status('choosy', app.publicUrl)).toEqual([200, undefined]);
    expect(await status('choosy', 'https://evil.example')).toEqual([403, undefined]);
    expect(await status('choosy', 'null')).toEqual([403, undefined]);
    const preflight = await fetch(`${app.url}/mcp/ten_choosy`, {
      method: 'OPTIONS',
      headers: {
        Origin: SHOP,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'mcp-protocol-version',
      },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe(SHOP);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('mcp-protocol-version');
  });

  it('are none whose name was made to lead to the service', async () => {
    expect((await status('open', 'http://evil.example:3000', 'evil.example:3000'))[0]).toBe(403);
    expect((await status('open', 'http://192.0.2.7:3000', '192.0.2.7:3000'))[0]).toBe(200);
    expect((await status('open', 'http://localhost:6274', 'localhost:3000'))[0]).toBe(200);
  });
});

describe('the limits of a tenant', () => {
  it('count each message as a request', async () => {
    const TENANTS = JSON.stringify([{ id: 'ten_few', name: 'Few', rate_limit: 5, api_keys: [{ key: 'few' }] }]);
    const app = await startApp({ TENANTS });
    try {
      const http = app.client('Bearer few', { Accept: ACCEPT });
      const call = { ...PING, method: 'tools/call', params: { name: 'list_content_types', arguments: {} } };
      for (let sent = 0; sent < 4; sent++) await http.post('/mcp/ten_few', call).expect(200);
      await http.get('/v1/content/ten_few/types').expect(200);
      const { body, headers } = await http.post('/mcp/ten_few', call).expect(429);
      expect([body.code, headers['retry-after']]).toEqual(['rate_limited', expect.any(String)]);
    } finally {
      await app.close();
    }
  });
});

describe('a service with MCP=false', () => {
  it('has no endpoint of assistants', async () => {
    const app = await startApp({ MCP: 'false' });
    try {
      const tenant = app.tenant();
      const { body } = await tenant.http.post(`/mcp/${tenant.id}`, PING).expect(404);
      expect(body.code).toBe('not_found');
    } finally {
      await app.close();
    }
  });
});
