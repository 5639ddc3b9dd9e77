import type { OpenAPIObject } from '@nestjs/swagger';
import { fill, type Operation, operationsOf, readDocument } from '../support/api.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { scenariosOf } from '../support/extensions.js';
import { playScenario, type Resources } from '../support/scenario.js';

/** A new value for each property of the body of an update. A property that is not here fails the test. */
const SAMPLES: Record<string, Record<string, unknown>> = {
  'put /v1/locales/{tenant_id}': {
    default: 'en',
    locales: [
      { code: 'en', name: 'English', fallback: null },
      { code: 'de', name: 'German', fallback: 'en' },
    ],
  },
  'put /v1/content/{tenant_id}/types/{content_type_id}': {
    name: 'Another name',
    slug: 'another-slug',
    public: true,
    language: 'en',
    preview_url: 'https://site.example/{title}?preview={token}',
    fields: [{ name: 'title', type: 'text', label: 'A title' }],
  },
  'patch /v1/forms/{tenant_id}/{form_id}': {
    name: 'Another form',
    slug: 'another-form',
    fields: [{ name: 'email', type: 'email', label: 'An address' }],
    notify_email: 'other@acme.example',
    settings: { rate_limit: 20 },
  },
  'patch /v1/forms/{tenant_id}/{form_id}/submissions/{submission_id}': { state: 'read', note: 'Answered' },
  'patch /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}': {
    fields: { title: 'Another title' },
    status: 'draft',
  },
  'patch /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft': {
    fields: { title: 'A draft title' },
  },
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/schedule': {
    publish_at: '2100-01-31T09:30:00.000Z',
    unpublish_at: '2100-02-28T09:30:00.000Z',
    locales: ['en'],
  },
  'patch /v1/users/{tenant_id}/{user_id}': { role: 'editor' },
  'patch /v1/roles/{tenant_id}/{role_id}': {
    name: 'Another role',
    scopes: ['content:read', 'forms:read'],
    locales: ['fr'],
  },
  'patch /v1/media/{tenant_id}/{media_id}': { alt: 'Another description' },
  'patch /v1/webhooks/{tenant_id}/{webhook_id}': {
    url: 'https://127.0.0.1:1/another',
    events: ['media.deleted'],
    active: false,
    secret: 'another',
    description: 'Another description',
    headers: { 'X-Site': 'another' },
    filters: { status: 'draft' },
    payload: 'thin',
    max_concurrency: 7,
    ordered: true,
  },
};

/** Properties of an update that the resource does not show. */
const HIDDEN: Record<string, string> = {
  'patch /v1/webhooks/{tenant_id}/{webhook_id} secret': 'No response contains a secret. See webhooks.e2e-spec.ts.',
  'patch /v1/webhooks/{tenant_id}/{webhook_id} headers': 'Their values are hidden. See webhook-options.e2e-spec.ts.',
};

/** Updates that replace the whole resource. */
const REPLACING: Record<string, string> = {
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/schedule':
    'A schedule without one of its times could not be sent otherwise.',
  'put /v1/locales/{tenant_id}': 'The default is one of the locales.',
};

/** Properties that another one must be sent with. */
const TOGETHER: Record<string, string> = {
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/schedule locales': 'publish_at',
};

/** Properties that every update changes. */
const ALWAYS = ['updated_at'];

type Resource = Record<string, unknown>;

describe('every update of the OpenAPI document', () => {
  let app: TestApp;
  let document: OpenAPIObject;
  let updates: Operation[];
  let tenant: TestTenant;
  let ids: Resources;
  beforeAll(async () => {
    app = await startApp({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
    for (const { updates: samples = {} } of await scenariosOf(app)) Object.assign(SAMPLES, samples);
    document = await readDocument(app);
    const operations = operationsOf(document);
    const isRead = ({ path }: Operation) => operations.some((one) => one.method === 'get' && one.path === path);
    const hasBody = ({ method, path }: Operation) => document.paths[path]?.[method]?.requestBody !== undefined;
    // What people change of themselves is tested in test/people.
    updates = operations.filter(
      (one) => (one.method === 'put' || one.method === 'patch') && isRead(one) && !one.inSession && hasBody(one),
    );
    tenant = app.tenant();
    ids = (await playScenario(app, tenant)).resources;
  }, 240_000);
  afterAll(() => app.close());

  const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

  it('has a sample for each property of its body', () => {
    const missing = updates.flatMap((update) =>
      Object.keys(bodyOf(document, update).properties ?? {})
        .filter((property) => !(property in (SAMPLES[nameOf(update)] ?? {})))
        .map(
          (property) =>
            `${nameOf(update)} takes ${property}: add a value to SAMPLES of test/content/updates.thorough.e2e-spec.ts (an extension: to updates of its <name>.scenario.ts).`,
        ),
    );
    expect(missing).toEqual([]);
    expect(Object.keys(SAMPLES).sort()).toEqual(updates.map(nameOf).sort());
  });

  it('stores each property, and changes nothing else unless it replaces the resource', async () => {
    const wrong: string[] = [];
    for (const update of updates) {
      const path = fill(update.path, { ...ids, tenant_id: tenant.id });
      const samples = Object.entries(SAMPLES[nameOf(update)] ?? {});
      const { required = [] } = bodyOf(document, update);
      for (const [property, value] of samples) {
        const before = await read(path);
        const name = `${nameOf(update)} ${property}`;
        const needed = [property, TOGETHER[name], ...required];
        const sent = samples.filter(([one]) => needed.includes(one));
        await tenant.http[update.method](path, Object.fromEntries(sent)).expect(200);
        const after = await read(path);
        if (!contains(after[property], value) && !(name in HIDDEN)) wrong.push(`${name} is not stored.`);
        if (nameOf(update) in REPLACING) continue;
        const others = Object.keys({ ...before, ...after }).filter((one) => one !== property && !ALWAYS.includes(one));
        const changed = others.filter((one) => JSON.stringify(before[one]) !== JSON.stringify(after[one]));
        wrong.push(...changed.map((other) => `${name} also changes ${other}.`));
      }
    }
    expect(wrong).toEqual([]);
  });

  const read = async (path: string) => (await tenant.http.get(path).expect(200)).body.data as Resource;
});

/** The schema of the body of an operation. */
function bodyOf({ paths, components }: OpenAPIObject, { method, path }: Operation) {
  const body = JSON.stringify(paths[path]?.[method]?.requestBody);
  const schema = components?.schemas?.[/#\/components\/schemas\/(\w+)/.exec(body)?.[1] ?? ''];
  return schema && 'properties' in schema ? schema : {};
}

/** Whether a value is the one that was sent, or an object with the properties that were sent. */
function contains(value: unknown, sent: unknown): boolean {
  if (isObject(sent) && isObject(value)) return Object.keys(sent).every((name) => contains(value[name], sent[name]));
  return JSON.stringify(value) === JSON.stringify(sent);
}

function isObject(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
