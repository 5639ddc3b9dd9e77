import { request } from './request';

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly state: 'invited' | 'active';
  readonly last_seen_at: string | null;
  readonly created_at: string;
}

interface MemberPage {
  readonly data: readonly Member[];
  readonly meta: { readonly next_cursor?: string | null };
}

interface ListRequest {
  readonly search?: string;
  readonly role?: string;
  readonly cursor?: string;
  readonly signal?: AbortSignal;
}

const pathOf = (tenantId: string) => `/v1/users/${encodeURIComponent(tenantId)}`;

export function listMembers(tenantId: string, { search, role, cursor = '', signal }: ListRequest): Promise<MemberPage> {
  const query = new URLSearchParams({ cursor, per_page: '50', ...(search && { search }), ...(role && { role }) });
  return request('GET', `${pathOf(tenantId)}?${query}`, { signal });
}

export async function inviteMember(tenantId: string, body: { email: string; role: string }): Promise<Member> {
  return (await request<{ data: Member }>('POST', pathOf(tenantId), { body })).data;
}

export async function changeRole(tenantId: string, id: string, role: string): Promise<void> {
  await request('PATCH', `${pathOf(tenantId)}/${id}`, { body: { role } });
}

export async function removeMember(tenantId: string, id: string): Promise<void> {
  await request('DELETE', `${pathOf(tenantId)}/${id}`);
}

export async function inviteAgain(tenantId: string, id: string): Promise<void> {
  await request('POST', `${pathOf(tenantId)}/${id}/invite`);
}
