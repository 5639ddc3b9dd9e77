import { loadModules } from '../../src/load-modules.js';
import { keyScopes } from '../../src/modules/installed-modules.js';
import { type Method, type Operation, operationsOf, readDocument, send } from '../support/api.js';
import { scenariosOf } from '../support/extensions.js';
import { startApp, type TestApp } from '../support/app.js';

const OF_DRAFTERS =
  'It changes drafts, and entries that are not published: test/content/content-draft.thorough.e2e-spec.ts.';

/**
 * Operations whose scopes differ from the rule: the area of the path, and `read` for GET, `write` for every other method. Each has a
 * reason.
 */
const EXCEPTIONS: Record<string, { also: readonly string[]; reason: string }> = {
  'get /v1/locales/{tenant_id}': {
    also: ['content:read:published'],
    reason: 'A website needs the languages that it can be read in.',
  },
  'get /v1/content/{tenant_id}/types': {
    also: ['content:read:published'],
    reason: 'A website needs the definitions of the fields that it shows.',
  },
  'get /v1/content/{tenant_id}/types/{content_type_id}': {
    also: ['content:read:published'],
    reason: 'A website needs the definitions of the fields that it shows.',
  },
  'get /v1/content/{tenant_id}/types/{content_type_id}/schema.json': {
    also: ['content:read:published'],
    reason: 'It says what the definitions say.',
  },
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries': {
    also: ['content:read:published'],
    reason: 'The list contains only published entries for such a key.',
  },
  'get /v1/content/{tenant_id}/search': {
    also: ['content:read:published'],
    reason: 'The search finds only published entries for such a key.',
  },
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries/export': {
    also: ['content:read:published'],
    reason: 'The export contains only published entries for such a key.',
  },
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}': {
    also: ['content:read:published'],
    reason: 'A draft is not found with such a key.',
  },
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries/by/{field}/{value}': {
    also: ['content:read:published'],
    reason: 'A draft is not found with such a key.',
  },
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/referrers': {
    also: ['content:read:published'],
    reason: 'The list contains only published entries for such a key, and those of a draft are not found.',
  },
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries': { also: ['content:draft'], reason: OF_DRAFTERS },
  'patch /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}': {
    also: ['content:draft'],
    reason: OF_DRAFTERS,
  },
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}': {
    also: ['content:draft'],
    reason: OF_DRAFTERS,
  },
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/import': {
    also: ['content:draft'],
    reason: OF_DRAFTERS,
  },
  'post /v1/content/{tenant_id}/bulk': { also: ['content:draft'], reason: OF_DRAFTERS },
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/versions/{version}/restore': {
    also: ['content:draft'],
    reason: OF_DRAFTERS,
  },
  'patch /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft': {
    also: ['content:draft'],
    reason: OF_DRAFTERS,
  },
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft': {
    also: ['content:draft'],
    reason: OF_DRAFTERS,
  },
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/apply': {
    also: ['content:draft'],
    reason: OF_DRAFTERS,
  },
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/review': {
    also: ['content:draft'],
    reason: OF_DRAFTERS,
  },
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/review': {
    also: ['content:draft'],
    reason: OF_DRAFTERS,
  },
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/locales/{code}': {
    also: ['content:draft'],
    reason: OF_DRAFTERS,
  },
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/presence': {
    also: ['content:draft'],
    reason: OF_DRAFTERS,
  },
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/presence': {
    also: ['content:draft'],
    reason: OF_DRAFTERS,
  },
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/preview-links': {
    also: ['content:draft'],
    reason: OF_DRAFTERS,
  },
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/preview-links': {
    also: ['content:draft'],
    reason: OF_DRAFTERS,
  },
};

/** Areas of paths whose operations need other scopes, with the reason. */
const AREAS: Record<string, { scopes: (right: string) => readonly string[]; reason: string }> = {
  keys: {
    scopes: () => ['*', 'keys:write'],
    reason: 'Who may make keys could give itself every scope of its own for longer.',
  },
  users: {
    scopes: (right) => ['*', `users:${right}`],
    reason: 'Who may write everything else could otherwise invite somebody who may do more.',
  },
  roles: {
    scopes: (right) => ['*', `users:${right}`],
    reason: 'Roles are a matter of the members who have them.',
  },
  contract: {
    scopes: (right) => ['*', right, `content:${right}`],
    reason: 'The contract tells of the content types.',
  },
};

/** What an operation shows from several areas: without `*` and `read`, a key needs all of these scopes. */
const TOGETHER: Record<string, readonly string[]> = Object.fromEntries(
  ['get /v1/schema/{tenant_id}', 'post /v1/schema/{tenant_id}/plan'].map((title) => [
    title,
    ['content:read', 'forms:read', 'webhooks:read'],
  ]),
);

/** Scopes that a key may have together. Each must allow no more than the union of its parts. */
const COMBINATIONS = [
  ['read', 'write'],
  ['content:read:published', 'content:write'],
  ['content:read', 'content:draft'],
  ['content:read:published', 'forms:read'],
  ['content:read:published', 'write'],
  ['content:read', 'media:read', 'events:read'],
  ['forms:read', 'forms:write', 'webhooks:read', 'webhooks:write'],
  ['content:read', 'forms:read', 'webhooks:read'],
];

const TENANT = 'ten_scopes';

describe('the scopes of every operation', () => {
  let app: TestApp;
  let operations: Operation[];
  /** The scopes of each key. */
  let keys: (readonly string[])[];
  beforeAll(async () => {
    await loadModules((process.env['EXTENSIONS'] ?? '').split(',').filter(Boolean));
    keys = [...keyScopes().map((scope) => [scope]), ...COMBINATIONS];
    const api_keys = keys.map((scopes) => ({ name: nameOf(scopes), key: nameOf(scopes), scopes }));
    app = await startApp({ TENANTS: JSON.stringify([{ id: TENANT, name: 'Scopes', api_keys }]) });
    for (const { scopes } of await scenariosOf(app)) Object.assign(EXCEPTIONS, scopes);
    // A session that concerns no tenant has no scopes.
    operations = operationsOf(await readDocument(app)).filter(({ isPublic, scopes }) => !isPublic && scopes.length > 0);
  });
  afterAll(() => app.close());

  it('are those of its path and method, or an exception that is listed here with its reason', () => {
    const wrong = operations.flatMap((operation) => {
      const expected = expectedScopes(operation);
      if (sorted(operation.scopes) === sorted(expected)) return [];
      const [, area] = /^\/v1\/([^/]+)\//.exec(operation.path) ?? [];
      return `${titleOf(operation)} requires one of [${sorted(operation.scopes)}], but its path and method need [${sorted(expected)}].
  Declare @RequiresKey('${area}', '${rightOf(operation.method)}') at its handler, or list it in EXCEPTIONS of test/keys/scopes.thorough.e2e-spec.ts with the reason (an extension: in scopes of its <name>.scenario.ts).`;
    });
    expect(wrong).toEqual([]);
    const known = operations.map(titleOf);
    expect(Object.keys(EXCEPTIONS).filter((title) => !known.includes(title))).toEqual([]);
  });

  it('can all be given to a key, and every scope that a key can have is used', () => {
    const used = new Set(operations.flatMap(({ scopes }) => scopes));
    const configurable = keyScopes();
    const impossible = [...used].filter((scope) => !configurable.includes(scope));
    const useless = configurable.filter((scope) => !used.has(scope));
    expect([
      ...impossible.map((scope) => `${scope} is required by an operation, but no room declares it as a right.`),
      ...useless.map((scope) => `${scope} can be given to a key, but no operation requires it.`),
    ]).toEqual([]);
  });

  it('let a key send exactly the requests that they allow', async () => {
    const wrong: string[] = [];
    for (const scopes of keys) {
      for (const operation of operations) {
        const together = TOGETHER[titleOf(operation)];
        const isAllowed = together
          ? ['*', 'read'].some((scope) => scopes.includes(scope)) || together.every((scope) => scopes.includes(scope))
          : expectedScopes(operation).some((scope) => scopes.includes(scope));
        // The resources do not exist, so that an allowed request changes nothing.
        const path = operation.path.replace('{tenant_id}', TENANT).replace(/\{\w+\}/g, 'unknown');
        const { status, body } = await send(app, { ...operation, path, body: operation.body && {} }, nameOf(scopes));
        const isRefused = status === 403 && body.code === 'forbidden';
        if (isRefused !== isAllowed && status !== 401) continue;
        const expected = isAllowed ? 'be allowed' : 'be refused with 403';
        wrong.push(`With ${nameOf(scopes)}, ${titleOf(operation)} answered ${status} and should ${expected}.`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

function expectedScopes({ method, path }: Operation): string[] {
  const [, named] = /^\/v1\/([^/]+)\//.exec(path) ?? [];
  // The locales are those of the content.
  const area = named === 'locales' ? 'content' : named;
  const right = rightOf(method);
  // What a tenant has concerns no area alone, so every scope that reads one is enough.
  if (area === 'usage')
    return ['*', right, ...keyScopes().filter((scope) => scope.endsWith(`:${right}`) && !isApart(scope))];
  // What is moved in from elsewhere does not count as sent.
  if (path.endsWith('/submissions/import')) return ['*'];
  if (area === 'schema') return path.endsWith('/apply') ? ['*'] : ['*', 'read', 'content:read'];
  if (area !== undefined && area in AREAS) return [...(AREAS[area]?.scopes(right) ?? [])];
  return ['*', right, `${area}:${right}`, ...(EXCEPTIONS[`${method} ${path}`]?.also ?? [])];
}

/** Whether the scope is part of `*` alone. */
function isApart(scope: string): boolean {
  return /^(keys|users):/.test(scope);
}

function rightOf(method: Method): 'read' | 'write' {
  return method === 'get' ? 'read' : 'write';
}

function titleOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function nameOf(scopes: readonly string[]): string {
  return scopes.join('+');
}

function sorted(scopes: readonly string[]): string {
  return [...scopes].sort().join(', ');
}
