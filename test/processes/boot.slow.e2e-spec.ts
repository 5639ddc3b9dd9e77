import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase } from '../support/database.js';
import { useServices } from '../support/service.js';
import { until } from '../support/until.js';

const TENANTS = JSON.stringify([{ id: 'ten_acme', name: 'Acme', api_keys: [{ name: 'ci', key: 'acme-key' }] }]);
const KEY = { Authorization: 'Bearer acme-key' };
const TYPE = JSON.stringify({ name: 'Page', fields: [{ name: 'title', type: 'text' }] });

jest.setTimeout(240_000);

describe('the process', () => {
  const services = useServices();
  const start = (env?: Record<string, string>) => services.start(env);
  const onDatabase = () => ({ DATABASE_URL: services.database.url, TENANTS });

  describe('with a wrong configuration', () => {
    it('reports all errors in one message without secrets, and exits with 1', async () => {
      const secret = 'hunter2-secret';
      const { code, stdout, stderr } = await start({
        PORT: '99999',
        ROLE: secret,
        DATABASE_URL: `mysql://root:${secret}@db/x`,
        REDIS_URL: secret,
        ENCRYPTION_KEY: secret,
        WEBHOOK_RETRY_SCHEDULE: 'soon',
        TRUST_PROXY: '-1',
        TENANTS: JSON.stringify([
          {
            id: 'acme',
            name: 'Acme',
            api_keys: [{ name: 'ci', key: `${secret} with spaces`, scopes: ['everything'] }],
          },
          { id: 'ten_b', api_keys: 'none' },
        ]),
      }).ended;
      expect(code).toBe(1);
      expect(stdout).toBe('');
      for (const name of [
        'PORT',
        'ROLE',
        'DATABASE_URL',
        'REDIS_URL',
        'ENCRYPTION_KEY',
        'WEBHOOK_RETRY_SCHEDULE',
        'TRUST_PROXY',
        'TENANTS[0].id',
        'TENANTS[0].api_keys[0].key',
        'TENANTS[0].api_keys[0].scopes',
        'TENANTS[1].name',
        'TENANTS[1].api_keys',
      ]) {
        expect(stderr).toContain(`- ${name} `);
      }
      // Nothing in the message is taken for an email address, which the log hides.
      expect(stderr).toContain('and content:read@<slug> and others like it');
      expect(stderr.match(/The configuration is not valid/g)).toHaveLength(1);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(stderr).not.toContain(secret);
      // The message is for operators, so it has no stack.
      expect(stderr).not.toMatch(/\n\s+at /);
    });

    it('requires tenants and an encryption key in production, and generates neither', async () => {
      const { code, stderr } = await start({ NODE_ENV: 'production', DATABASE_URL: services.database.url }).ended;
      expect(code).toBe(1);
      expect(stderr).toContain('- TENANTS or TENANTS_FILE is required');
      expect(stderr).toContain('- ENCRYPTION_KEY is required');
    });
  });

  it('runs in production with tenants from a file', async () => {
    const file = join(services.dataDir, 'tenants.json');
    const tenants = (key: string) =>
      JSON.stringify([{ id: 'ten_acme', name: 'Acme', api_keys: [{ name: 'ci', key }] }]);
    const key = 'acme-key-9f3c5b7a1d2e4f608b9c';
    const KEY = { Authorization: `Bearer ${key}` };
    await writeFile(file, tenants(key));
    const production = {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      DATABASE_URL: services.database.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    const service = start({ ...production, TENANTS_FILE: file });
    const url = await service.url();
    expect((await fetch(`${url}/v1/content/ten_acme/types`, { headers: KEY })).status).toBe(200);
    expect((await fetch(`${url}/v1/content/ten_demo/types`, { headers: KEY })).status).toBe(403);
    expect(service.stdout).not.toContain('acme-key');
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    const weak = await start({ ...production, TENANTS: tenants('acme-key') }).ended;
    expect(weak.code).toBe(1);
    expect(weak.stderr).toContain(
      'the key ci of ten_acme has fewer than 24 characters. Generate another with: npm run key',
    );
    expect(weak.stderr).not.toContain('acme-key');
    expect(service.stdout.match(/METRICS_TOKEN is not set; \/metrics returns 404/g)).toHaveLength(1);
    expect(service.stdout.match(/PUBLIC_URL is not set; URLs of files/g)).toHaveLength(1);
  });

  describe('when it is stopped', () => {
    it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
      'finishes a request in progress on %s and exits with 0',
      async (signal) => {
        const service = start(onDatabase());
        const url = new URL(await service.url());
        // An idle connection must not delay the exit.
        const idle = await fetch(`${url.origin}/v1/content/ten_acme/types`, { headers: KEY });
        expect(idle.status).toBe(200);
        const socket = connect(Number(url.port), url.hostname);
        let answer = '';
        socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
        const closed = new Promise((resolve) => socket.on('close', resolve));
        socket.write(
          `POST /v1/content/ten_acme/types HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer acme-key\r\n` +
            `Content-Type: application/json\r\nContent-Length: ${TYPE.length}\r\n\r\n${TYPE.slice(0, 10)}`,
        );
        await new Promise((resolve) => setTimeout(resolve, 200));
        service.signal(signal);
        const isListening = () =>
          fetch(`${url.origin}/health/live`).then(
            () => true,
            () => false,
          );
        await until(async () => !(await isListening()));
        socket.write(TYPE.slice(10));
        await closed;
        expect(answer).toMatch(/^HTTP\/1\.1 201 /);
        const { code, stderr } = await service.ended;
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(service.stdout.trim().split('\n').at(-1)).toContain('"Stopped"');
      },
    );

    it('exits with 0 when its Redis was never reachable', async () => {
      const service = start({ ...onDatabase(), REDIS_URL: 'redis://127.0.0.1:1' });
      await service.url();
      expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
    });
  });

  it('accepts connections through many descriptors of one listening socket', async () => {
    if (process.platform !== 'linux') return;
    const service = start(onDatabase());
    const { port } = new URL(await service.url());
    const listening = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
    const address = `0100007F:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`;
    const LISTEN = '0A';
    const [inode] = listening.flatMap((socket) => (socket[1] === address && socket[3] === LISTEN ? [socket[9]] : []));
    const folder = `/proc/${service.pid}/fd`;
    const descriptors = async () => {
      const links = await Promise.all(
        (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => '')),
      );
      return links.filter((link) => link === `socket:[${inode}]`).length;
    };
    await until(async () => (await descriptors()) === 32);
    expect((await service.stop()).code).toBe(0);
  });

  it('migrates an empty database once when several processes start at the same time', async () => {
    const fresh = await createDatabase({ empty: true });
    const services = Array.from({ length: 3 }, () => start({ DATABASE_URL: fresh.url, TENANTS }));
    const urls = await Promise.all(services.map((service) => service.url()));
    const rows = await fresh.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);

    const created = await fetch(`${urls[0]}/v1/content/ten_acme/types`, {
      method: 'POST',
      headers: { ...KEY, 'Content-Type': 'application/json' },
      body: TYPE,
    });
    expect(created.status).toBe(201);
    const listed = await fetch(`${urls[2]}/v1/content/ten_acme/types`, { headers: KEY });
    expect(await listed.json()).toMatchObject({ meta: { total: 1 } });
    for (const service of services) expect(await service.stop()).toMatchObject({ code: 0 });
    await fresh.drop();
  });

  describe('without configuration', () => {
    it('creates a database and a demo tenant, prints a working command, and keeps both across restarts', async () => {
      const first = start({ LOG_FORMAT: 'pretty' });
      await first.url();
      const command = /^ {2}(curl .*)$/m.exec(first.stdout)?.[1] ?? '';
      const { stdout } = await promisify(execFile)('sh', ['-c', command]);
      expect(JSON.parse(stdout)).toEqual({ data: [], meta: { page: 1, per_page: 25, total: 0 } });

      const key = /Demo API key: +(\S+)/.exec(first.stdout)?.[1] ?? '';
      expect((await readFile(join(services.dataDir, 'demo-key'), 'utf8')).trim()).toBe(key);
      const create = (url: string) =>
        fetch(`${url}/v1/content/ten_demo/types`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          body: TYPE,
        });
      expect((await create(await first.url())).status).toBe(201);

      const intruder = await start().ended;
      expect(intruder.code).toBe(1);
      expect(intruder.stderr).toContain('Another Trivet process is running');

      // SIGKILL leaves the database server running.
      await first.stop('SIGKILL');
      const second = start();
      const url = await second.url();
      const { data } = (await (
        await fetch(`${url}/v1/content/ten_demo/types`, { headers: { Authorization: `Bearer ${key}` } })
      ).json()) as { data: { slug: string }[] };
      expect(data.map(({ slug }) => slug)).toEqual(['page']);
      expect(await second.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' });
    });
  });
});
