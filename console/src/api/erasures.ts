import { formsPath } from './forms';
import { request } from './request';

export interface Erasure {
  readonly id: string;
  readonly state: 'pending' | 'done';
  readonly submissions: number;
  readonly files: number;
  readonly mails: number;
  readonly deliveries: number;
}

const pathOf = (tenantId: string) => `${formsPath(tenantId)}/erasures`;

/** Deletes all submissions with the address, over all forms of the tenant. */
export async function requestErasure(tenantId: string, email: string): Promise<Erasure> {
  return (await request<{ data: Erasure }>('POST', pathOf(tenantId), { body: { email } })).data;
}

export async function getErasure(tenantId: string, id: string, signal?: AbortSignal): Promise<Erasure> {
  return (await request<{ data: Erasure }>('GET', `${pathOf(tenantId)}/${id}`, { signal })).data;
}
