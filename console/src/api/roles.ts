import { request } from './request';

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly locales?: readonly string[];
  readonly built_in: boolean;
}

export interface RoleValues {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Null: all. */
  readonly locales: readonly string[] | null;
}

const pathOf = (tenantId: string) => `/v1/roles/${encodeURIComponent(tenantId)}`;

export async function listRoles(tenantId: string, signal?: AbortSignal): Promise<readonly Role[]> {
  return (await request<{ data: Role[] }>('GET', pathOf(tenantId), { signal })).data;
}

export async function createRole(tenantId: string, body: RoleValues): Promise<void> {
  await request('POST', pathOf(tenantId), { body });
}

export async function updateRole(tenantId: string, id: string, body: RoleValues): Promise<void> {
  await request('PATCH', `${pathOf(tenantId)}/${id}`, { body });
}

export async function deleteRole(tenantId: string, id: string): Promise<void> {
  await request('DELETE', `${pathOf(tenantId)}/${id}`);
}
