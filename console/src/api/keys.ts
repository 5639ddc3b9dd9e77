import { request } from './request';

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Whose values it may change. Absent: all. */
  readonly locales?: readonly string[];
  readonly source: 'configuration' | 'api';
  readonly created_at: string | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly created_by: string | null;
}

/** With the key itself, which is answered only once. */
export interface CreatedKey extends ApiKey {
  readonly key: string;
}

export interface KeyValues {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Null: all. */
  readonly locales: readonly string[] | null;
  /** In seconds. */
  readonly expires_in?: number;
}

const pathOf = (tenantId: string) => `/v1/keys/${encodeURIComponent(tenantId)}`;

export async function listKeys(tenantId: string, signal?: AbortSignal): Promise<readonly ApiKey[]> {
  return (await request<{ data: ApiKey[] }>('GET', pathOf(tenantId), { signal })).data;
}

export async function createKey(tenantId: string, body: KeyValues): Promise<CreatedKey> {
  return (await request<{ data: CreatedKey }>('POST', pathOf(tenantId), { body })).data;
}

export async function revokeKey(tenantId: string, id: string): Promise<string> {
  return (await request<{ message: string }>('DELETE', `${pathOf(tenantId)}/${id}`)).message;
}

export async function adoptKey(tenantId: string, id: string): Promise<void> {
  await request('POST', `${pathOf(tenantId)}/${id}/adopt`);
}
