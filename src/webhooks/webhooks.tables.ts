import { Delivery, DeliveryAttempt } from './delivery.entity.js';
import { Deliveries1763000001000 } from './migrations/1763000001000-deliveries.js';
import { Webhook } from './webhook.entity.js';

export const entities = [Webhook, Delivery, DeliveryAttempt];

export const migrations = [Deliveries1763000001000];
