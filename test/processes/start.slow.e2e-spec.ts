import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { freePort, startProxy } from '../support/proxy.js';
import { type Ended, type Service, useServices } from '../support/service.js';
import { until } from '../support/until.js';

const TENANTS = JSON.stringify([
  { id: 'ten_acme', name: 'Acme', api_keys: [{ name: 'ci', key: 'acme-key-9f3c5b7a1d2e4f608b9c' }] },
]);
const PASSWORD = 'hunter2-secret';

jest.setTimeout(240_000);

interface Line {
  level: string;
  msg: string;
  [name: string]: unknown;
}

/** All lines of both streams. Throws if one is not JSON. */
function linesOf({ stdout, stderr }: Pick<Ended, 'stdout' | 'stderr'>): Line[] {
  return `${stdout}${stderr}`
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

async function occupied(): Promise<{ port: string; release: () => Promise<void> }> {
  const server: Server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const release = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: String((server.address() as AddressInfo).port), release };
}

const exists = (path: string) =>
  readFile(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );

describe('a start that cannot succeed', () => {
  const services = useServices();
  const onDatabase = () => ({ DATABASE_URL: services.database.url, TENANTS });
  const urlWith = (change: (url: URL) => void): string => {
    const url = new URL(services.database.url);
    change(url);
    return url.href;
  };

  /** Starts a service that must end with one line beyond the level info, and returns the text of this line. */
  async function failure(env: Record<string, string>): Promise<string> {
    const { code, stdout, stderr } = await services.start(env).ended;
    expect(code).toBe(1);
    const beyond = linesOf({ stdout, stderr }).filter(({ level }) => level !== 'info');
    expect(beyond).toEqual([expect.objectContaining({ level: 'fatal', msg: expect.any(String) })]);
    expect(stdout + stderr).not.toContain(PASSWORD);
    expect(stdout + stderr).not.toMatch(/"stack"|\n\s+at /);
    return beyond[0]!.msg;
  }

  it('names PORT when another process has the port, starts no database and writes no file', async () => {
    const { port, release } = await occupied();
    expect(await failure({ PORT: port })).toMatch(
      `PORT: another process listens on port ${port} of 127.0.0.1 already.`,
    );
    expect(await readdir(services.dataDir)).toEqual([]);
    await release();
  });

  it('says so once for a cluster whose port is taken', async () => {
    const { port, release } = await occupied();
    expect(await failure({ ...onDatabase(), PORT: port, WEB_CONCURRENCY: '3' })).toMatch(/^PORT: another process/);
    await release();
  });

  it('names the Trivet that runs on the same DATA_DIR already', async () => {
    const first = services.start(onDatabase());
    const url = await first.url();
    expect(await failure({ ...onDatabase(), PORT: new URL(url).port })).toBe(
      `PORT: Trivet already runs on this DATA_DIR, as process ${first.pid} at ${url}. Use it, or stop it first.`,
    );
  });

  it('says that a worker on the port of the API needs a port of its own', async () => {
    const api = services.start({ ...onDatabase(), ROLE: 'api' });
    const { port } = new URL(await api.url());
    expect(await failure({ ...onDatabase(), ROLE: 'worker', PORT: port })).toMatch(
      /^PORT: .* A worker also listens, for \/health and \/metrics, and needs a port of its own\.$/,
    );
  });

  it('names HOST when the machine does not have the address', async () => {
    expect(await failure({ ...onDatabase(), HOST: '192.0.2.1' })).toMatch(/^HOST: .*192\.0\.2\.1 \(EADDRNOTAVAIL\)\./);
  });

  it('names DATA_DIR when it is a file, is below one, or cannot be created', async () => {
    const file = join(services.dataDir, 'file');
    await writeFile(file, '');
    for (const dataDir of [file, join(file, 'data'), '/proc/trivet']) {
      expect(await failure({ DATA_DIR: dataDir })).toMatch(`DATA_DIR: ${dataDir} cannot be`);
    }
  });

  const asOrdinaryUser = process.getuid?.() === 0 ? it.skip : it;
  asOrdinaryUser('names DATA_DIR when this user may not write to it', async () => {
    const dataDir = join(services.dataDir, 'locked');
    await mkdir(dataDir);
    await chmod(dataDir, 0o500);
    expect(await failure({ DATA_DIR: dataDir })).toMatch(`DATA_DIR: ${dataDir} cannot be written to`);
  });

  it('names DATA_DIR when another process runs on it, which goes on', async () => {
    const first = services.start();
    const url = await first.url();
    expect(await failure({})).toMatch(/^DATA_DIR: Another Trivet process is running on /);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });

  it('names DATABASE_URL when no server listens there, in a cluster once', async () => {
    const DATABASE_URL = `postgres://trivet:${PASSWORD}@127.0.0.1:1/trivet`;
    const expected =
      /^DATABASE_URL: no PostgreSQL accepts connections at 127\.0\.0\.1:1 \(ECONNREFUSED\) for 0\.5 s \(DATABASE_WAIT\)\. Check/;
    for (const WEB_CONCURRENCY of ['1', '2']) {
      expect(await failure({ TENANTS, DATABASE_URL, DATABASE_WAIT: '500ms', WEB_CONCURRENCY })).toMatch(expected);
    }
  });

  it('names DATABASE_URL when its host has no address', async () => {
    const DATABASE_URL = `postgres://trivet:${PASSWORD}@database.invalid/trivet`;
    expect(await failure({ TENANTS, DATABASE_URL, DATABASE_WAIT: '0s' })).toMatch(
      /^DATABASE_URL: no PostgreSQL accepts connections at database\.invalid:5432 \((ENOTFOUND|EAI_AGAIN)\)\. Check/,
    );
  });

  it('does not wait for a database that does not exist, nor for another password', async () => {
    const missing = urlWith((url) => (url.pathname = '/trivet_none'));
    expect(await failure({ TENANTS, DATABASE_URL: missing })).toMatch(/^DATABASE_URL: .* no database of this name/);

    await services.database.query(`DROP ROLE IF EXISTS trivet_start`);
    await services.database.query(`CREATE ROLE trivet_start LOGIN PASSWORD 'another'`);
    const wrong = urlWith((url) => Object.assign(url, { username: 'trivet_start', password: PASSWORD }));
    try {
      expect(await failure({ TENANTS, DATABASE_URL: wrong })).toMatch(/^DATABASE_URL: .* \(28P01\)\./);
    } finally {
      await services.database.query(`DROP ROLE trivet_start`);
    }
  });

  it('names DATABASE_URL when its user may not create tables, in a cluster once', async () => {
    await services.database.query(`DROP ROLE IF EXISTS trivet_reader`);
    await services.database.query(`CREATE ROLE trivet_reader LOGIN PASSWORD '${PASSWORD}'`);
    const reader = urlWith((url) => Object.assign(url, { username: 'trivet_reader', password: PASSWORD }));
    try {
      for (const WEB_CONCURRENCY of ['1', '2']) {
        expect(await failure({ TENANTS, DATABASE_URL: reader, WEB_CONCURRENCY })).toMatch(
          /^DATABASE_URL: .* \(42501\)\./,
        );
      }
    } finally {
      await services.database.query(`DROP ROLE trivet_reader`);
    }
  });
});

describe('a database that is not up yet', () => {
  const services = useServices();

  it('is waited for, which one line says', async () => {
    const port = await freePort();
    const { hostname: host, port: databasePort } = new URL(services.database.url);
    const url = new URL(services.database.url);
    url.hostname = '127.0.0.1';
    url.port = String(port);
    const service = services.start({ TENANTS, DATABASE_URL: url.href });
    await until(() => Promise.resolve(service.stdout.includes('does not accept connections yet')), 30_000);

    const proxy = await startProxy(port, { host, port: Number(databasePort) });
    expect((await fetch(`${await service.url()}/health/ready`)).status).toBe(200);
    expect(linesOf(service).filter(({ msg }) => msg.includes('does not accept connections yet'))).toEqual([
      expect.objectContaining({ level: 'info', msg: expect.stringContaining('up to 60 s (DATABASE_WAIT)') }),
    ]);
    expect((await service.stop()).code).toBe(0);
    proxy.close();
  });

  it('does not delay a stop', async () => {
    const DATABASE_URL = `postgres://trivet:x@127.0.0.1:${await freePort()}/trivet`;
    const service = services.start({ TENANTS, DATABASE_URL });
    await until(() => Promise.resolve(service.stdout.includes('does not accept connections yet')), 30_000);
    const began = Date.now();
    expect((await service.stop()).code).toBe(0);
    expect(Date.now() - began).toBeLessThan(5_000);
  });
});

describe('a variable that is not known', () => {
  const services = useServices();

  it('is warned of with the nearest name if it resembles a known one', async () => {
    const service = services.start({
      DATABASE_URL: services.database.url,
      TENANTS,
      SMPT_URL: 'smtp://127.0.0.1:1',
      WEBHOK_TIMEOUT: '5s',
      HOSTNAME: 'machine',
      REDIS_HOST: '127.0.0.1',
    });
    await service.url();
    const warned = linesOf(service).filter(({ msg }) => msg.includes('is not a variable of Trivet'));
    expect(warned).toEqual([
      expect.objectContaining({
        level: 'warn',
        msg: 'SMPT_URL is not a variable of Trivet and has no effect. Did you mean SMTP_URL?',
      }),
      expect.objectContaining({ msg: expect.stringMatching(/^WEBHOK_TIMEOUT .* WEBHOOK_TIMEOUT\?$/) }),
    ]);
  });
});

describe('the file running.json', () => {
  const services = useServices();
  const running = async (): Promise<{ pid: number; url: string }> =>
    JSON.parse(await readFile(join(services.dataDir, 'running.json'), 'utf8')) as { pid: number; url: string };
  const start = (env = {}): Service => services.start({ DATABASE_URL: services.database.url, TENANTS, ...env });

  it('says where the service listens, and goes when it stops', async () => {
    const service = start();
    const url = await service.url();
    expect(await running()).toEqual({ pid: service.pid, url });
    await service.stop();
    expect(await exists(join(services.dataDir, 'running.json'))).toBe(false);
  });

  it('is replaced after kill -9, and is not written by a worker', async () => {
    await start()
      .url()
      .then(() => undefined);
    const first = await running();
    process.kill(first.pid, 'SIGKILL');
    const worker = start({ ROLE: 'worker' });
    await worker.url();
    expect(await running()).toEqual(first);

    const second = start();
    const url = await second.url();
    expect(await running()).toEqual({ pid: second.pid, url });
    await worker.stop();
    expect(await running()).toEqual({ pid: second.pid, url });
  });
});
