import { request } from './request';

export interface AuditRecord {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly key_id?: string; readonly user_id?: string; readonly name: string };
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string };
  readonly changes: readonly string[];
  readonly request_id: string;
  readonly ip?: string;
}

/** What the list is limited to. An empty value limits nothing. */
export interface AuditFilter {
  readonly action?: string;
  readonly actor?: string;
  readonly resource?: string;
  /** Days, both included. */
  readonly from?: string;
  readonly to?: string;
}

interface AuditPage {
  readonly data: readonly AuditRecord[];
  readonly meta: { readonly next_cursor: string | null };
}

interface PageRequest {
  readonly cursor: string;
  readonly perPage?: number;
  readonly signal?: AbortSignal;
}

export function listAudit(
  tenantId: string,
  filter: AuditFilter,
  { cursor, perPage = 50, signal }: PageRequest,
): Promise<AuditPage> {
  const set = Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams([...set, ['cursor', cursor], ['per_page', String(perPage)]]);
  return request('GET', `/v1/audit/${encodeURIComponent(tenantId)}?${query}`, { signal });
}
