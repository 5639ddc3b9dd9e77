import fc from 'fast-check';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { propertyRuns } from '../support/property-runs.js';

const NAMES = ['a', 'b', 'c', 'd'];
const SLUGS = ['one', 'two', 'three'];

/** Definitions whose values are texts, so that entries of one schema rarely fit another. */
const plainField = fc.record(
  {
    type: fc.constantFrom('text', 'rich_text', 'url', 'integer', 'number', 'boolean', 'date', 'json'),
    required: fc.boolean(),
    label: fc.constantFrom('A', 'B'),
    multiple: fc.boolean(),
  },
  { requiredKeys: ['type'] },
);
const referenceField = fc.record(
  {
    type: fc.constant('reference'),
    content_types: fc.uniqueArray(fc.constantFrom(...SLUGS), { minLength: 1 }),
    on_delete: fc.constantFrom('keep', 'refuse'),
  },
  { requiredKeys: ['type', 'content_types'] },
);
const innerFields = fc
  .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 2 })
  .chain((names) => fc.tuple(...names.map((name) => plainField.map((field) => ({ name, ...field })))));
const groupField = innerFields.map((fields) => ({ type: 'group', fields }));
const blocksField = innerFields.map((fields) => ({ type: 'blocks', blocks: [{ name: 'x', fields }] }));
const fieldsOf = (field: fc.Arbitrary<object>) =>
  fc
    .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 })
    .chain((names) => fc.tuple(...names.map((name) => field.map((one) => ({ name, ...one })))));

const typeOf = (slug: string) =>
  fc.record(
    {
      slug: fc.constant(slug),
      name: fc.constantFrom('First', 'Second'),
      fields: fieldsOf(fc.oneof({ weight: 4, arbitrary: plainField }, referenceField, groupField, blocksField)),
      public: fc.constant(true),
      language: fc.constantFrom('en', 'de'),
    },
    { requiredKeys: ['slug', 'name', 'fields'] },
  );
const formOf = (slug: string) =>
  fc.record(
    {
      slug: fc.constant(slug),
      name: fc.constantFrom('First', 'Second'),
      fields: fieldsOf(fc.constantFrom({ type: 'text' }, { type: 'email', required: true }, { type: 'textarea' })),
      notify_email: fc.constant('a@b.example'),
      settings: fc.record(
        { thanks: fc.constantFrom('Thanks', 'Ta'), closed: fc.boolean() },
        { requiredKeys: ['closed'] },
      ),
    },
    { requiredKeys: ['slug', 'name', 'fields'] },
  );
const webhook = fc.record(
  {
    url: fc.constantFrom('https://hooks.example.com/a', 'https://hooks.example.com/b'),
    events: fc.uniqueArray(fc.constantFrom('entry.created', 'entry.deleted', 'form.submitted'), { minLength: 1 }),
    active: fc.constant(false),
    description: fc.constantFrom('x', 'y'),
    payload: fc.constantFrom('full', 'thin'),
  },
  { requiredKeys: ['url', 'events'] },
);
const some = <Item>(make: (slug: string) => fc.Arbitrary<Item>) =>
  fc.subarray(SLUGS).chain((slugs) => fc.tuple(...slugs.map(make)));

/** References may only name content types of the document. */
const document = fc
  .record({
    types: fc.tuple(...SLUGS.map(typeOf)),
    forms: some(formOf),
    webhooks: fc.array(webhook, { maxLength: 3 }),
  })
  .map((all) => all as { types: { slug: string; fields: object[] }[]; forms: object[]; webhooks: object[] });

describe('a random walk over schemas', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('ends at each schema that is pushed, never loses values without the flag, and does nothing twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 2, maxLength: 4 }), async (documents) => {
        const tenant: TestTenant = app.tenant();
        const path = `/v1/schema/${tenant.id}`;
        const read = async () => (await tenant.http.get(path).expect(200)).body.data as object;
        for (const wanted of documents) {
          await walkTo(tenant, wanted);
          const now = (await read()) as Record<string, unknown>;
          expect(shapeOf(now)).toEqual(shapeOf(wanted));
          for (const same of [wanted, now]) {
            const { body } = await tenant.http.post(`${path}/plan`, { document: same, prune: true }).expect(200);
            expect(body.data.steps).toEqual([]);
          }
          for (const { slug, fields } of wanted.types)
            await addEntry(tenant, slug, fields as { name: string; type: string }[]);
        }
      }),
      { numRuns: propertyRuns(8) },
    );
  });
});

/** Plans and applies. What is lossy is refused first; values that are in the way are deleted. */
async function walkTo(tenant: TestTenant, document: object): Promise<void> {
  const path = `/v1/schema/${tenant.id}`;
  const before = (await tenant.http.get(path).expect(200)).body.data as object;
  const planned = async (more: object) => {
    const { body } = await tenant.http.post(`${path}/plan`, { document, prune: true, ...more }).expect(200);
    return body.data as { steps: { class: string; item: string }[]; hash: string };
  };
  const { steps, hash } = await planned({});
  const apply = (sent: string, more: object) =>
    tenant.http.post(`${path}/apply`, { document, prune: true, hash: sent, ...more });
  const blocked = steps.filter((step) => step.class !== 'safe');
  if (blocked.length === 0) {
    await apply(hash, {}).expect(200);
    return;
  }
  await apply(hash, {}).expect(409);
  expect((await tenant.http.get(path).expect(200)).body.data).toEqual(before);
  for (const { item } of steps.filter((step) => step.class === 'needs_data')) await deleteEntries(tenant, item);
  await apply((await planned({ allow_lossy: true })).hash, { allow_lossy: true }).expect(200);
}

async function deleteEntries(tenant: TestTenant, slug: string): Promise<void> {
  const path = `/v1/content/${tenant.id}/types/${slug}/entries`;
  const { body } = await tenant.http.get(path).expect(200);
  for (const { id } of body.data as { id: string }[]) await tenant.http.delete(`${path}/${id}`).expect(200);
}

/** A draft with a text in the first field that takes one. */
async function addEntry(
  tenant: TestTenant,
  slug: string,
  fields: { name: string; type: string; multiple?: boolean }[],
) {
  const field = fields.find(({ type }) => type === 'text' || type === 'json');
  if (!field || fields.some((one) => (one as { required?: boolean }).required)) return;
  const value = field.multiple ? ['a value'] : 'a value';
  await tenant.http
    .post(`/v1/content/${tenant.id}/types/${slug}/entries`, { fields: { [field.name]: value } })
    .expect(201);
}

/** The document without what the service adds, and in an order of its own. */
function shapeOf(document: object): object {
  const { types, forms, webhooks } = document as Record<string, Record<string, unknown>[]>;
  const texts = (items: Record<string, unknown>[] = []) => items.map((item) => sortedJson(item)).sort();
  const events = (webhooks ?? []).map((one) => ({ ...one, events: [...(one['events'] as string[])].sort() }));
  return { types: texts(types), forms: texts(forms), webhooks: texts(events) };
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
