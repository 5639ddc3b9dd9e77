import { ModulesContainer } from '@nestjs/core';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { requestedShape } from '../../../src/content/reading/shape.js';
import { PARAMETERS } from '../../../src/http/parameters.js';
import { formatId, newUuid } from '../../../src/ids/type-id.js';
import type { TestApp, TestTenant } from '../../support/app.js';
import { fill, METHODS, type Operation, send } from '../../support/api.js';
import { makePerson, signIn } from '../../support/people.js';
import type { Resources } from '../../support/scenario.js';
import { played } from './played.js';

/** Routes of the service outside the documented API. */
const OPERATIONAL = [
  'get /console',
  'get /console/*path',
  'get /console/assets/{name}',
  'get /console/preview-frame',
  'get /docs/*',
  'get /f/embed.js',
  'get /f/page.js',
  'get /f/token.js',
  'get /f/{tenant_id}/{form_id}',
  'get /guides/*',
  'get /health/live',
  'get /health/ready',
  'get /metrics',
  'get /openapi.json',
  'get /problems',
  'get /problems/{code}',
  'post /mcp/{tenant_id}',
];

const MALFORMED = [
  'nope',
  '0',
  '%00',
  '%20',
  '..%2F',
  'undefined',
  "';--",
  'ct_',
  `ent_${'z'.repeat(26)}`,
  'x'.repeat(3000),
];

describe('every route of the OpenAPI document', () => {
  let app: TestApp;
  let operations: Operation[];
  let mine: TestTenant;
  let other: TestTenant;
  let myIds: Resources;
  let otherIds: Resources;
  /** The headers of a session of a person. */
  let session: Record<string, string>;
  beforeAll(async () => {
    ({ app, operations } = played);
    ({ tenant: mine, resources: myIds } = played.mine);
    ({ tenant: other, resources: otherIds } = played.other);
    const { cookie } = await signIn(app, await makePerson(app, [mine.id]));
    session = { Cookie: cookie, 'X-Trivet-Console': '1', Origin: app.publicUrl };
  });

  const withKey = () => operations.filter(({ isPublic, inSession }) => !isPublic && !inSession);
  const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
  const refusesUnknown = ({ codes }: Operation) => codes.includes('unknown_parameter');
  /** The value of a unique field is no ID, and what it finds is tested with these lookups. */
  const idsIn = ({ path }: Operation) =>
    [...path.matchAll(/\{(\w+)\}/g)]
      .map(([, name]) => name ?? '')
      .filter((name) => name !== 'field' && name !== 'value');
  const to = (operation: Operation, ids: Record<string, string>) => ({ ...operation, path: fill(operation.path, ids) });

  /** Sends one request for each case, and reports the responses that differ from what is expected. */
  const expectAll = async (
    cases: { operation: Operation; path: string; key?: string; address?: string }[],
    status: number,
    code: string,
  ) => {
    expect(cases.length).toBeGreaterThan(0);
    const wrong: string[] = [];
    for (const [index, { operation, path, key }] of cases.entries()) {
      // Each request has its own address, so that the limits of failed authentication and submissions do not apply.
      const isInSession = operation.inSession && key !== undefined;
      const answer = await send(
        app,
        { ...operation, path },
        isInSession ? undefined : key,
        isInSession ? session : {},
      ).set('X-Forwarded-For', `10.7.${index >> 8}.${index & 255}`);
      if (answer.status !== status || answer.body.code !== code) {
        wrong.push(
          `${nameOf(operation)} as ${path.slice(0, 200)}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`,
        );
      }
    }
    expect(wrong).toEqual([]);
  };

  it('is documented, and every documented one exists', () => {
    const documented = [...operations.map(nameOf), ...OPERATIONAL].sort();
    expect(routesOf(app)).toEqual(documented);
  });

  it('answers 401 without a key', async () => {
    const ids = { ...myIds, tenant_id: mine.id };
    await expectAll(
      operations
        .filter(({ isPublic }) => !isPublic)
        .map((operation) => ({ operation, path: fill(operation.path, ids) })),
      401,
      'unauthorized',
    );
  });

  it('answers 403 for another tenant than the key’s, and for one that does not exist', async () => {
    for (const tenant_id of [other.id, 'ten_nobody', 'nonsense']) {
      const ids = { ...otherIds, tenant_id };
      await expectAll(
        withKey().map((operation) => ({ operation, path: fill(operation.path, ids), key: mine.key })),
        403,
        'forbidden',
      );
    }
  });

  it('answers 404 for another tenant’s resources under the key’s tenant', async () => {
    const cases = withKey().flatMap((operation) =>
      idsIn(operation)
        // A version belongs to the resource whose ID stands before it, and the code of a locale is no ID.
        .filter((name) => name !== 'tenant_id' && name !== 'version' && name !== 'code')
        .map((name) => {
          const theirs = otherIds[name] ?? '';
          return {
            operation,
            path: fill(operation.path, { ...myIds, tenant_id: mine.id, [name]: theirs }),
            key: mine.key,
          };
        }),
    );
    await expectAll(cases, 404, 'not_found');
    await expectUntouched();
  });

  it('answers 404 for a malformed ID, an ID of another kind and an unknown ID', async () => {
    const cases = withKey().flatMap((operation) =>
      idsIn(operation)
        .filter((name) => name !== 'tenant_id')
        .flatMap((name) => {
          const wrong = [...MALFORMED, formatId('evt', newUuid()), mine.id];
          return wrong.map((id) => ({
            operation,
            path: fill(operation.path, { ...myIds, tenant_id: mine.id, [name]: id }),
            key: mine.key,
          }));
        }),
    );
    await expectAll(cases, 404, 'not_found');
  }, 240_000);

  it('answers 404 for public resources that do not exist', async () => {
    const cases = operations
      .filter(({ isPublic, path }) => isPublic && path.includes('{'))
      .flatMap((operation) =>
        [...MALFORMED, formatId('frm', newUuid()), 'no-such-slug'].flatMap((id) => [
          { operation, path: fill(operation.path, { tenant_id: mine.id, form_id: id, file: id, token: id }) },
          { operation, path: fill(operation.path, { ...myIds, tenant_id: id }) },
          { operation, path: fill(operation.path, { ...otherIds, tenant_id: mine.id }) },
        ]),
      )
      // Every tenant may have a form with this slug. This test addresses forms by ID.
      .filter(({ path }) => !path.includes('/contact/'));
    await expectAll(cases, 404, 'not_found');
  });

  it('answers 400 to an unknown query parameter', async () => {
    const ids = { ...myIds, tenant_id: mine.id };
    for (const query of ['nope=1', 'Page=1', 'page%20=1', 'constructor=1', 'access_token=x']) {
      const cases = operations.filter(refusesUnknown).map((operation) => ({
        operation,
        path: `${fill(operation.path, ids)}?${query}`,
        key: operation.isPublic ? undefined : mine.key,
      }));
      await expectAll(cases, 400, 'unknown_parameter');
    }
  });

  it('ignores unknown query parameters only where people follow links', () => {
    expect(operations.filter((operation) => !refusesUnknown(operation)).map(nameOf)).toEqual([
      'get /v1/preview/{token}',
      'get /media/{tenant_id}/{file}',
      'get /v1/oidc/{provider}/callback',
    ]);
  });

  it('answers 405 with Allow to every other method', async () => {
    const paths = new Map<string, string[]>();
    for (const { path, method } of operations) paths.set(path, [...(paths.get(path) ?? []), method]);
    for (const [path, methods] of paths) {
      for (const method of METHODS.filter((one) => !methods.includes(one))) {
        // `…/entries/import` is an entry for the methods of entries.
        if (operations.some((other) => other.method === method && isCase(path, other.path))) continue;
        const { status, headers } = await send(
          app,
          to(
            { method, path, responses: {}, codes: [], query: [], scopes: [], isPublic: true, inSession: false },
            { ...myIds, tenant_id: mine.id },
          ),
          mine.key,
        );
        const allowed = headers['allow']?.toLowerCase().split(', ');
        expect([method, path, status, allowed]).toEqual([method, path, 405, expect.arrayContaining(methods)]);
      }
    }
  });

  it('accepts only well-formed JSON (for an upload, multipart) bodies', async () => {
    const ids = { ...myIds, tenant_id: mine.id };
    for (const operation of operations.filter(({ body }) => body)) {
      const isUpload = operation.path === '/v1/media/{tenant_id}';
      // The lines of an import are checked one by one.
      if (operation.path.endsWith('/import')) continue;
      const post = (type: string, body: string) =>
        send(
          app,
          { ...to(operation, ids), body: undefined },
          operation.inSession ? undefined : mine.key,
          operation.inSession ? session : {},
        )
          .set('X-Forwarded-For', '10.8.0.1')
          .set('Content-Type', type)
          .send(body);
      expect([nameOf(operation), (await post('text/plain', 'x')).status]).toEqual([nameOf(operation), 415]);
      const malformed = isUpload
        ? await post('multipart/form-data; boundary=x', 'x')
        : await post('application/json', '{');
      expect([nameOf(operation), malformed.status]).toEqual([nameOf(operation), 400]);
    }
  });

  it('refuses the cursor of every other list', async () => {
    const ids = { ...myIds, tenant_id: mine.id };
    const lists = withKey().filter(({ query }) => query.includes('cursor'));
    const wrong: string[] = [];
    for (const list of lists) {
      const first = await mine.http.get(`${fill(list.path, ids)}?cursor=&per_page=1`).expect(200);
      const cursor = first.body.meta.next_cursor as string | null;
      if (cursor === null)
        wrong.push(`${nameOf(list)} has fewer than two records: add some to test/support/scenario.ts.`);
      for (const other of lists.filter((one) => one !== list && cursor !== null)) {
        const { status } = await mine.http.get(`${fill(other.path, ids)}?cursor=${cursor}`);
        if (status === 400) continue;
        wrong.push(
          `${nameOf(other)} answers ${status} to a cursor of ${nameOf(list)}: give its cursors a name of their own.`,
        );
      }
    }
    expect(lists.length).toBeGreaterThan(5);
    expect(wrong).toEqual([]);
  });

  it('addresses each kind of resource by IDs with a prefix of its own', () => {
    const kinds = Object.entries(myIds).filter(([name]) => name.endsWith('_id'));
    const wrong = kinds.flatMap(([name, id], index) => {
      const prefixOf = (text: string) => text.split('_')[0];
      const earlier = kinds.slice(0, index).find(([, other]) => prefixOf(other) === prefixOf(id));
      return earlier ? [`{${name}} and {${earlier[0]}} both begin with ${prefixOf(id)}_`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('declares query parameters if its handler reads the query string, and only then', async () => {
    const wrong = handlersOf(app).flatMap(({ name, parameters, readsQuery }) => {
      if (readsQuery && !parameters?.length) {
        return `${name} reads the query string but refuses every parameter: declare them with @Parameters(…).`;
      }
      return parameters?.length && !readsQuery ? `${name} declares parameters but never reads the query string.` : [];
    });
    let pages = 0;
    for (const operation of withKey().filter(({ method }) => method === 'get')) {
      const { body } = await mine.http.get(fill(operation.path, { ...myIds, tenant_id: mine.id }));
      if (body.meta?.per_page === undefined) continue;
      pages++;
      if (operation.query.includes('per_page') && operation.query.includes('cursor')) continue;
      wrong.push(`${nameOf(operation)} returns pages, but does not declare ...pageParameters.`);
    }
    expect(pages).toBeGreaterThan(5);
    expect(wrong).toEqual([]);
  });

  const expectUntouched = async () => {
    const key = { ...otherIds, tenant_id: other.id };
    for (const operation of withKey().filter(({ method, path }) => method === 'get' && path.endsWith('_id}'))) {
      const { status } = await send(app, to(operation, key), other.key);
      expect([nameOf(operation), status]).toEqual([nameOf(operation), 200]);
    }
  };
});

interface Handler {
  name: string;
  parameters: readonly string[] | undefined;
  readsQuery: boolean;
}

/** What a handler takes, by kind and position. `factory` makes what a decorator of ours injects. */
type Inputs = Record<string, { factory?: unknown }>;

/** The handlers of all controllers. */
function handlersOf(app: TestApp): Handler[] {
  const controllers = [...app.app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    const { prototype, name } = metatype as { prototype: object; name: string };
    return Object.getOwnPropertyNames(prototype).flatMap((method) => {
      const handler = Reflect.get(prototype, method) as object;
      if (Reflect.getMetadata('path', handler) === undefined) return [];
      const inputs = (Reflect.getMetadata(ROUTE_ARGS_METADATA, metatype as object, method) ?? {}) as Inputs;
      return {
        name: `${name}.${method}`,
        parameters: Reflect.getMetadata(PARAMETERS, handler) as readonly string[] | undefined,
        readsQuery: Object.entries(inputs).some(
          ([input, { factory }]) => input.startsWith(`${RouteParamtypes.QUERY}:`) || factory === requestedShape,
        ),
      };
    });
  });
}

interface Layer {
  route?: { path: string | string[]; methods: Record<string, boolean> };
}

/** The routes in Express: `get /v1/forms/{tenant_id}`. */
function routesOf(app: TestApp): string[] {
  const { stack } = (app.app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } }).router;
  const routes = stack.flatMap(({ route }) =>
    [route?.path ?? []]
      .flat()
      .flatMap((path) =>
        Object.keys(route?.methods ?? {}).map((method) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
      ),
  );
  return [...new Set(routes.map((route) => route.replace(/^get \/(docs|guides).*/, 'get /$1/*')))].sort();
}

/** Whether a path without a parameter in some place is one that a path with this parameter matches. */
function isCase(path: string, template: string): boolean {
  const [segments, others] = [path.split('/'), template.split('/')];
  return (
    segments.length === others.length && others.every((one, index) => one.startsWith('{') || one === segments[index])
  );
}
