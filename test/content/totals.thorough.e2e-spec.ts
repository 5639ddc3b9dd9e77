import fc from 'fast-check';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createType, type TestType } from '../support/content.js';
import { expectServerErrors } from '../support/server-errors.js';
import { until } from '../support/until.js';

type Change =
  | { kind: 'create'; slug: number; published: boolean }
  | { kind: 'update'; entry: number; slug?: number; published?: boolean }
  | { kind: 'delete'; entry: number }
  | { kind: 'submit'; valid: boolean };

/** Few slugs, so that writes often meet a taken one and roll back. */
const slug = fc.integer({ min: 0, max: 30 });
const entry = fc.nat(20);
const changes: fc.Arbitrary<Change> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('create' as const), slug, published: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record(
      { kind: fc.constant('update' as const), entry, slug, published: fc.boolean() },
      { requiredKeys: ['kind', 'entry'] },
    ),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), entry }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('submit' as const), valid: fc.boolean() }) },
);

/** Breaks one connection after another during a statement, until it is stopped. */
class Breaking {
  private stopped = false;
  private readonly done: Promise<void>;

  constructor(app: TestApp, breaks: boolean) {
    this.done = breaks ? this.run(app) : Promise.resolve();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.done;
  }

  private async run(app: TestApp): Promise<void> {
    while (!this.stopped) {
      await app.database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'trivet' AND state = 'active' LIMIT 1`,
      );
    }
  }
}

describe('totals', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('match the existing rows after any concurrent writes, rollbacks and lost connections', async () => {
    expectServerErrors(503);
    let rolledBack = 0;
    let crashed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { minLength: 40, maxLength: 120 }), fc.boolean(), async (sequence, breaks) => {
        const tenant = app.tenant();
        const type = await createType(tenant, [{ name: 'slug', type: 'text', unique: true }]);
        const form = await createForm(tenant);
        const ids: string[] = [];
        const breaking = new Breaking(app, breaks);
        const statuses = await Promise.all(
          sequence.map(async (change, index) => {
            // All run at once, but every fourth starts later, so that it finds entries that others have created.
            if (index % 4 === 3) await new Promise(setImmediate);
            return apply(change, { tenant, type, form, ids, address: `10.1.${index}.1` });
          }),
        );
        await breaking.stop();
        rolledBack += statuses.filter((status) => status === 422).length;
        crashed += statuses.filter((status) => status === 503).length;
        expect(statuses.filter((status) => ![200, 201, 404, 422, 503].includes(status))).toEqual([]);
        await expectTrueTotals(tenant, type, form);
        await expectConsistentContent(app.database, tenant.id);
      }),
      { numRuns: 12 },
    );
    // Otherwise the test would not cover rollbacks and crashes.
    expect(rolledBack).toBeGreaterThan(0);
    expect(crashed).toBeGreaterThan(0);
  }, 240_000);

  const createForm = async (tenant: TestTenant): Promise<string> => {
    const fields = [{ name: 'age', type: 'number' }];
    const { body } = await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields }).expect(201);
    return (body as { data: { id: string } }).data.id;
  };

  /** Makes the change through the API, and returns the response's status. */
  const apply = async (
    change: Change,
    at: { tenant: TestTenant; type: TestType; form: string; ids: string[]; address: string },
  ): Promise<number> => {
    const { tenant, type, form, ids } = at;
    const status = (published?: boolean) => (published === undefined ? undefined : published ? 'published' : 'draft');
    const path = (entry: number) =>
      `${type.entries}/${ids[entry % Math.max(1, ids.length)] ?? `ent_${'0'.repeat(26)}`}`;
    switch (change.kind) {
      case 'create': {
        const fields = { slug: `s${change.slug}` };
        const response = await tenant.http.post(type.entries, { fields, status: status(change.published) });
        if (response.status === 201) ids.push((response.body as { data: { id: string } }).data.id);
        return response.status;
      }
      case 'update': {
        const fields = change.slug === undefined ? {} : { slug: `s${change.slug}` };
        return (await tenant.http.patch(path(change.entry), { fields, status: status(change.published) })).status;
      }
      case 'delete':
        return (await tenant.http.delete(path(change.entry))).status;
      case 'submit': {
        const client = app.client(undefined, { 'X-Forwarded-For': at.address });
        const fields = { age: change.valid ? '7' : 'seven' };
        return (await client.post(`/v1/forms/${tenant.id}/${form}/submissions`, { fields })).status;
      }
    }
  };

  const expectTrueTotals = async (tenant: TestTenant, type: TestType, form: string): Promise<void> => {
    // The last broken connection may not have been noticed yet.
    await until(async () => (await tenant.http.get(type.path)).status === 200);
    for (const filter of ['', '&filter[status]=published', '&filter[status]=draft']) {
      const { body } = await tenant.http.get(`${type.entries}?per_page=100${filter}`).expect(200);
      const { data, meta } = body as { data: unknown[]; meta: { total: number } };
      expect({ filter, total: meta.total }).toEqual({ filter, total: data.length });
    }
    const submissions = await tenant.http.get(`/v1/forms/${tenant.id}/${form}/submissions?per_page=100`).expect(200);
    const forms = await tenant.http.get(`/v1/forms/${tenant.id}`).expect(200);
    const { data, meta } = submissions.body as { data: unknown[]; meta: { total: number } };
    const [listed] = (forms.body as { data: { submission_count: number }[] }).data;
    expect([meta.total, listed?.submission_count]).toEqual([data.length, data.length]);
  };
});
