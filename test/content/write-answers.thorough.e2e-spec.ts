import request, { type Response } from 'supertest';
import { fill, type Operation, operationsOf, readDocument } from '../support/api.js';
import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType } from '../support/content.js';
import { files } from '../support/files.js';

/** The operations that the contract of the API documents with their answers, which every key with the scope gets. */
const DOCUMENTED = [
  'post /v1/content/{tenant_id}/types',
  'put /v1/content/{tenant_id}/types/{content_type_id}',
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries',
  'patch /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}',
  'post /v1/forms/{tenant_id}',
  'post /v1/media/{tenant_id}',
  'post /v1/webhooks/{tenant_id}',
];

/** Everything that the world has begins with this. */
const SECRET = 'hush';

/** Properties whose texts are those of the service: they say what the request did. */
const WORDS = ['message', 'op', 'result', 'state'];
/** Times of what the request itself made. */
const TIMES = ['expires_at', 'requested_at'];

interface World {
  tenant: TestTenant;
  /** The IDs of its resources, by their names in paths. */
  ids: Record<string, string>;
  /** An ID that no path names. */
  other: string;
}

type Sent = Pick<Operation, 'method'> & { path: string; body?: object; type?: string; text?: string };

/** What is sent to each operation, besides what its path names. Every operation that writes is listed, or documented. */
const REQUESTS: Record<string, (world: World) => { query?: string; body?: object; type?: string; text?: string }> = {
  'delete /v1/content/{tenant_id}/types/{content_type_id}': () => ({}),
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/import': () => ({
    query: '?key=code',
    type: 'application/x-ndjson',
    text: `{"fields":{"code":"${SECRET}-code","title":"x"}}\n`,
  }),
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}': () => ({}),
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/versions/{version}/restore': () => ({}),
  'patch /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft': () => ({
    body: { fields: { title: 'sent' } },
  }),
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/review': () => ({
    body: { note: 'sent' },
  }),
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/review': () => ({}),
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/locales/{code}': () => ({
    body: { live: false },
  }),
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/presence': () => ({}),
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/presence': () => ({}),
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft': () => ({}),
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/publish': () => ({}),
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/apply': () => ({}),
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/preview-links': () => ({}),
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/preview-links': () => ({}),
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/schedule': () => ({
    body: { publish_at: '2100-01-01T00:00:00.000Z' },
  }),
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/schedule': () => ({}),
  'post /v1/content/{tenant_id}/bulk': ({ ids: { content_type_id: content_type, entry_id } }) => ({
    body: {
      operations: [
        { op: 'upsert', content_type, key: { code: `${SECRET}-code` } },
        { op: 'update', content_type, entry_id, fields: { title: 'sent' } },
        { op: 'create', content_type, fields: { title: 'sent' } },
      ],
    },
  }),
  'patch /v1/forms/{tenant_id}/{form_id}': () => ({ body: { name: 'sent' } }),
  'delete /v1/forms/{tenant_id}/{form_id}': () => ({}),
  'post /v1/forms/{tenant_id}/erasures': () => ({ body: { email: 'nobody@example.com' } }),
  'patch /v1/forms/{tenant_id}/{form_id}/submissions/{submission_id}': () => ({ body: {} }),
  'delete /v1/forms/{tenant_id}/{form_id}/submissions/{submission_id}': () => ({}),
  'post /v1/forms/{tenant_id}/{form_id}/submissions/delete': ({ ids: { submission_id = '' } }) => ({
    body: { ids: [submission_id] },
  }),
  'post /v1/forms/{tenant_id}/{form_id}/submissions/import': () => ({
    type: 'application/x-ndjson',
    text: '{"fields":{"email":"sent@example.com"}}\n',
  }),
  'post /v1/forms/{tenant_id}/{form_id}/submissions/{submission_id}/release': () => ({}),
  'post /v1/forms/{tenant_id}/{form_id}/submissions/{submission_id}/mark-spam': () => ({}),
  'patch /v1/media/{tenant_id}/{media_id}': () => ({ body: {} }),
  'delete /v1/media/{tenant_id}/{media_id}': () => ({}),
  'patch /v1/webhooks/{tenant_id}/{webhook_id}': () => ({ body: {} }),
  'delete /v1/webhooks/{tenant_id}/{webhook_id}': () => ({}),
  'post /v1/webhooks/{tenant_id}/{webhook_id}/deliveries/{delivery_id}/redeliver': () => ({}),
  'post /v1/webhooks/{tenant_id}/{webhook_id}/redeliver': () => ({ body: { since: '2026-01-01T00:00:00Z' } }),
  'post /v1/webhooks/{tenant_id}/{webhook_id}/test': () => ({}),
  'post /v1/webhooks/{tenant_id}/{webhook_id}/replay': () => ({
    body: { from: '2026-01-01T00:00:00Z', types: ['webhook.disabled'], dry_run: true },
  }),
  'delete /v1/keys/{tenant_id}/{key_id}': () => ({}),
  'post /v1/keys/{tenant_id}/{key_id}/adopt': () => ({}),
};

/** Operations that a key without a right to read is refused, with the reason. */
const REFUSED: Record<string, string> = {
  'post /v1/keys/{tenant_id}/{key_id}/adopt': 'Whoever adopts a key may do everything.',
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/preview-links':
    'Everybody who has the link reads the draft, so its maker must be allowed to.',
};

describe('the answer to a write', () => {
  let app: TestApp;
  let operations: Operation[];
  beforeAll(async () => {
    app = await startApp({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
    operations = operationsOf(await readDocument(app)).filter(
      ({ method, path, isPublic }) =>
        method !== 'get' && !isPublic && /^\/v1\/(content|forms|media|webhooks|keys)\//.test(path),
    );
  });
  afterAll(() => app.close());

  const titleOf = ({ method, path }: Operation) => `${method} ${path}`;
  const keyWith = async (tenant: TestTenant, scopes: string[]): Promise<{ id: string; key: string; http: Http }> => {
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: SECRET, scopes }).expect(201);
    return { ...body.data, http: app.client(`Bearer ${body.data.key}`) };
  };

  const content = async (tenant: TestTenant) => {
    const text = { name: 'title', type: 'text' };
    const locales = [{ code: 'en' }, { code: 'de' }];
    await tenant.http.put(`/v1/locales/${tenant.id}`, { default: 'en', locales }).expect(200);
    const note = { name: 'note', type: 'text', localized: true };
    const type = await createType(tenant, [text, { name: 'code', type: 'text', unique: true }, note], `${SECRET} type`);
    const own = { fields: { title: `${SECRET}-live`, code: `${SECRET}-entry` } };
    const keyed = { fields: { title: `${SECRET}-keyed`, code: `${SECRET}-code` } };
    const [entry_id = '', other = ''] = await createEntries(tenant, type, [own, keyed]);
    const entry = `${type.entries}/${entry_id}`;
    await tenant.http.patch(entry, { fields: { title: `${SECRET}-second` } }).expect(200);
    await tenant.http.patch(`${entry}?locale=de`, { fields: { note: `${SECRET}-note` } }).expect(200);
    await tenant.http.patch(`${entry}/draft`, { fields: { title: `${SECRET}-draft` } }).expect(200);
    await tenant.http.put(`${entry}/draft/review`, { note: SECRET }).expect(200);
    await tenant.http.put(`${entry}/schedule`, { unpublish_at: '2099-01-01T00:00:00Z' }).expect(200);
    return { other, ids: { content_type_id: type.id, entry_id, version: '1', code: 'de' } };
  };
  const forms = async (tenant: TestTenant) => {
    const form = {
      name: `${SECRET} form`,
      fields: [{ name: 'words', type: 'text', help: SECRET }],
      notify_email: `${SECRET}@example.com`,
    };
    const form_id = (await tenant.http.post(`/v1/forms/${tenant.id}`, form).expect(201)).body.data.id as string;
    const submitted = await app
      .client(undefined, { 'X-Forwarded-For': `10.40.0.${Math.floor(Math.random() * 250)}` })
      .post(`/v1/forms/${tenant.id}/${form_id}/submissions`, { fields: { words: SECRET } })
      .expect(201);
    return { form_id, submission_id: submitted.body.data.id as string };
  };
  const webhooks = async (tenant: TestTenant) => {
    const path = `/v1/webhooks/${tenant.id}`;
    const webhook = { url: `https://127.0.0.1:1/${SECRET}`, events: ['media.uploaded'], description: SECRET };
    const webhook_id = (await tenant.http.post(path, webhook).expect(201)).body.data.id as string;
    const tested = await tenant.http.post(`${path}/${webhook_id}/test`).expect(202);
    return { webhook_id, delivery_id: tested.body.data.id as string };
  };
  const media = async (tenant: TestTenant) => {
    const upload = request(app.url).post(`/v1/media/${tenant.id}`).set('Authorization', `Bearer ${tenant.key}`);
    const { body } = await upload
      .field('alt', SECRET)
      .attach('file', await files.png(), `${SECRET}.png`)
      .expect(201);
    return { media_id: body.data.id as string };
  };
  /** A tenant with everything that paths can name. */
  const world = async (area: string): Promise<World> => {
    const tenant = app.tenant();
    const base = { tenant_id: tenant.id };
    if (area === 'content') {
      const { ids, other } = await content(tenant);
      return { tenant, other, ids: { ...base, ...ids } };
    }
    const making: Record<string, (tenant: TestTenant) => Promise<Record<string, string>>> = { forms, webhooks, media };
    const made = await making[area]?.(tenant);
    const { id: key_id } = await keyWith(tenant, ['keys:write']);
    return { tenant, other: '', ids: { ...base, key_id, ...made } };
  };

  const sentTo = (operation: Operation, { ids, ...more }: World): Sent => {
    const { query = '', ...sent } = REQUESTS[titleOf(operation)]?.({ ids, ...more }) ?? {};
    return { method: operation.method, path: fill(operation.path, ids) + query, ...sent };
  };
  const send = async ({ method, path, body, type, text }: Sent, key: string) => {
    const test = request(app.url)[method](path).set('Authorization', `Bearer ${key}`).buffer(true);
    if (type !== undefined) return test.set('Content-Type', type).send(text).parse(asText);
    return body === undefined ? test : test.send(body);
  };

  it('is considered for every operation that writes', () => {
    const titles = operations.map(titleOf);
    const unknown = titles.filter((title) => !(title in REQUESTS) && !DOCUMENTED.includes(title));
    // The answers to the creation of a key and of a link are these.
    expect(unknown).toEqual(['post /v1/keys/{tenant_id}', 'post /v1/keys/{tenant_id}/sign-in-links']);
    expect([...Object.keys(REQUESTS), ...DOCUMENTED].filter((title) => !titles.includes(title))).toEqual([]);
  });

  it('tells a key that may not read nothing but what it sent, and the IDs of what it made', async () => {
    const wrong: string[] = [];
    for (const operation of operations.filter((one) => titleOf(one) in REQUESTS)) {
      const [, area = ''] = /^\/v1\/([^/]+)\//.exec(operation.path) ?? [];
      const scope = operation.scopes.at(-1) ?? '';
      const limited = [
        ['content:read:published', scope],
        ['content:read@note', `${scope}@hush-type`],
      ];
      for (const scopes of [[scope], ...(area === 'content' ? limited : [])]) {
        const made = await world(area);
        if (area === 'content') await createType(made.tenant, [{ name: 'title', type: 'text' }], 'Note');
        const { key } = await keyWith(made.tenant, scopes);
        const sent = sentTo(operation, made);
        const { status, body } = await send(sent, key);
        const title = `${titleOf(operation)} with ${scopes.join()}`;
        if (titleOf(operation) in REFUSED) {
          if (status !== 403) wrong.push(`${title} answers ${status}.`);
          continue;
        }
        if (status >= 300) wrong.push(`${title} answers ${status}: ${JSON.stringify(body)}`);
        const known = JSON.stringify([sent, made.ids]);
        // A key for published entries may read what it publishes.
        if (sent.path.endsWith('/draft/publish') && scopes.includes('content:read:published')) continue;
        for (const [path, value] of leavesOf(body)) {
          const name = path.split('.').at(-1) ?? '';
          const isKnown = known.includes(JSON.stringify(value));
          const isNew = typeof value === 'string' && /^[a-z]+_[0-9a-z]{26}$/.test(value) && value !== made.other;
          const isOurs = typeof value !== 'string' ? isCount(path) : WORDS.includes(name) || TIMES.includes(name);
          if (!isKnown && !isNew && !isOurs) wrong.push(`${title} tells ${path}: ${String(value)}`);
          if (!isKnown && String(value).includes(SECRET)) wrong.push(`${title} tells ${path}: ${String(value)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  }, 240_000);

  describe('of a key that may only write', () => {
    let made: World;
    let http: Http;
    const contentPath = (path: string) =>
      fill(`/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}${path}`, made.ids);
    beforeEach(async () => {
      made = await world('content');
      http = (await keyWith(made.tenant, ['content:write', 'media:write'])).http;
    });
    const bulk = async (fields: object, dry_run: boolean, by = http) => {
      const upsert = {
        op: 'upsert',
        content_type: made.ids['content_type_id'],
        key: { code: `${SECRET}-code` },
        fields,
      };
      const { body } = await by
        .post(`/v1/content/${made.tenant.id}/bulk`, { operations: [upsert], dry_run })
        .expect(200);
      return body as { data: object[]; meta: object };
    };

    it('refuses to read a draft by saving nothing', async () => {
      for (const body of [{}, { fields: {} }]) {
        await http.patch(contentPath('/draft'), body).expect(403);
        await made.tenant.http.patch(contentPath('/draft'), body).expect(200);
      }
      await made.tenant.http.delete(contentPath('/draft')).expect(200);
      await http.patch(contentPath('/draft'), {}).expect(403);
    });

    it('does not tell by a key which entry has it, nor which values it has', async () => {
      const hidden = [{ op: 'upsert', result: 'updated' }];
      for (const isDry of [true, false]) {
        for (const fields of [{ title: 'x' }, { title: `${SECRET}-keyed` }, {}]) {
          const { data, meta } = await bulk(fields, isDry);
          expect([data, meta]).toEqual([hidden, expect.objectContaining({ updated: 1, unchanged: 0 })]);
        }
      }
      const { data } = await bulk({}, true, made.tenant.http);
      expect(data).toEqual([{ op: 'upsert', entry_id: made.other, result: 'unchanged', version: expect.any(Number) }]);
    });

    it('counts a line of an import as updated that changes nothing', async () => {
      const path = `/v1/content/${made.tenant.id}/types/${made.ids['content_type_id']}/entries/import?key=code&dry_run=true`;
      const { key } = await keyWith(made.tenant, ['content:write']);
      for (const title of ['x', `${SECRET}-keyed`]) {
        const text = JSON.stringify({ fields: { code: `${SECRET}-code`, title } });
        const { body } = await send({ method: 'post', path, type: 'application/x-ndjson', text }, key);
        expect(body).toMatchObject([{ updated: 1, unchanged: 0 }]);
      }
    });

    it('has no samples of entries in the plan of a change', async () => {
      const path = fill('/v1/content/{tenant_id}/types/{content_type_id}?dry_run=true', made.ids);
      const fields = [{ name: 'title', type: 'integer' }];
      const samplesOf = async (by: Http) => {
        const { body } = await by.put(path, { fields }).expect(200);
        return (body as { data: { steps: { op: string; samples: object[] }[] } }).data.steps.map(({ op, samples }) => [
          op,
          samples.length,
        ]);
      };
      expect(await samplesOf(made.tenant.http)).toContainEqual(['retype', 2]);
      expect(await samplesOf(http)).toContainEqual(['retype', 0]);
      const published = await keyWith(made.tenant, ['content:write', 'content:read:published']);
      expect(await samplesOf(published.http)).toContainEqual(['retype', 0]);
    });

    it('does not list the entries that use a media file', async () => {
      const { media_id = '' } = await media(made.tenant);
      const type = await createType(made.tenant, [{ name: 'cover', type: 'media' }], 'Page');
      await createEntries(made.tenant, type, [{ fields: { cover: { id: media_id } } }]);
      const errorsFor = async (by: Http) =>
        ((await by.delete(`/v1/media/${made.tenant.id}/${media_id}`).expect(409)).body as { errors?: object[] })
          .errors ?? [];
      expect(await errorsFor(made.tenant.http)).toHaveLength(1);
      expect(await errorsFor(http)).toEqual([]);
      // It reads media files, and published entries at most.
      expect(await errorsFor((await keyWith(made.tenant, ['media:read', 'media:write'])).http)).toEqual([]);
    });

    it('is not the answer that a key got that may read', async () => {
      const once = { 'Idempotency-Key': 'guessed' };
      const body = { fields: { title: 'sent' } };
      const { key } = await keyWith(made.tenant, ['content:write']);
      const by = (text: string) => app.client(`Bearer ${text}`, once).patch(contentPath('/draft'), body);
      await by(made.tenant.key).expect(200);
      const { body: refused } = await by(key).expect(422);
      expect(refused).toMatchObject({ code: 'idempotency_key_reused' });
      const again = await by(made.tenant.key).expect(200);
      expect(again.headers['idempotency-replayed']).toBe('true');
    });

    it('is the same when it is repeated, also if it is large', async () => {
      const type = await createType(made.tenant, [{ name: 'body', type: 'rich_text' }], 'Large');
      const [id] = await createEntries(made.tenant, type, [{ fields: { body: SECRET } }]);
      const { key } = await keyWith(made.tenant, ['content:write']);
      for (const path of [type.entries, `${type.entries}/${id}/draft`]) {
        const sendOnce = () => {
          const client = app.client(`Bearer ${key}`, { 'Idempotency-Key': path });
          const body = { fields: { body: 'x'.repeat(300_000) } };
          return path === type.entries ? client.post(path, body) : client.patch(path, body);
        };
        const first = await sendOnce();
        const second = await sendOnce();
        expect([second.status, second.headers['idempotency-replayed']]).toEqual([first.status, 'true']);
        expect(second.text).toBe(first.text);
      }
    });
  });
});

/** Reads the lines of an import. */
function asText(response: Response, done: (error: Error | null, body: unknown) => void): void {
  let text = '';
  const stream = response as unknown as NodeJS.ReadableStream;
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  stream.on('end', () =>
    done(
      null,
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ),
  );
}

function leavesOf(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, path === '' ? name : `${path}.${name}`));
}

/** Numbers of what the request did, and the version of an entry that it created. */
function isCount(path: string): boolean {
  return /^(meta|\d+)\.|^data\.(count|submissions|files|mails|deliveries|done_at)$|^data\.2\.version$/.test(path);
}
