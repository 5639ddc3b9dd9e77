import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { type CommandLine, commandsOn } from '../support/command-line.js';
import { freePort, startProxy } from '../support/proxy.js';
import { build } from '../support/service.js';
import { until } from '../support/until.js';

interface Arrived {
  headers: Record<string, string>;
  text: string;
}

describe('trivet listen', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let folder: string;
  let arrived: Arrived[];
  let address: string;
  let status: number;
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      arrived.push({ headers: request.headers as Record<string, string>, text: Buffer.concat(chunks).toString() });
      response.writeHead(status).end();
    });
  });
  let listening: CommandLine | undefined;

  beforeAll(async () => {
    await build();
    app = await startApp();
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  });
  afterAll(async () => {
    receiver.close();
    await app.close();
  });
  beforeEach(async () => {
    tenant = app.tenant();
    folder = await mkdtemp(join(tmpdir(), 'trivet-listen-'));
    [arrived, status] = [[], 204];
  });
  afterEach(async () => {
    listening?.child.kill();
    await listening?.ended;
    await rm(folder, { recursive: true });
  });

  const listen = async (more: string[] = [], env: Record<string, string> = {}) => {
    const started = commandsOn(app, tenant, folder, env).start('listen', '--json', '--forward', address, ...more);
    listening = started;
    await until(() => Promise.resolve(started.stdout.includes('\n')));
    return JSON.parse(started.stdout.split('\n')[0] ?? '') as { ready: boolean; secret: string };
  };
  const addType = (name: string) =>
    tenant.http.post(`/v1/content/${tenant.id}/types`, { name, fields: [{ name: 'title', type: 'text' }] }).expect(201);

  it('posts each event as it happens, signed with the secret that it prints', async () => {
    const { secret } = await listen();
    expect(secret).toMatch(/^whsec_/);
    await addType('Post');
    await until(() => Promise.resolve(arrived.length === 1));
    const [{ headers, text }] = arrived as [Arrived];
    const event = new Webhook(secret).verify(text, headers) as { id: string; type: string };
    expect(event).toMatchObject({ id: headers['webhook-id'], type: 'content_type.created', tenant_id: tenant.id });
    const { body } = await tenant.http.get(`/v1/events/${tenant.id}`).expect(200);
    expect(body.data).toEqual([event]);
  });

  it('signs with the same secret for the same tenant on the same machine, and with another one for another tenant', async () => {
    const { secret } = await listen();
    listening?.child.kill();
    await listening?.ended;
    expect((await listen()).secret).toBe(secret);
    listening?.child.kill();
    await listening?.ended;
    tenant = app.tenant();
    expect((await listen()).secret).not.toBe(secret);
  });

  it('shows what the receiver answered, and goes on', async () => {
    status = 500;
    await listen();
    await addType('Post');
    await until(() => Promise.resolve(listening?.stdout.includes('"status":500') === true));
    await addType('Page');
    await until(() => Promise.resolve(arrived.length === 2));
  });

  it('keeps to the types that it is given', async () => {
    await listen(['--types', 'content_type.deleted']);
    await addType('Post');
    await tenant.http.delete(`/v1/content/${tenant.id}/types/post`).expect(200);
    await until(() => Promise.resolve(arrived.length > 0));
    expect(arrived.map(({ text }) => JSON.parse(text).type)).toEqual(['content_type.deleted']);
  });

  it('connects again after the connection was lost, and misses and repeats nothing', async () => {
    const { hostname, port } = new URL(app.url);
    const through = await freePort();
    let proxy = await startProxy(through, { host: hostname, port: Number(port) });
    await listen([], { TRIVET_URL: `http://127.0.0.1:${through}` });
    await addType('First');
    await until(() => Promise.resolve(arrived.length === 1));
    proxy.cut();
    await addType('Second');
    await until(() => Promise.resolve(listening?.stderr.includes('Connecting again') === true));
    await addType('Third');
    proxy = await startProxy(through, { host: hostname, port: Number(port) });
    await until(() => Promise.resolve(arrived.length === 3));
    expect(arrived.map(({ text }) => JSON.parse(text).data.slug)).toEqual(['first', 'second', 'third']);
    proxy.close();
  });

  it('ends with 0 when it is interrupted, and with 1 if the key is refused', async () => {
    await listen();
    listening?.child.kill('SIGINT');
    expect((await listening?.ended)?.code).toBe(0);
    const refused = await commandsOn(app, tenant, folder, { TRIVET_KEY: 'wrong' }).run('listen');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('unauthorized') });
  });
});
