import type { TestTenant } from './app.js';

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
