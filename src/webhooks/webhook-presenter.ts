import { formatId } from '../ids/type-id.js';
import type { Webhook } from './webhook.entity.js';
import type { WebhookFilters, WebhookFiltersDto } from './webhook-filters.js';
import { HIDDEN_VALUE } from './webhook-headers.js';
import type { CreatedWebhookDto, WebhookDetailDto, WebhookDto, WebhookOptionsDto } from './webhooks.dto.js';

/** The form that list returns, and the data of a test. */
export function presentWebhook({ id, url, events, active, createdAt }: Webhook): WebhookDto {
  return { id: formatId('wh', id), url, events, active, created_at: createdAt.toISOString() };
}

/** The form that create returns. It has the options that were set, and neither the secret nor the values of headers. */
export function presentCreatedWebhook(webhook: Webhook): CreatedWebhookDto {
  return { ...presentWebhook(webhook), ...presentOptions(webhook) };
}

/** The form that get and update return. */
export function presentWebhookDetail(webhook: Webhook): WebhookDetailDto {
  return { ...presentWebhook(webhook), disabled_reason: webhook.disabledReason, ...presentOptions(webhook) };
}

function presentOptions({
  description,
  headerNames,
  filters,
  payload,
  maxConcurrency,
  ordered,
  publicKey,
}: Webhook): WebhookOptionsDto {
  return {
    ...(description !== null && { description }),
    ...(headerNames !== null && { headers: Object.fromEntries(headerNames.map((name) => [name, HIDDEN_VALUE])) }),
    ...(filters !== null && { filters: presentFilters(filters) }),
    ...(payload !== null && { payload }),
    ...(ordered !== null && { ordered }),
    ...(maxConcurrency !== null && { max_concurrency: maxConcurrency }),
    ...(publicKey !== null && { signature: 'ed25519' as const, public_key: publicKey }),
  };
}

function presentFilters({ contentTypes, forms, status, changed }: WebhookFilters): WebhookFiltersDto {
  return {
    ...(contentTypes && { content_types: contentTypes.map((id) => formatId('ct', id)) }),
    ...(forms && { forms: forms.map((id) => formatId('frm', id)) }),
    ...(status && { status }),
    ...(changed && { changed: [...changed] }),
  };
}
