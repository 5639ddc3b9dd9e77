import { formatId } from '../ids/type-id.js';
import type { Webhook } from './webhook.entity.js';
import type { WebhookDetailDto, WebhookDto } from './webhooks.dto.js';

/** The form that list and create return. It never contains the secret. */
export function presentWebhook({ id, url, events, active, createdAt }: Webhook): WebhookDto {
  return { id: formatId('wh', id), url, events, active, created_at: createdAt.toISOString() };
}

/** The form that get and update return. */
export function presentWebhookDetail(webhook: Webhook): WebhookDetailDto {
  return { ...presentWebhook(webhook), disabled_reason: webhook.disabledReason };
}
