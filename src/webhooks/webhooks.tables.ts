import { Delivery, DeliveryAttempt, DeliveryHour } from './deliveries/delivery.entity.js';
import { WebhookReplay } from './replays/replay.entity.js';
import { Webhook } from './webhook.entity.js';
import { Webhooks1763000005000 } from './migrations/1763000005000-webhooks.js';
import { FailedDeliveries1763000013000 } from './migrations/1763000013000-failed-deliveries.js';

export const entities = [Webhook, Delivery, DeliveryAttempt, DeliveryHour, WebhookReplay];

export const migrations = [Webhooks1763000005000, FailedDeliveries1763000013000];

export const encrypted = [
  { table: 'webhooks', prefix: 'wh', columns: ['secret', 'headers', 'signing_key'], lists: ['previous_secrets'] },
];
