import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboundModule } from '../outbound/outbound.module.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryResults } from './delivery-results.js';
import { DeliveryWorker } from './delivery-worker.js';
import { Payloads } from './payloads.js';
import { WebhookDeactivation } from './webhook-deactivation.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSubscriber } from './webhook-subscriber.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';
import { entities } from './webhooks.tables.js';
import { EventsModule } from '../events/events.module.js';
import { ObservabilityModule } from '../observability/observability.module.js';

/** Subscriptions to events, and their delivery to the receivers. */
@Module({
  imports: [OutboundModule, ObservabilityModule, EventsModule, TypeOrmModule.forFeature(entities)],
  controllers: [WebhooksController, DeliveriesController],
  providers: [
    WebhooksService,
    WebhookSecrets,
    WebhookSubscriber,
    WebhookDeactivation,
    DeliveriesService,
    DeliveryResults,
    DeliveryWorker,
    Payloads,
  ],
})
export class WebhooksModule {}
