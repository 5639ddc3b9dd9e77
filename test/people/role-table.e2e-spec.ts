import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { BUILT_IN_ROLES } from '../../src/access/built-in-roles.js';
import { type Operation, operationsOf, readDocument } from '../support/api.js';
import { type Http, startApp, type TestApp } from '../support/app.js';
import { makePerson, signIn } from '../support/people.js';

const PAGE = join(import.meta.dirname, '../../docs/reference/roles.md');
const ROW = /^\| ([A-Z][^|*]*) \|((?: (?:yes|drafts|–) \|){5})$/;

/** What the page says of each operation, by its summary: for each built-in role whether it is allowed. */
async function readTable(): Promise<Map<string, boolean[]>> {
  const lines = (await readFile(PAGE, 'utf8')).split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, summary, cells] = ROW.exec(line) ?? [];
      if (summary === undefined || cells === undefined) return [];
      const allowed = cells.split('|').slice(0, -1);
      return [[summary, allowed.map((cell) => cell.trim() !== '–')] as const];
    }),
  );
}

describe('the table of roles', () => {
  let app: TestApp;
  let table: Map<string, boolean[]>;
  let operations: (Operation & { summary: string })[];
  beforeAll(async () => {
    app = await startApp();
    table = await readTable();
    const document = await readDocument(app);
    operations = operationsOf(document)
      .filter(({ scopes }) => scopes.length > 0)
      .map((operation) => ({
        ...operation,
        summary: document.paths[operation.path]?.[operation.method]?.summary ?? '',
      }))
      // Extensions are not part of the page.
      .filter(({ path }) => !path.startsWith('/v1/redirects/'));
  });
  afterAll(() => app.close());

  it('has every operation that requires a scope, and no other', () => {
    expect([...table.keys()].sort()).toEqual(operations.map(({ summary }) => summary).sort());
  });

  it.each(BUILT_IN_ROLES.map(({ name }, index) => [name, index] as const))(
    'says what a member who is %s is allowed to do',
    async (role, index) => {
      const tenant = app.tenant();
      const person = await makePerson(app, [tenant.id], role);
      const { http } = await signIn(app, { email: person.email, password: person.password });
      const wrong: string[] = [];
      for (const operation of operations) {
        const { status } = await send(http, tenant.id, operation);
        const isAllowed = status !== 401 && status !== 403;
        if (isAllowed !== table.get(operation.summary)?.[index]) wrong.push(`${operation.summary}: ${status}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  /** The resources do not exist, so that an allowed request changes nothing. */
  function send(http: Http, tenantId: string, { method, path, body }: Operation): PromiseLike<Response> {
    const filled = path.replace('{tenant_id}', tenantId).replace(/\{\w+\}/g, 'unknown');
    return method === 'get' || method === 'delete' ? http[method](filled) : http[method](filled, body && {});
  }
});
