import { request } from './request';

type Counted = 'entries' | 'submissions' | 'media_bytes' | 'content_types' | 'forms' | 'webhooks' | 'users';

export interface Usage extends Readonly<Record<Counted | 'deliveries_24h', number>> {
  readonly limits: Readonly<Partial<Record<Counted | 'requests_per_minute', number>>>;
}

export async function getUsage(tenantId: string, signal?: AbortSignal): Promise<Usage> {
  return (await request<{ data: Usage }>('GET', `/v1/usage/${encodeURIComponent(tenantId)}`, { signal })).data;
}

/** What happened on a day in UTC. */
export interface UsageDay {
  readonly date: string;
  readonly entries_changed: number;
  readonly submissions: number;
  readonly spam: number;
  readonly deliveries: number;
  /** Those of `deliveries` that failed for good. */
  readonly failed_deliveries: number;
}

/** The last 30 days, today last. */
export async function getUsageHistory(tenantId: string, signal?: AbortSignal): Promise<readonly UsageDay[]> {
  const path = `/v1/usage/${encodeURIComponent(tenantId)}/history?days=30`;
  return (await request<{ data: readonly UsageDay[] }>('GET', path, { signal })).data;
}
