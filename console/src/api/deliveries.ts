import { request } from './request';
import { webhooksPath } from './webhooks';

export const DELIVERY_STATES = ['pending', 'succeeded', 'failed', 'canceled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface Attempt {
  readonly attempted_at: string;
  readonly duration_ms: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly response: string;
}

export interface Delivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly status: DeliveryState;
  readonly created_at: string;
  readonly next_attempt_at: string | null;
  readonly finished_at: string | null;
  readonly attempts: readonly Attempt[];
}

interface DeliveryPage {
  readonly data: readonly Delivery[];
  readonly meta: { readonly next_cursor: string | null };
}

const pathOf = (tenantId: string, webhookId: string) => `${webhooksPath(tenantId)}/${encodeURIComponent(webhookId)}`;

interface ListRequest {
  readonly state?: DeliveryState;
  readonly cursor: string;
  readonly signal?: AbortSignal;
}

export function listDeliveries(
  tenantId: string,
  webhookId: string,
  { state, cursor, signal }: ListRequest,
): Promise<DeliveryPage> {
  const query = new URLSearchParams({ cursor, per_page: '25', ...(state && { 'filter[status]': state }) });
  return request('GET', `${pathOf(tenantId, webhookId)}/deliveries?${query}`, { signal });
}

export async function redeliver(tenantId: string, webhookId: string, deliveryId: string): Promise<void> {
  await request('POST', `${pathOf(tenantId, webhookId)}/deliveries/${deliveryId}/redeliver`);
}

/** Sends again what failed since then. Returns the number of deliveries. */
export async function redeliverFailed(tenantId: string, webhookId: string, since: string): Promise<number> {
  const answer = await request<{ data: { count: number } }>('POST', `${pathOf(tenantId, webhookId)}/redeliver`, {
    body: { since },
  });
  return answer.data.count;
}
