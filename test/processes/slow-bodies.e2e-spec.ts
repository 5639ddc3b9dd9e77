import { connect, type Socket } from 'node:net';
import { EntryBatches } from '../../src/content/bulk/entry-batches.js';
import { bodyPace } from '../../src/http/bodies/body-pace.js';
import { startApp, type TestApp } from '../support/app.js';
import { createType } from '../support/content.js';
import { CV, cv, fileForm, MULTIPART, nothingLeft, storedFiles, visitor } from '../support/file-forms.js';
import { until } from '../support/until.js';
import { multipart } from '../support/upload.js';

const USUAL = { ...bodyPace };

/** A request whose body a client sends at its own pace. */
interface Door {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

describe('a body that arrives slowly', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    Object.assign(bodyPace, USUAL);
  });
  afterAll(() => app.close());

  const FILL = 'x'.repeat(2_000);
  const JSON_BODY = { 'Content-Type': 'application/json' };

  /** Every kind of body that the service reads. */
  const doors: [string, () => Promise<Door>][] = [
    ['JSON', async () => content('', JSON_BODY, JSON.stringify({ fields: { title: FILL } }))],
    [
      'JSON with an Idempotency-Key',
      async () => content('', { ...JSON_BODY, 'Idempotency-Key': 'slow' }, JSON.stringify({ fields: { title: FILL } })),
    ],
    [
      'an import',
      async () =>
        content(
          '/import',
          { 'Content-Type': 'application/x-ndjson' },
          `${JSON.stringify({ fields: { title: FILL } })}\n`,
        ),
    ],
    [
      'a submission as JSON',
      async () => submission([TEXT], JSON_BODY, JSON.stringify({ fields: { text: FILL.slice(0, 900) } })),
    ],
    [
      'a form',
      async () =>
        submission([TEXT], { 'Content-Type': 'application/x-www-form-urlencoded' }, `text=${FILL.slice(0, 900)}`),
    ],
    [
      'a form in multipart',
      async () =>
        submission([TEXT], { 'Content-Type': MULTIPART }, multipart([{ name: 'text', data: FILL.slice(0, 900) }])),
    ],
    ['a form with a file', async () => submission([CV], { 'Content-Type': MULTIPART }, multipart([cv(FILL)]))],
    [
      'an upload',
      () => {
        const { id, key } = app.tenant();
        const body = multipart([{ name: 'file', filename: 'a.txt', data: FILL }]);
        const headers = { Authorization: `Bearer ${key}`, 'Content-Type': MULTIPART };
        return Promise.resolve({ path: `/v1/media/${id}`, headers, body });
      },
    ],
  ];
  const TEXT = { name: 'text', type: 'text' };

  async function content(path: string, headers: Record<string, string>, body: string): Promise<Door> {
    const tenant = app.tenant();
    const { entries } = await createType(tenant, [{ name: 'title', type: 'text' }]);
    return {
      path: entries + path,
      headers: { Authorization: `Bearer ${tenant.key}`, ...headers },
      body: Buffer.from(body),
    };
  }

  async function submission(fields: object[], headers: Record<string, string>, body: string | Buffer): Promise<Door> {
    const { submissions } = await fileForm(app.tenant(), fields);
    return { path: submissions, headers: { ...visitor(), ...headers }, body: Buffer.from(body as string) };
  }

  /** Sends the head of the request, and then pieces of the body, one in each interval. */
  function drip({ path, headers, body }: Door, bytes: number, everyMs: number) {
    const socket: Socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    const head = { Host: 'x', 'Content-Length': body.length, ...headers };
    socket.write(
      `POST ${path} HTTP/1.1\r\n${Object.entries(head)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`,
    );
    let at = 0;
    const timer = setInterval(() => {
      socket.write(body.subarray(at, (at += bytes)));
      if (at >= body.length) clearInterval(timer);
    }, everyMs);
    const chunks: Buffer[] = [];
    const state = { text: '', isClosed: false };
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      state.text = Buffer.concat(chunks).toString();
    });
    socket.on('close', () => {
      clearInterval(timer);
      state.isClosed = true;
    });
    return { state, socket, sent: () => at };
  }

  it.each(doors)('is refused with 408 and closes its connection if it drips: %s', async (_, door) => {
    const before = await storedFiles(app);
    Object.assign(bodyPace, { windowMs: 200, bytes: 100 });
    const { state } = drip(await door(), 1, 20);
    await until(() => Promise.resolve(state.isClosed));
    expect(state.text).toMatch(/^HTTP\/1\.1 408 /);
    expect(state.text).toMatch(/\r\nConnection: close\r\n/i);
    expect(state.text).toContain('"code":"request_timeout"');
    await until(async () => (await storedFiles(app)).length === before.length);
  });

  it.each(doors)('is accepted at a pace that is slow but steady: %s', async (_, door) => {
    // Long enough for a machine that is busy with other things.
    Object.assign(bodyPace, { windowMs: 600, bytes: 100 });
    const one = await door();
    // Some five windows.
    const { state, socket, sent } = drip(one, Math.ceil(one.body.length / 50), 60);
    await until(() => Promise.resolve(/^HTTP\/1\.1 20[01] /.test(state.text)));
    expect(sent()).toBeGreaterThanOrEqual(one.body.length);
    socket.destroy();
  });

  it('is not refused for the time that the service needs for what has arrived', async () => {
    const batches = app.get(EntryBatches);
    const run = batches.run.bind(batches);
    let windows = 0;
    jest.spyOn(batches, 'run').mockImplementation(async (...parameters: Parameters<typeof run>) => {
      // Two windows, in which the client waits until it can send the rest.
      const began = performance.now();
      await until(() => Promise.resolve(performance.now() - began > 2 * bodyPace.windowMs));
      windows += 2;
      return run(...parameters);
    });
    Object.assign(bodyPace, { windowMs: 100, bytes: 200_000 });
    const line = `${JSON.stringify({ fields: { title: FILL } })}\n`;
    const { path, headers, body } = await content(
      '/import',
      { 'Content-Type': 'application/x-ndjson' },
      line.repeat(2_500),
    );
    const answer = await fetch(app.url + path, { method: 'POST', headers, body: new Uint8Array(body) });
    expect((await answer.text()).trim().split('\n').at(-1)).toBe(
      '{"done":true,"created":2500,"updated":0,"unchanged":0,"failed":0}',
    );
    expect(windows).toBeGreaterThan(4);
  });

  it('leaves a page for the visitor who sent it as a browser does', async () => {
    const tenant = app.tenant();
    const before = await storedFiles(app);
    Object.assign(bodyPace, { windowMs: 200, bytes: 100 });
    const { submissions } = await fileForm(tenant);
    const headers = { ...visitor(), 'Content-Type': MULTIPART, Accept: 'text/html' };
    const { state } = drip({ path: submissions, headers, body: multipart([cv(FILL)]) }, 1, 20);
    await until(() => Promise.resolve(state.isClosed));
    expect(state.text).toMatch(/^HTTP\/1\.1 408 [^]*\r\nContent-Type: text\/html/i);
    await nothingLeft(app, tenant, before);
  });
});
