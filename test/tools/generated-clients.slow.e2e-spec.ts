import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readDocument } from '../support/api.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, type TestType } from '../support/content.js';

const DIRECTORY = join(import.meta.dirname, '../clients');

type List = (
  place: { url: string; key: string; tenant: string; type: string },
  query: { where?: string; filter?: Record<string, string>; sort?: string; per_page?: number; search?: string },
) => Promise<{ status: number; titles: unknown[] }>;

/** Imports a file that TypeScript compiles with other options, or not at all. */
async function load<Module>(file: string): Promise<Module> {
  return (await import(join(DIRECTORY, file))) as Module;
}

describe('the generated clients', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  beforeAll(async () => {
    app = await startApp();
    tenant = app.tenant();
    type = await createType(tenant, [
      { name: 'title', type: 'text' },
      { name: 'price', type: 'number' },
      { name: 'kind', type: 'select', options: ['news', 'blog'] },
      { name: 'at', type: 'datetime' },
    ]);
    await createEntries(tenant, type, [
      {
        fields: { title: 'Spring tide & more', price: 5, kind: 'news', at: '2026-01-31T09:30:00+01:00' },
        status: 'published',
      },
      { fields: { title: 'Neap tide', price: 10, kind: 'blog' }, status: 'published' },
      { fields: { title: 'Moon', price: 2.5, kind: 'news' } },
      { fields: { title: 'Sun' } },
    ]);
  });
  afterAll(() => app.close());

  it('are generated from the document of this service: otherwise run node test/clients/generate.mjs', async () => {
    const { listOfEntries } = await load<{ listOfEntries: (document: unknown) => unknown }>('list-of-entries.mjs');
    const file = await readFile(join(DIRECTORY, 'document.json'), 'utf8');
    expect(JSON.parse(file)).toEqual(JSON.parse(JSON.stringify(listOfEntries(await readDocument(app)))));
  });

  it('compile with a program that uses them', async () => {
    const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
    const compiled = promisify(execFile)(process.execPath, [compiler, '-p', DIRECTORY]);
    expect(await compiled.catch((error: { stdout: string }) => error)).toMatchObject({ stdout: '' });
  }, 360_000);

  describe.each(['@hey-api/openapi-ts', 'orval'])('of %s', (name) => {
    let list: (query: Parameters<List>[1]) => ReturnType<List>;
    beforeAll(async () => {
      const { clients } = await load<{ clients: Record<string, List> }>('usage.ts');
      const client = clients[name];
      if (!client) throw new Error(`There is no client of ${name}.`);
      list = (query) => client({ url: app.url, key: tenant.key, tenant: tenant.id, type: type.id }, query);
    });

    it.each([
      [{ price: { gte: 5, lt: 10 } }, ['Spring tide & more']],
      [{ title: { contains: 'TIDE & m' } }, ['Spring tide & more']],
      [{ or: [{ price: { gt: 5 } }, { title: 'Moon' }] }, ['Moon', 'Neap tide']],
      [{ not: { kind: { in: ['news'] } } }, ['Neap tide', 'Sun']],
      [{ and: [{ kind: 'news' }, { not: { price: { lte: 2.5 } } }] }, ['Spring tide & more']],
      [{ at: '2026-01-31T08:30Z' }, ['Spring tide & more']],
      [{ at: { gte: '2026-01-31T08:30:00+00:00' } }, ['Spring tide & more']],
      [{ price: null }, ['Sun']],
      [{ status: { ne: 'draft' } }, ['Neap tide', 'Spring tide & more']],
    ])('lists entries where %j', async (where, titles) => {
      const query = { where: JSON.stringify(where), sort: 'title', per_page: 10 };
      expect(await list(query)).toEqual({ status: 200, titles });
    });

    it('lists entries by filters, which are combined with where', async () => {
      const filter = { status: 'published', kind: 'news' };
      expect(await list({ filter })).toEqual({ status: 200, titles: ['Spring tide & more'] });
      expect(await list({ filter, where: '{"price": {"gt": 5}}' })).toEqual({ status: 200, titles: [] });
    });

    it('receives a problem for conditions that are not valid', async () => {
      expect(await list({ where: '{"price": {"gte": "5"}}' })).toEqual({ status: 400, titles: [] });
    });
  });
});
