import { formatId } from '../ids/type-id.js';
import type { Webhook } from './webhook.entity.js';
import { presentOptions } from './options/webhook-options.js';
import type {
  CreatedWebhookDto,
  ReadWebhookDto,
  UpdatedWebhookDto,
  WebhookDetailDto,
  WebhookDto,
  WebhookSettingsDto,
} from './webhooks.dto.js';
import type { WithGeneratedSecret } from './webhooks.service.js';

/** The form that list returns, and the data of a test. */
export function presentWebhook({ id, url, events, active, createdAt }: Webhook): WebhookDto {
  return { id: formatId('wh', id), url, events, active, created_at: createdAt.toISOString() };
}

/** The form that create returns. It has the options that were set, a secret only if the service generated it, and no values of headers. */
export function presentCreatedWebhook({ webhook, generated }: WithGeneratedSecret): CreatedWebhookDto {
  return { ...presentWebhook(webhook), ...presentSettings(webhook), ...presentSecret(generated) };
}

/** The form that update returns. */
export function presentUpdatedWebhook({ webhook, generated }: WithGeneratedSecret): UpdatedWebhookDto {
  return { ...presentWebhookDetail(webhook), ...presentSecret(generated) };
}

/** The form that list and get return with `view=full`. */
export function presentFullWebhook(webhook: Webhook): ReadWebhookDto {
  const { secret, publicKey, failingSince } = webhook;
  return {
    ...presentWebhookDetail(webhook),
    signed: secret !== null || publicKey !== null,
    failing_since: failingSince?.toISOString() ?? null,
  };
}

/** The form that get returns. */
export function presentWebhookDetail(webhook: Webhook): WebhookDetailDto {
  return { ...presentWebhook(webhook), disabled_reason: webhook.disabledReason, ...presentSettings(webhook) };
}

export function presentSecret(generated: string | undefined): { secret?: string } {
  return generated === undefined ? {} : { secret: generated };
}

/** The options that were set, and how deliveries are signed. */
function presentSettings(webhook: Webhook): WebhookSettingsDto {
  const { publicKey } = webhook;
  return {
    ...presentOptions(webhook),
    ...(publicKey !== null && { signature: 'ed25519' as const, public_key: publicKey }),
  };
}
