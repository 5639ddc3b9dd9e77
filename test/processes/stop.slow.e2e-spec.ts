import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { RECEIVER_ENV, startReceiver } from '../support/receiver.js';
import { useServices } from '../support/service.js';
import { until } from '../support/until.js';

const TENANTS = JSON.stringify([
  { id: 'ten_acme', name: 'Acme', api_keys: [{ name: 'ci', key: 'acme-key-9f3c5b7a1d2e4f608b9c' }] },
]);
const TYPES = '/v1/content/ten_acme/types';
const HEADERS = { Authorization: 'Bearer acme-key-9f3c5b7a1d2e4f608b9c', 'Content-Type': 'application/json' };
const CLIENTS = 6;

jest.setTimeout(240_000);

interface Answer {
  began: number;
  status: number;
  connection?: string;
}

/** Writes repeatedly over one keep-alive connection until the server refuses connections. */
class Client {
  readonly answers: Answer[] = [];
  readonly failures: string[] = [];
  readonly ended: Promise<void>;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly entries: string) {
    this.ended = this.run();
  }

  private async run(): Promise<void> {
    for (;;) {
      const began = Date.now();
      try {
        const { statusCode = 0, headers } = await this.post();
        this.answers.push({ began, status: statusCode, connection: headers.connection });
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === 'ECONNREFUSED') return;
        this.failures.push(`${code} ${message}`);
        return;
      }
    }
  }

  private post(): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const outgoing = request(this.entries, { agent: this.agent, method: 'POST', headers: HEADERS }, (response) => {
        response.resume();
        response.on('error', reject);
        response.on('end', () => resolve(response));
      });
      outgoing.on('error', reject);
      outgoing.end('{"fields": {"title": "A"}}');
    });
  }
}

/** The status of a GET over a new connection, or the error's code if there is no response. */
function statusOf(url: string): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
  });
}

/** The parent's PID from Linux's `/proc`; undefined if the process has ended. */
async function parentOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, state, parent] = /\) (\S) (\d+) /.exec(stat) ?? [];
  return state === undefined || state === 'Z' ? undefined : Number(parent);
}

/** Creates a content type; returns the URL of its entries. */
async function createType(url: string): Promise<string> {
  const body = JSON.stringify({ name: 'Page', fields: [{ name: 'title', type: 'text' }] });
  const response = await fetch(`${url}${TYPES}`, { method: 'POST', headers: HEADERS, body });
  const { data } = (await response.json()) as { data: { id: string } };
  return `${url}${TYPES}/${data.id}/entries`;
}

describe('a process that receives a stop signal', () => {
  const services = useServices();
  const start = (env?: Record<string, string>) => services.start(env);
  const onDatabase = () => ({ DATABASE_URL: services.database.url, TENANTS });

  describe.each<{ title: string; env: Record<string, string> }>([
    { title: 'one process', env: {} },
    { title: 'a cluster', env: { WEB_CONCURRENCY: '2' } },
  ])('as $title', ({ env }) => {
    it('breaks no request, sends Connection: close, and is not ready while it still accepts connections', async () => {
      const service = start({ ...onDatabase(), ...env, SHUTDOWN_DELAY: '4s' });
      const url = await service.url();
      const entries = await createType(url);
      const clients = Array.from({ length: CLIENTS }, () => new Client(entries));
      await until(() => Promise.resolve(clients.every(({ answers }) => answers.length > 5)));
      expect(await statusOf(`${url}/health/ready`)).toBe(200);
      service.signal('SIGTERM');
      await until(async () => (await statusOf(`${url}/health/ready`)) === 503);
      // In a cluster the other process may receive the signal a moment later.
      await until(async () => {
        const ready = await Promise.all(Array.from({ length: 10 }, () => statusOf(`${url}/health/ready`)));
        return ready.every((status) => status === 503);
      });
      const noted = Date.now();
      expect(await statusOf(`${url}/health/live`)).toBe(200);
      await until(() =>
        Promise.resolve(clients.every(({ answers }) => answers.filter(({ began }) => began > noted).length > 3)),
      );
      // The clients continue until their connections are refused.
      await Promise.all(clients.map(({ ended }) => ended));
      expect(clients.flatMap(({ failures }) => failures)).toEqual([]);
      const answers = clients.flatMap((client) => client.answers);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      const late = answers.filter(({ began }) => began > noted);
      expect(new Set(late.map(({ connection }) => connection))).toEqual(new Set(['close']));
      service.signal('SIGTERM');
      const { code, stderr } = await service.ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(await statusOf(`${url}/health/live`)).toBe('ECONNREFUSED');
    });

    it('breaks no request without a shutdown delay', async () => {
      const service = start({ ...onDatabase(), ...env, SHUTDOWN_DELAY: '0s' });
      const entries = await createType(await service.url());
      const clients = Array.from({ length: CLIENTS }, () => new Client(entries));
      await until(() => Promise.resolve(clients.every(({ answers }) => answers.length > 5)));
      expect(await service.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' });
      await Promise.all(clients.map(({ ended }) => ended));
      expect(clients.flatMap(({ failures }) => failures)).toEqual([]);
    });
  });

  it('responds to a request that was in progress, and closes its connection', async () => {
    const service = start({ ...onDatabase(), SHUTDOWN_DELAY: '1s' });
    const url = new URL(await service.url());
    const body = '{"name": "Page", "fields": [{"name": "title", "type": "text"}]}';
    const socket = connect(Number(url.port), url.hostname);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.write(
      `POST ${TYPES} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer acme-key-9f3c5b7a1d2e4f608b9c\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    await until(async () => (await statusOf(`${url.origin}/health/live`)) === 200);
    service.signal('SIGTERM');
    await until(async () => (await statusOf(`${url.origin}/health/ready`)) === 503);
    socket.write(body.slice(10));
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 201 [^]*\r\nConnection: close\r\n/);
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('is not delayed by a connection without a request', async () => {
    const service = start(onDatabase());
    const url = new URL(await service.url());
    const socket = connect(Number(url.port), url.hostname);
    socket.on('error', () => undefined);
    await until(async () => (await statusOf(`${url.origin}/health/live`)) === 200);
    const began = Date.now();
    expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
    expect(Date.now() - began).toBeLessThan(10_000);
  });

  it('claims no more deliveries, and leaves them to another process', async () => {
    const receiver = await startReceiver();
    const service = start({ ...onDatabase(), ...RECEIVER_ENV, SHUTDOWN_DELAY: '3s' });
    const url = await service.url();
    const entries = await createType(url);
    const webhook = { url: receiver.url('/stop'), events: ['entry.created'] };
    const created = await fetch(`${url}/v1/webhooks/ten_acme`, {
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify(webhook),
    });
    expect(created.status).toBe(201);
    const write = () => fetch(entries, { method: 'POST', headers: HEADERS, body: '{"fields": {"title": "A"}}' });
    await write();
    await receiver.until('/stop', 1);
    service.signal('SIGTERM');
    await until(async () => (await statusOf(`${url}/health/ready`)) === 503);
    expect((await write()).status).toBe(201);
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
    expect(receiver.received('/stop')).toHaveLength(1);
    await start({ ...onDatabase(), ...RECEIVER_ENV }).url();
    await receiver.until('/stop', 2);
    await receiver.close();
  });

  const ifLinux = process.platform === 'linux' ? describe : describe.skip;
  ifLinux('with a PostgreSQL of its own', () => {
    const serverPid = async (): Promise<number> => {
      const pid = await until(async () => {
        const text = await readFile(join(services.dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
        return parseInt(text) || undefined;
      }, 240_000);
      await until(async () => (await parentOf(pid)) !== undefined);
      return pid;
    };

    it.each([
      { title: 'one process', env: {} },
      { title: 'a cluster', env: { WEB_CONCURRENCY: '2' } },
    ])('leaves no process behind when its terminal closes, as $title under npm start', async ({ env }) => {
      // Stands for the project's own start script, which first installs and builds.
      const scripts = { start: `exec ${process.execPath} ${join(import.meta.dirname, '../../dist/src/main.js')}` };
      await writeFile(join(services.dataDir, 'package.json'), JSON.stringify({ private: true, scripts }));
      const child = spawn('npm', ['start'], {
        cwd: services.dataDir,
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', DATA_DIR: services.dataDir, ...env },
        // A separate process group, as a shell starts it.
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await until(() => Promise.resolve(output.includes('Trivet listens on')), 60_000);
      const server = await serverPid();
      const service = (await parentOf(server)) ?? 0;
      expect(await readFile(`/proc/${service}/cmdline`, 'utf8')).toContain('dist/src/main.js');
      // The output is no longer read, and the whole group receives the signal, some of it twice.
      child.stdout.destroy();
      child.stderr.destroy();
      process.kill(-child.pid!, 'SIGHUP');
      process.kill(service, 'SIGHUP');
      await until(async () => (await parentOf(service)) === undefined, 30_000);
      expect(await parentOf(server)).toBeUndefined();
      await expect(readFile(join(services.dataDir, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT');
    });

    it('leaves no process behind when it is stopped while starting', async () => {
      const service = start();
      const server = await serverPid();
      expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
      expect(await parentOf(server)).toBeUndefined();
    });
  });
});
