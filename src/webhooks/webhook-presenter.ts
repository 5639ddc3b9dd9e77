import { formatId } from '../ids/type-id.js';
import type { Webhook } from './webhook.entity.js';
import type { WebhookDetailDto, WebhookDto } from './webhooks.dto.js';

/** As list and create show it; the secret never is. */
export function presentWebhook({ id, url, events, active, createdAt }: Webhook): WebhookDto {
  return { id: formatId('wh', id), url, events, active, created_at: createdAt.toISOString() };
}

/** As get and update show it. */
export function presentWebhookDetail(webhook: Webhook): WebhookDetailDto {
  return { ...presentWebhook(webhook), disabled_reason: webhook.disabledReason };
}
