import { mkdtemp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { run } from './run.js';

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const LOCALES = { default: 'en', locales: [{ code: 'en', name: 'English', fallback: null }] };
const DOCUMENT = {
  locales: LOCALES,
  types: [{ name: 'Post', slug: 'post', fields: [{ name: 'title', type: 'text' }] }],
  forms: [],
  webhooks: [
    { url: 'https://hooks.example.com/a', events: ['*'] },
    { url: 'https://hooks.example.com/a', events: ['entry.created'] },
  ],
};
const STEP = { kind: 'content_type', item: 'post', op: 'create', class: 'safe', entries: 0, failing: 0, samples: [] };

describe('the command line', () => {
  const routes = new Map<string, Answer>();
  const sent: { route: string; body: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const route = `${request.method} ${request.url?.replace(/\?.*$/, '')}`;
      sent.push({ route, body, headers: request.headers });
      const answer = routes.get(route);
      if (answer) answer(request, response, body);
      else json(response, 404, { code: 'not_found', detail: `No ${route}`, request_id: 'r1' });
    });
  });
  let folder: string;
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    routes.clear();
    sent.length = 0;
    folder = await mkdtemp(join(tmpdir(), 'trivet-run-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const json = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  const answering =
    (body: object, status = 200): Answer =>
    (_request, response) =>
      json(response, status, body);
  const trivet = async (...words: string[]) => {
    const written = { stdout: '', stderr: '' };
    const stream = (name: keyof typeof written) =>
      new PassThrough().on('data', (chunk: Buffer) => (written[name] += chunk.toString()));
    const env = { TRIVET_URL: url, TRIVET_TENANT: 'ten_a', TRIVET_KEY: 'a-key', XDG_CONFIG_HOME: folder };
    const terminal = { stdin: new PassThrough(), stdout: stream('stdout'), stderr: stream('stderr'), env };
    const code = await run(words, terminal, new AbortController().signal);
    return { code, ...written };
  };

  it('pull writes the files, and push sends them with the hash of the plan', async () => {
    routes.set('GET /v1/schema/ten_a', answering({ data: DOCUMENT }));
    const schema = join(folder, 'schema');
    expect((await trivet('pull', schema)).code).toBe(0);
    expect(JSON.parse(await readFile(join(schema, 'types/post.json'), 'utf8'))).toEqual(DOCUMENT.types[0]);
    routes.set('POST /v1/schema/ten_a/plan', answering({ data: { steps: [STEP], hash: 'h1' } }));
    routes.set('POST /v1/schema/ten_a/apply', answering({ data: { steps: [STEP], changes: [] } }));
    const pushed = await trivet('push', schema, '--yes', '--prune');
    expect(pushed).toMatchObject({ code: 0, stdout: expect.stringContaining('Content type post\n  + create') });
    const bodies = sent.filter(({ body }) => body !== '').map(({ body }) => JSON.parse(body) as object);
    expect(bodies).toEqual([
      { document: { ...DOCUMENT, webhooks: expect.any(Array) }, prune: true },
      { document: { ...DOCUMENT, webhooks: expect.any(Array) }, prune: true, hash: 'h1' },
    ]);
    expect(sent.at(-1)?.headers['idempotency-key']).toBeDefined();
  });

  it('push without a terminal and --yes asks for --yes, and applies nothing', async () => {
    await mkdir(join(folder, 'types'));
    await writeFile(join(folder, 'types/post.json'), JSON.stringify(DOCUMENT.types[0]));
    routes.set('POST /v1/schema/ten_a/plan', answering({ data: { steps: [STEP], hash: 'h1' } }));
    expect(await trivet('push', folder)).toMatchObject({ code: 3, stderr: expect.stringContaining('--yes') });
    expect(sent.map(({ route }) => route)).toEqual(['POST /v1/schema/ten_a/plan']);
  });

  it('tells programs what was wrong with the call, and gives two items of one name two files', async () => {
    for (const words of [
      ['diff', '--nope'],
      ['import', 'csv', 'a.csv'],
      ['import', 'csv', 'a.csv', '--type', 'a', '--status', 'x'],
      ['restore'],
    ]) {
      const { code, stdout } = await trivet(...words, '--json');
      expect([code, JSON.parse(stdout)]).toEqual([3, { error: { code: 'usage', message: expect.any(String) } }]);
    }
    expect(JSON.parse((await trivet('completion', 'bash', '--json')).stdout)).toEqual({ script: expect.any(String) });
    const webhooks = ['a', 'a', 'a-2'].map((path) => ({ url: `https://hooks.example.com/${path}`, events: ['*'] }));
    routes.set('GET /v1/schema/ten_a', answering({ data: { ...DOCUMENT, webhooks } }));
    await trivet('pull', folder);
    expect((await readdir(join(folder, 'webhooks'))).sort()).toEqual([
      'hooks-example-com-a-2-2.json',
      'hooks-example-com-a-2.json',
      'hooks-example-com-a.json',
    ]);
  });

  it('names the files of faults, and the request', async () => {
    await mkdir(join(folder, 'types'));
    await writeFile(join(folder, 'types/post.json'), '{}');
    const errors = [
      { path: 'document.types.0.fields.1.type', code: 'unsupported', message: 'No such type.' },
      { path: 'document.locales.locales.0.code', code: 'format', message: 'No code.' },
    ];
    const problem = {
      status: 422,
      code: 'validation_failed',
      detail: '2 values are not valid.',
      errors,
      request_id: 'r9',
    };
    routes.set('POST /v1/schema/ten_a/plan', answering(problem, 422));
    const { code, stderr } = await trivet('diff', folder);
    expect(code).toBe(1);
    expect(stderr).toBe(
      'error: 2 values are not valid. (validation_failed, 422)\n' +
        '  types/post.json fields.1.type: No such type.\n' +
        '  locales.json locales.0.code: No code.\n' +
        '  Request r9\n',
    );
  });

  it('listen posts events that arrive with their signature, and begins again where the stream broke', async () => {
    const received: { body: string; headers: IncomingMessage['headers'] }[] = [];
    const ended = new AbortController();
    let streams = 0;
    routes.set('GET /v1/events/ten_a', (request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      streams++;
      // From now on by the clock of the service.
      if (streams === 1) expect(request.url).not.toContain('since');
      const id = streams === 1 ? 'one' : 'two';
      if (streams === 2) expect(request.headers['last-event-id']).toBe('one');
      response.write(`retry: 1000\n:\nid: start\n\nid: ${id}\nevent: entry.created\ndata: {"id":"evt_${id}"}\n\n`);
      if (streams === 1) setTimeout(() => response.destroy(), 50);
    });
    routes.set('POST /hooks', (request, response, body) => {
      received.push({ body, headers: request.headers });
      response.writeHead(204).end();
      if (received.length === 2) ended.abort();
    });
    const output = { text: '' };
    const stream = new PassThrough().on('data', (chunk: Buffer) => (output.text += chunk.toString()));
    const env = { TRIVET_URL: url, TRIVET_TENANT: 'ten_a', TRIVET_KEY: 'a-key', XDG_CONFIG_HOME: folder };
    const terminal = { stdin: new PassThrough(), stdout: stream, stderr: new PassThrough().resume(), env };
    expect(await run(['listen', '--forward', `${url}/hooks`], terminal, ended.signal)).toBe(0);
    expect(received.map(({ body }) => body)).toEqual(['{"id":"evt_one"}', '{"id":"evt_two"}']);
    expect(received[0]?.headers).toMatchObject({
      'webhook-id': 'evt_one',
      'webhook-signature': expect.stringMatching(/^v1,/),
    });
    expect(output.text).toMatch(/^Listening\. .*\nwhsec_.*\nentry\.created +evt_one +204/);
  });

  it('export reads every list to its end, and restore needs a complete export', async () => {
    routes.set('GET /v1/schema/ten_a', answering({ data: DOCUMENT }));
    routes.set(
      'GET /v1/webhooks/ten_a',
      answering({ data: [{ url: 'https://hooks.example.com/a', signed: true, headers: { 'X-Key': '***' } }] }),
    );
    routes.set('GET /v1/content/ten_a/types/post', answering({ data: { id: 'ct_1' } }));
    routes.set('GET /v1/content/ten_a/types/post/entries', (request, response) => {
      const isFirst = request.url?.includes('cursor=&') === true || request.url?.endsWith('cursor=') === true;
      const entry = { id: isFirst ? 'ent_1' : 'ent_2', content_type_id: 'ct_1', fields: {}, status: 'draft' };
      json(response, 200, { data: [entry], meta: { per_page: 1, next_cursor: isFirst ? 'next' : null } });
    });
    const none = answering({ data: [], meta: { per_page: 1, next_cursor: null } });
    routes.set('GET /v1/content/ten_a/drafts', none);
    routes.set('GET /v1/media/ten_a', (_request, response) =>
      json(response, 500, { code: 'internal_error', detail: 'x' }),
    );
    const target = join(folder, 'all');
    expect((await trivet('export', target)).code).toBe(1);
    expect((await trivet('restore', target)).code).toBe(3);
    routes.set('GET /v1/media/ten_a', none);
    sent.length = 0;
    expect(await trivet('export', target, '--json')).toMatchObject({ code: 0, stderr: '' });
    // What was complete is not read again.
    expect(sent.map(({ route }) => route)).not.toContain('GET /v1/content/ten_a/types/post/entries');
    expect(await readFile(join(target, 'entries/post.ndjson'), 'utf8')).toBe(
      '{"id":"ent_1","fields":{},"status":"draft"}\n{"id":"ent_2","fields":{},"status":"draft"}\n',
    );
    expect((await trivet('export', target)).code).toBe(3);
  });
});
