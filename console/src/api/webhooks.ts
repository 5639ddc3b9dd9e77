import { request } from './request';

interface Filters {
  readonly content_types?: readonly string[];
  readonly forms?: readonly string[];
  readonly status?: 'draft' | 'published';
  readonly changed?: readonly string[];
  readonly locales?: readonly string[];
}

interface Options {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly filters?: Filters;
  readonly payload?: 'full' | 'thin';
  readonly ordered?: boolean;
  readonly max_concurrency?: number;
}

export interface Webhook extends Options {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly active: boolean;
  readonly created_at: string;
  readonly disabled_reason?: 'gone' | 'failing' | null;
  readonly signed?: boolean;
  /** Since when all attempts fail. Null after a success. */
  readonly failing_since?: string | null;
  readonly public_key?: string;
}

/** With the secret that the service made, which is answered only once. */
export interface SavedWebhook extends Webhook {
  readonly secret?: string;
}

/** `null` removes an option. */
export type WebhookValues = { readonly [Name in keyof Options]?: Options[Name] | null } & {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly secret?: string | null;
  readonly signature?: 'ed25519';
};

export interface WebhookStats {
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly last_success_at: string | null;
  readonly last_failure_at: string | null;
  readonly failing_since: string | null;
}

interface Data<T> {
  readonly data: T;
}

export const webhooksPath = (tenantId: string) => `/v1/webhooks/${encodeURIComponent(tenantId)}`;
const pathOf = (tenantId: string, id: string) => `${webhooksPath(tenantId)}/${encodeURIComponent(id)}`;

export async function listWebhooks(tenantId: string, signal?: AbortSignal): Promise<readonly Webhook[]> {
  return (await request<Data<Webhook[]>>('GET', `${webhooksPath(tenantId)}?view=full`, { signal })).data;
}

export async function getWebhook(tenantId: string, id: string, signal?: AbortSignal): Promise<Webhook> {
  return (await request<Data<Webhook>>('GET', `${pathOf(tenantId, id)}?view=full`, { signal })).data;
}

export async function createWebhook(tenantId: string, body: WebhookValues): Promise<SavedWebhook> {
  return (await request<Data<SavedWebhook>>('POST', webhooksPath(tenantId), { body })).data;
}

export async function updateWebhook(
  tenantId: string,
  id: string,
  body: WebhookValues & { readonly active?: boolean },
): Promise<SavedWebhook> {
  return (await request<Data<SavedWebhook>>('PATCH', pathOf(tenantId, id), { body })).data;
}

export async function deleteWebhook(tenantId: string, id: string): Promise<void> {
  await request('DELETE', pathOf(tenantId, id));
}

export async function getWebhookStats(tenantId: string, id: string, signal?: AbortSignal): Promise<WebhookStats> {
  return (await request<Data<WebhookStats>>('GET', `${pathOf(tenantId, id)}/stats?hours=24`, { signal })).data;
}

export async function testWebhook(tenantId: string, id: string): Promise<void> {
  await request('POST', `${pathOf(tenantId, id)}/test`);
}

export interface Range {
  /** RFC 3339. */
  readonly from: string;
  readonly to?: string;
}

/** Sends the events of a time again. Returns their number; a dry run only counts. */
export async function replayEvents(tenantId: string, id: string, range: Range, isDryRun: boolean): Promise<number> {
  const body = { ...range, dry_run: isDryRun };
  return (await request<Data<{ count: number }>>('POST', `${pathOf(tenantId, id)}/replay`, { body })).data.count;
}
