import type { TestTenant } from './app.js';

/** Makes a key of a tenant over the API; returns its text. */
export async function makeKey(tenant: TestTenant, scopes: string[]): Promise<string> {
  const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'made', scopes }).expect(201);
  return body.data.key as string;
}
