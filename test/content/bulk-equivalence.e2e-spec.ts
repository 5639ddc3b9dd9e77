import fc from 'fast-check';
import { expectConsistentContent } from '../support/consistency.js';
import { createType, type TestType } from '../support/content.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { propertyRuns } from '../support/property-runs.js';

const FIELDS = [
  { name: 'title', type: 'text', required: true, max: 5 },
  { name: 'slug', type: 'text', unique: true },
  { name: 'tags', type: 'text', multiple: true, unique: true },
  { name: 'price', type: 'number', default: 1 },
  { name: 'related', type: 'reference', content_type: 'posts' },
];
/** References of all kinds with `on_delete`, also in groups and blocks. */
const LINKS = [
  { name: 'parent', type: 'reference', content_type: 'posts', on_delete: 'refuse' },
  { name: 'friend', type: 'reference', content_type: 'posts', on_delete: 'clear', unique: true },
  { name: 'friends', type: 'reference', content_type: 'posts', on_delete: 'clear', multiple: true },
  {
    name: 'boxes',
    type: 'group',
    multiple: true,
    fields: [
      { name: 'label', type: 'text' },
      { name: 'who', type: 'reference', content_type: 'posts', on_delete: 'clear' },
    ],
  },
  {
    name: 'sections',
    type: 'blocks',
    blocks: [
      { name: 'a', fields: [{ name: 'who', type: 'reference', content_type: 'posts', on_delete: 'clear' }] },
      { name: 'b', fields: [{ name: 'boss', type: 'reference', content_type: 'posts', on_delete: 'refuse' }] },
      { name: 'c', fields: [{ name: 'who', type: 'reference', content_type: 'posts' }] },
    ],
  },
];
const ENTRIES = 3;
const NOWHERE = 'ent_00000000000000000000000000';

/** An operation, with the position of the entry that it changes, and of the one that it refers to. */
interface Planned {
  op: 'create' | 'update' | 'delete';
  entry: number;
  related?: number;
  links?: Links;
  fields: Record<string, unknown>;
  status?: string;
  version?: number;
}

/** The positions of the entries to which the values of `LINKS` refer. */
interface Links {
  parent?: number;
  friend?: number;
  friends?: number[];
  boxes?: number[];
  sections?: { block: string; entry: number }[];
}

/** One tenant's entries, by which two tenants are compared: IDs and times are left out. */
interface World {
  tenant: TestTenant;
  type: TestType;
  ids: string[];
}

describe('bulk operations and the same requests one by one', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  async function world(): Promise<World> {
    const tenant = app.tenant();
    const type = await createType(tenant, [FIELDS[0]!], 'Posts');
    await tenant.http.put(type.path, { fields: [...FIELDS, ...LINKS] }).expect(200);
    const ids: string[] = [];
    for (let index = 0; index < ENTRIES; index++) {
      const { body } = await tenant.http
        .post(type.entries, { fields: { title: `t${index}`, slug: `s${index}`, tags: [`g${index}`] } })
        .expect(201);
      ids.push(body.data.id);
    }
    return { tenant, type, ids };
  }

  const fieldsOf = ({ fields, related, links }: Planned, { ids }: World) => ({
    ...fields,
    ...(related !== undefined && { related: ids[related] }),
    ...(links && linksOf(links, ids)),
  });
  const linksOf = ({ parent, friend, friends, boxes, sections }: Links, ids: readonly string[]) => ({
    parent: parent === undefined ? null : ids[parent],
    friend: friend === undefined ? null : ids[friend],
    ...(friends && { friends: friends.map((entry) => ids[entry]) }),
    ...(boxes && { boxes: boxes.map((entry, index) => ({ label: `b${index}`, who: ids[entry] })) }),
    ...(sections && {
      sections: sections.map(({ block, entry }) => ({ block, [block === 'b' ? 'boss' : 'who']: ids[entry] })),
    }),
  });

  async function single(world: World, planned: Planned): Promise<unknown> {
    const { tenant, type, ids } = world;
    const { op, entry, status, version } = planned;
    const path = `${type.entries}/${ids[entry] ?? NOWHERE}`;
    const body = { fields: fieldsOf(planned, world), status };
    const condition = (test: ReturnType<TestTenant['http']['patch']>) =>
      version === undefined ? test : test.set('If-Match', `"v${version}"`);
    const response = await (op === 'create'
      ? tenant.http.post(type.entries, body)
      : condition(op === 'update' ? tenant.http.patch(path, body) : tenant.http.delete(path)));
    if (response.status < 300) {
      const { etag } = response.headers;
      const done = { create: 'created', update: 'updated', delete: 'deleted' }[op];
      return { result: done, ...(etag && { version: Number(/\d+/.exec(etag)?.[0]) }) };
    }
    const problem = Object.entries(response.body as object).filter(([name]) => name !== 'request_id');
    return { result: 'failed', problem: Object.fromEntries(problem) as unknown };
  }

  async function bulk(world: World, all: readonly Planned[]): Promise<unknown[]> {
    const operations = all.map((planned) => ({
      op: planned.op,
      content_type: world.type.id,
      ...(planned.op !== 'create' && { entry_id: world.ids[planned.entry] ?? NOWHERE }),
      ...(planned.op !== 'delete' && { fields: fieldsOf(planned, world), status: planned.status }),
      ...(planned.op !== 'create' && planned.version !== undefined && { if_match: `"v${planned.version}"` }),
    }));
    const path = `/v1/content/${world.tenant.id}/bulk`;
    const { body } = await world.tenant.http.post(path, { operations, atomic: false }).expect(200);
    return body.data.map(({ op: _op, entry_id: _id, ...outcome }: Record<string, unknown>) => outcome);
  }

  /** Everything that the operations left behind, without IDs and times. */
  async function traces({ tenant, type, ids }: World) {
    await expectConsistentContent(app.database, tenant.id);
    const { body } = await tenant.http.get(`${type.entries}?per_page=100&sort=id`).expect(200);
    const places = new Map([...ids, ...body.data.map(({ id }: { id: string }) => id)].map((id, index) => [id, index]));
    const text = JSON.stringify({
      entries: body.data.map(({ id, fields, status }: Record<string, unknown>) => ({ id, fields, status })),
      versions: await app.database.query(
        `SELECT v.number, v.summary, v.data::json -> 'fields' AS fields, v.data::json ->> 'status' AS status FROM versions v
         WHERE v.tenant_id = $1 ORDER BY v.resource_id, v.number`,
        [tenant.id],
      ),
      events: await app.database.query(
        `SELECT type, version FROM events WHERE tenant_id = $1 ORDER BY resource_id, version, type`,
        [tenant.id],
      ),
      pending: await app.database.query(
        `SELECT count(*) FROM events e WHERE e.tenant_id = $1 AND NOT EXISTS (
           SELECT FROM pending_events p WHERE p.tenant_id = $1 AND p.event_id = e.id
         ) AND NOT EXISTS (SELECT FROM event_positions p WHERE p.tenant_id = $1 AND p.event_id = e.id)`,
        [tenant.id],
      ),
    });
    return text.replace(/ent_\w{26}/g, (id) => `entry ${places.get(id)}`);
  }

  async function expectSame(planned: fc.Arbitrary<Planned>, numRuns: number) {
    await fc.assert(
      fc.asyncProperty(fc.array(planned, { minLength: 1, maxLength: 8 }), async (all) => {
        const [one, other] = [await world(), await world()];
        const results = [];
        for (const operation of all) results.push(await single(one, operation));
        expect(await bulk(other, all)).toEqual(results);
        expect(await traces(other)).toBe(await traces(one));
      }),
      { numRuns, endOnFailure: true },
    );
  }

  it('have the same results and leave the same behind', async () => {
    const some = fc.constantFrom('s0', 's1', 's2', 's3', 'new');
    const fields = fc.record(
      {
        title: fc.constantFrom<unknown>('a', 'b', 'far too long', null, 7),
        slug: fc.option(some, { nil: null }),
        tags: fc.uniqueArray(fc.constantFrom('g0', 'g1', 'g2', 'g3'), { maxLength: 2 }),
        price: fc.constantFrom<unknown>(1, 2, null, 'dear'),
        nope: fc.constant(1),
      },
      { requiredKeys: ['title'] },
    );
    const planned: fc.Arbitrary<Planned> = fc.record(
      {
        op: fc.constantFrom('create', 'update', 'update', 'delete'),
        entry: fc.nat(ENTRIES),
        related: fc.nat(ENTRIES - 1),
        fields,
        status: fc.constantFrom('draft', 'published', 'published'),
        version: fc.constantFrom(1, 2),
      },
      { requiredKeys: ['op', 'entry', 'fields'] },
    );
    await expectSame(planned, propertyRuns(3));
  }, 360_000);

  it('refuse and clear the same references with on_delete', async () => {
    const entry = fc.nat(ENTRIES - 1);
    const links: fc.Arbitrary<Links> = fc.record(
      {
        parent: entry,
        friend: entry,
        friends: fc.array(entry, { maxLength: 3 }),
        boxes: fc.array(entry, { maxLength: 2 }),
        sections: fc.array(fc.record({ block: fc.constantFrom('a', 'b', 'c'), entry }), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    );
    const fields = fc.constant({ title: 'a' });
    const planned: fc.Arbitrary<Planned> = fc.oneof(
      fc.record({ op: fc.constantFrom('create', 'update', 'update'), entry, fields, links }),
      fc.record({ op: fc.constant('delete' as const), entry, fields }),
    );
    await expectSame(planned, propertyRuns(5));
  }, 360_000);
});
