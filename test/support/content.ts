import type { TestTenant } from './app.js';

/** Fields by which entries are sorted, filtered and searched. */
export const LISTED_FIELDS = [
  { name: 'title', type: 'text' },
  { name: 'body', type: 'rich_text' },
  { name: 'price', type: 'number' },
  { name: 'stock', type: 'integer' },
  { name: 'active', type: 'boolean' },
  { name: 'day', type: 'date' },
  { name: 'moment', type: 'datetime' },
  { name: 'kind', type: 'select', options: ['a', 'b', 'c'] },
  { name: 'tags', type: 'text', multiple: true },
  { name: 'cover', type: 'media' },
  { name: 'extra', type: 'json' },
];

/** A content type of a tenant, with the paths of its endpoints. */
export interface TestType {
  id: string;
  path: string;
  entries: string;
}

export async function createType(tenant: TestTenant, fields: object[], name = 'Article'): Promise<TestType> {
  const { body } = await tenant.http.post(`/v1/content/${tenant.id}/types`, { name, fields }).expect(201);
  const path = `/v1/content/${tenant.id}/types/${body.data.id}`;
  return { id: body.data.id, path, entries: `${path}/entries` };
}

/** Creates entries one after the other; returns their IDs. */
export async function createEntries(
  tenant: TestTenant,
  type: TestType,
  entries: { fields: object; status?: string }[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const entry of entries) {
    const { body } = await tenant.http.post(type.entries, entry).expect(201);
    ids.push(body.data.id);
  }
  return ids;
}

/** Creates a draft of each object of values, one after the other; returns their IDs. */
export function createDrafts(tenant: TestTenant, type: TestType, ...values: object[]): Promise<string[]> {
  return createEntries(
    tenant,
    type,
    values.map((fields) => ({ fields })),
  );
}

/** The titles of the entries in the body of a list. */
export function titlesOf({ data }: { data: { fields: { title?: string } }[] }): (string | undefined)[] {
  return data.map(({ fields }) => fields.title);
}
