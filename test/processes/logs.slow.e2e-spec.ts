import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TEST_CITUS_URL } from '../support/citus.js';
import { startMailServer } from '../support/mail-server.js';
import { freePort, startProxy } from '../support/proxy.js';
import { describeWithRedis, TEST_REDIS_URL } from '../support/redis.js';
import { type Service, useServices } from '../support/service.js';
import { until } from '../support/until.js';

const TENANTS = JSON.stringify([{ id: 'ten_acme', name: 'Acme', api_keys: [{ name: 'ci', key: 'acme-key' }] }]);
const TOKEN = 'T0Ken-in-the-path';
const RECIPIENT = 'ada.lovelace@mails.example';
const ENCRYPTION_KEY = Buffer.alloc(32, 1).toString('base64');

jest.setTimeout(240_000);

interface Line {
  level: string;
  msg: string;
  [name: string]: unknown;
}

/** The lines of the log so far. Every complete line must be JSON. */
function linesOf(service: Service): Line[] {
  const lines = service.stdout.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}

function requestsOf(service: Service): Line[] {
  return linesOf(service).filter(({ context }) => context === 'Request');
}

describe('the log', () => {
  const services = useServices();
  const start = (env: Record<string, string> = {}) =>
    services.start({ DATABASE_URL: services.database.url, TENANTS, LOG_LEVEL: 'info', ...env });

  async function send(url: string, method: string, body?: object, key = 'acme-key'): Promise<Response> {
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'X-Request-Id': 'the-request',
    };
    return fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }

  it('has a line for each failed request, and no line for others', async () => {
    const service = start();
    const url = await service.url();
    const types = `${url}/v1/content/ten_acme/types`;
    expect((await send(types, 'GET')).status).toBe(200);
    expect((await send(`${types}/ct_${TOKEN}`, 'GET')).status).toBe(404);
    expect((await send(types, 'POST', { name: TOKEN, fields: TOKEN })).status).toBe(422);
    expect((await send(types, 'GET', undefined, TOKEN)).status).toBe(401);
    expect((await fetch(`${url}/${TOKEN}`)).status).toBe(404);

    const lines = await until(() => Promise.resolve(requestsOf(service).length >= 4 && requestsOf(service)));
    const common = {
      level: 'info',
      msg: 'A request was refused',
      duration_ms: expect.any(Number),
      request_id: expect.any(String),
    };
    const byKey = { ...common, request_id: 'the-request', tenant_id: 'ten_acme', key: 'ci' };
    const route = '/v1/content/:tenant_id/types';
    expect(lines).toEqual([
      expect.objectContaining({
        ...byKey,
        method: 'GET',
        route: `${route}/:content_type_id`,
        status: 404,
        code: 'not_found',
      }),
      expect.objectContaining({ ...byKey, method: 'POST', route, status: 422, code: 'validation_failed' }),
      expect.objectContaining({
        ...common,
        tenant_id: 'ten_acme',
        method: 'GET',
        route,
        status: 401,
        code: 'unauthorized',
      }),
      expect.objectContaining({ ...common, method: 'GET', route: 'unknown', status: 404, code: 'not_found' }),
    ]);
    expect(service.stdout).not.toContain(TOKEN);
  });

  it.each([
    ['all', [200, 404]],
    ['none', []],
  ])('has the lines that LOG_REQUESTS=%s requests', async (LOG_REQUESTS, statuses) => {
    const service = start({ LOG_REQUESTS });
    const types = `${await service.url()}/v1/content/ten_acme/types`;
    await send(types, 'GET');
    await send(`${types}/ct_none`, 'GET');
    await until(() => Promise.resolve(requestsOf(service).length >= statuses.length));
    await service.stop();
    expect(requestsOf(service).map(({ status }) => status)).toEqual(statuses);
  });

  it('has no token of a path or of a query', async () => {
    const service = start({ LOG_REQUESTS: 'all' });
    const url = await service.url();
    const paths = [
      ...['GET', 'POST'].map((method) => [method, `/v1/invitations/${TOKEN}`]),
      ['POST', `/v1/invitations/${TOKEN}/options`],
      ['POST', `/v1/password-resets/${TOKEN}`],
      ['GET', `/v1/oidc/corp/callback?code=${TOKEN}&state=${TOKEN}`],
      ['GET', `/v1/oidc/${TOKEN}/start?code=${TOKEN}`],
      ['GET', `/v1/preview/${TOKEN}`],
      ['GET', `/v1/invitations/${TOKEN}%`],
    ];
    for (const [method = '', path] of paths) {
      const response = await send(`${url}${path}`, method, method === 'POST' ? { password: TOKEN } : undefined, TOKEN);
      expect(await response.text()).not.toContain(TOKEN);
    }
    await until(() => Promise.resolve(requestsOf(service).length >= paths.length));
    await service.stop();
    expect(service.stdout + service.stderr).not.toContain(TOKEN);
  });

  it('has the cause of a server error, and no parameter of a query', async () => {
    const service = start();
    const webhooks = `${await service.url()}/v1/webhooks/ten_acme`;
    const webhook = { url: `https://93.184.215.14/${TOKEN}`, events: ['entry.created'] };
    await services.database.query('ALTER TABLE webhooks ADD CONSTRAINT refuses_all CHECK (active IS NULL) NOT VALID');
    try {
      expect((await send(webhooks, 'POST', webhook)).status).toBe(500);
    } finally {
      await services.database.query('ALTER TABLE webhooks DROP CONSTRAINT refuses_all');
    }

    const [line] = await until(() => Promise.resolve(requestsOf(service).length > 0 && requestsOf(service)));
    expect(line).toMatchObject({
      level: 'error',
      msg: 'A request failed',
      request_id: 'the-request',
      tenant_id: 'ten_acme',
      key: 'ci',
      route: '/v1/webhooks/:tenant_id',
      status: 500,
      code: 'internal_error',
      err: {
        code: '23514',
        // Citus reports them only in the message.
        ...(!TEST_CITUS_URL && { constraint: 'refuses_all', table: 'webhooks' }),
        message: expect.stringMatching(/"webhooks.*"refuses_all/),
        stack: expect.arrayContaining([expect.stringMatching(/^at /)]),
      },
    });
    await service.stop();
    expect(service.stdout + service.stderr).not.toContain(TOKEN);
  });

  it('reports a rejected email without the recipient’s address', async () => {
    const mails = await startMailServer();
    mails.answer(RECIPIENT, () => ({ recipient: 550 }));
    const service = start({ SMTP_URL: mails.url });
    const forms = `${await service.url()}/v1/forms/ten_acme`;
    const form = { name: 'Contact', fields: [{ name: 'message', type: 'text' }], notify_email: RECIPIENT };
    const { data } = (await (await send(forms, 'POST', form)).json()) as { data: { id: string } };
    expect((await send(`${forms}/${data.id}/submissions`, 'POST', { fields: { message: 'Hello' } })).status).toBe(201);

    const refused = () => linesOf(service).find(({ msg }) => msg === 'An email failed permanently');
    expect(await until(() => Promise.resolve(refused()))).toMatchObject({ level: 'error', tenant_id: 'ten_acme' });
    await service.stop();
    expect(service.stdout + service.stderr).not.toMatch(/ada\.lovelace/i);
    await mails.stop();
  });
});

describe('the start in the log', () => {
  const services = useServices();
  const start = (env: Record<string, string> = {}) =>
    services.start({ DATABASE_URL: services.database.url, TENANTS, ...env });
  const greetingOf = (service: Service) => linesOf(service).find(({ msg }) => msg.includes('listens on'));

  it('is one line of JSON with the addresses', async () => {
    const service = start();
    const url = await service.url();
    expect(greetingOf(service)).toMatchObject({ level: 'info', role: 'all', url, docs: `${url}/docs` });
    expect((await service.stop()).stderr).toBe('');
  });

  it('is JSON like a warning of Node.js, and like an error that nothing caught', async () => {
    const code = `process.on('SIGUSR2',()=>process.emitWarning('old',{code:'DEP1'})).on('SIGWINCH',()=>{throw(new(TypeError)('bug'))})`;
    const service = start({ NODE_OPTIONS: `--import=data:text/javascript,${code}` });
    await service.url();
    service.signal('SIGUSR2');
    const warning = () => linesOf(service).find(({ context }) => context === 'Node');
    expect(await until(() => Promise.resolve(warning()))).toMatchObject({ level: 'warn', msg: 'old', code: 'DEP1' });

    service.signal('SIGWINCH');
    const { code: exitCode, stderr } = await service.ended;
    expect({ exitCode, line: JSON.parse(stderr) as Line }).toMatchObject({
      exitCode: 1,
      line: { level: 'fatal', err: { type: 'TypeError', message: 'bug', stack: expect.any(Array) } },
    });
  });

  it('contains the key of the demo tenant, which is generated', async () => {
    const service = start({ TENANTS: '' });
    await service.url();
    expect(greetingOf(service)).toMatchObject({
      demo_tenant: 'ten_demo',
      demo_api_key: expect.stringMatching(/^tvt_/),
      data_dir: services.dataDir,
    });
  });

  it('of a worker says what it is, and names no documentation', async () => {
    const worker = start({ ROLE: 'worker' });
    const url = await worker.url();
    expect(greetingOf(worker)).toMatchObject({
      role: 'worker',
      url,
      msg: expect.stringMatching(/^A worker of Trivet/),
    });
    expect(worker.stdout).not.toContain('/docs');

    const pretty = start({ ROLE: 'worker', LOG_FORMAT: 'pretty' });
    const prettyUrl = await pretty.url();
    expect(pretty.stdout).toContain(
      `A worker of Trivet listens on ${prettyUrl}\nIt delivers webhooks and sends email.`,
    );
    expect(pretty.stdout).not.toContain('/docs');
  });

  it('with LOG_FORMAT=pretty is text for people, and so are the lines of the log', async () => {
    const service = start({ LOG_FORMAT: 'pretty', TENANTS: '' });
    const url = await service.url();
    const text = [
      `Trivet listens on ${url}`,
      '',
      `API documentation: ${url}/docs`,
      `Data:              the server of DATABASE_URL, and files in ${services.dataDir}`,
      'Demo tenant:       ten_demo',
    ];
    expect(service.stdout).toContain(`\n${text.join('\n')}\n`);
    expect((await fetch(`${url}/none`)).status).toBe(404);
    const line = /^\d\d:\d\d:\d\d\.\d{3} INFO {2}Request A request was refused .*\bstatus=404 code=not_found\b/m;
    await until(() => Promise.resolve(line.test(service.stdout)));
    expect(service.stdout).not.toContain('{"');
  });
});

describe('the log while Redis is away', () => {
  const services = useServices();
  const start = (port: number, env: Record<string, string> = {}) =>
    services.start({
      DATABASE_URL: services.database.url,
      TENANTS,
      REDIS_URL: `redis://127.0.0.1:${port}`,
      ...env,
    });
  const redisLines = (service: Service) => linesOf(service).filter(({ msg }) => msg.includes('Redis'));

  it.each(['1', '2'])('has one line, with WEB_CONCURRENCY=%s', async (WEB_CONCURRENCY) => {
    const service = start(1, { WEB_CONCURRENCY });
    const url = await service.url();
    await until(() => Promise.resolve(redisLines(service).length > 0));
    // Each of these counts for a rate limit, and wakes queues that try Redis.
    for (let count = 0; count < 5; count++) await fetch(`${url}/v1/content/ten_acme/types`);
    // The connections try again up to five times a second.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(redisLines(service)).toEqual([
      expect.objectContaining({
        level: 'warn',
        context: 'Redis',
        msg: expect.stringMatching(/^REDIS_URL: Redis cannot be used \(ECONNREFUSED\)\. /),
      }),
    ]);
    expect((await service.stop()).stderr).toBe('');
  });
});

describeWithRedis('the log when Redis returns', () => {
  const services = useServices();

  it('has one line about the outage, and one about its end', async () => {
    const port = await freePort();
    const REDIS_URL = `redis://127.0.0.1:${port}`;
    const service = services.start({ DATABASE_URL: services.database.url, TENANTS, REDIS_URL });
    await service.url();
    const redisLines = () => linesOf(service).filter(({ context }) => context === 'Redis');
    await until(() => Promise.resolve(redisLines().length > 0));

    const { hostname: host, port: redisPort } = new URL(TEST_REDIS_URL);
    const proxy = await startProxy(port, { host, port: Number(redisPort || 6379) });
    await until(() => Promise.resolve(redisLines().length > 1), 30_000);
    expect(redisLines()).toEqual([
      expect.objectContaining({ level: 'warn' }),
      expect.objectContaining({ level: 'info', msg: expect.stringMatching(/^Redis can be used again, after \d+ s$/) }),
    ]);
    await service.stop();
    proxy.close();
  });
});

describe('DATA_DIR', () => {
  const services = useServices();

  it('and everything in it can be read only by its owner, even if the configuration sets every key', async () => {
    const dataDir = join(services.dataDir, 'below', 'data');
    const service = services.start({ DATA_DIR: dataDir, TENANTS, ENCRYPTION_KEY });
    const url = await service.url();
    const headers = { Authorization: 'Bearer acme-key' };
    const body = new FormData();
    body.append('file', new Blob(['Hello']), 'a.txt');
    expect((await fetch(`${url}/v1/media/ten_acme`, { method: 'POST', headers, body })).status).toBe(201);

    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    const names = await readdir(dataDir, { recursive: true });
    expect(names).toEqual(expect.arrayContaining(['postgres', 'postgres.log', 'media']));
    const open = await Promise.all(
      names.map(async (name) => {
        // The database server constantly creates and removes files.
        const found = await stat(join(dataDir, name)).catch(() => undefined);
        return found && found.mode & 0o077 ? [name] : [];
      }),
    );
    expect(open.flat()).toEqual([]);
  });
});
