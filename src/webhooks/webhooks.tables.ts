import { Delivery, DeliveryAttempt, DeliveryHour } from './delivery.entity.js';
import { Deliveries1763000001000 } from './migrations/1763000001000-deliveries.js';
import { WebhookOptions1763000130000 } from './migrations/1763000130000-webhook-options.js';
import { DeliveryHours1763000143200 } from './migrations/1763000143200-delivery-hours.js';
import { FailingWebhooks1763000131400 } from './migrations/1763000131400-failing-webhooks.js';
import { MaxConcurrency1763000131200 } from './migrations/1763000131200-max-concurrency.js';
import { OrderedDeliveries1763000131300 } from './migrations/1763000131300-ordered-deliveries.js';
import { PreviousSecrets1763000150000 } from './migrations/1763000150000-previous-secrets.js';
import { Replays1763000131100 } from './migrations/1763000131100-replays.js';
import { SigningKeys1763000131000 } from './migrations/1763000131000-signing-keys.js';
import { WebhookNotices1763000132000 } from './migrations/1763000132000-webhook-notices.js';
import { WebhookReplay } from './replay.entity.js';
import { Webhook } from './webhook.entity.js';
import { DeliveriesOfSubmissions1763000131600 } from './migrations/1763000131600-deliveries-of-submissions.js';

export const entities = [Webhook, Delivery, DeliveryAttempt, DeliveryHour, WebhookReplay];

export const migrations = [
  Deliveries1763000001000,
  WebhookOptions1763000130000,
  SigningKeys1763000131000,
  Replays1763000131100,
  MaxConcurrency1763000131200,
  OrderedDeliveries1763000131300,
  FailingWebhooks1763000131400,
  DeliveriesOfSubmissions1763000131600,
  WebhookNotices1763000132000,
  DeliveryHours1763000143200,
  PreviousSecrets1763000150000,
];
