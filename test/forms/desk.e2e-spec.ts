import { type ChildProcess, spawn } from 'node:child_process';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { createType } from '../support/content.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { until } from '../support/until.js';

const tls = (name: string) => readFileSync(`test/support/tls/${name}.pem`);
const SECRET = 'desk secret';

describe('webhooks at a developer’s desk', () => {
  let app: TestApp;
  let tenant: TestTenant;
  const servers: Server[] = [];
  beforeAll(async () => {
    app = await startApp({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', OUTBOUND_CA_FILE: 'test/support/tls/cert.pem' });
  });
  afterAll(() => app.close());
  beforeEach(() => {
    tenant = app.tenant();
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  const create = (url: string, of = tenant) =>
    of.http.post(`/v1/webhooks/${of.id}`, { url, events: ['entry.published'], secret: SECRET });

  async function publish(): Promise<string> {
    const { entries } = await createType(tenant, [{ name: 'title', type: 'text' }]);
    const created = await tenant.http.post(entries, { fields: { title: 'Tea' }, status: 'published' }).expect(201);
    return created.body.data.id as string;
  }

  /** Starts a receiver that uses TLS with this certificate, or none. Returns its port. */
  async function receiver(certificate?: string): Promise<number> {
    const answer = (_: unknown, response: { end(): unknown }) => void response.end();
    const options = certificate && { key: tls('key'), cert: tls(certificate) };
    const server: Server = options ? createServer(options, answer) : createPlainServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  /** The error of the first attempt of a test event. */
  async function errorAt(url: string): Promise<string> {
    const { body } = await create(url).expect(201);
    const path = `/v1/webhooks/${tenant.id}/${body.data.id}`;
    await tenant.http.post(`${path}/test`).expect(202);
    return until(async () => {
      const { body: list } = await tenant.http.get(`${path}/deliveries`).expect(200);
      return list.data[0]?.attempts[0]?.error as string;
    });
  }

  it('arrive over http at the receiver that the README starts, which checks the signature', async () => {
    const child = spawn(process.execPath, ['scripts/receiver.mjs'], { env: { ...process.env, PORT: '0', SECRET } });
    try {
      const printed = output(child);
      const url = await until(() => Promise.resolve(/http:\/\/localhost:\d+/.exec(printed())?.[0]));
      await create(url).expect(201);
      const entry = await publish();
      const line = await until(() => Promise.resolve(/^(Genuine|WRONG).*$/m.exec(printed())?.[0]));
      expect(line).toMatch(/^Genuine {2}evt_\w+ {2}\{"id":"evt_/);
      expect(line).toContain(entry);
    } finally {
      child.kill();
    }
  });

  it('may be http for private hosts only', async () => {
    for (const url of ['http://127.0.0.1:4000/', 'http://[::1]/', 'http://10.1.2.3/', 'http://localhost/']) {
      await create(url).expect(201);
    }
    const refused = await create('http://8.8.8.8/').expect(422);
    expect(refused.body.errors).toEqual([
      {
        path: 'url',
        code: 'url',
        message: 'url must be an https URL: http is allowed only for addresses that are not public.',
      },
    ]);
  });

  it('tell what is wrong with the TLS of a receiver', async () => {
    const trusted = await receiver('cert');
    expect(await errorAt(`https://127.0.0.2:${trusted}/`)).toMatch(/certificate is not valid for this host name/);
    expect(await errorAt(`https://localhost:${await receiver('stranger')}/`)).toMatch(/its issuer is unknown/);
    expect(await errorAt(`https://localhost:${await receiver()}/`)).toMatch(/does not use TLS on this port/);
  });

  it('tell a name that does not resolve', async () => {
    const error = await errorAt('https://does-not-exist.invalid/');
    expect(error).toMatch(/^The host name (does not exist|could not be resolved)/);
  });
});

/** Collects what a process prints. */
function output({ stdout }: ChildProcess): () => string {
  let text = '';
  stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}
