import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DueModule } from '../due/due.module.js';
import { PublicUrl } from '../http/public-url.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { OutboundModule } from '../outbound/outbound.module.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryErasure } from './delivery-erasure.js';
import { Deliver } from './deliver.js';
import { DeliveryClaims } from './delivery-claims.js';
import { DeliveryWorker } from './delivery-worker.js';
import { OrderWorker } from './order-worker.js';
import { Payloads } from './payloads.js';
import { ReplayWorker } from './replay-worker.js';
import { ReplaysController } from './replays.controller.js';
import { ReplaysService } from './replays.service.js';
import { StatsController } from './stats.controller.js';
import { StatsService } from './stats.service.js';
import { WebhookFailures } from './webhook-failures.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSubscriber } from './webhook-subscriber.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';
import { entities } from './webhooks.tables.js';
import { EventsModule } from '../events/events.module.js';
import { ObservabilityModule } from '../observability/observability.module.js';

/** Subscriptions to events, and their delivery to the receivers. */
@Module({
  imports: [
    TenantsModule,
    OutboundModule,
    ObservabilityModule,
    EventsModule,
    DueModule,
    TypeOrmModule.forFeature(entities),
  ],
  controllers: [WebhooksController, DeliveriesController, ReplaysController, StatsController],
  providers: [
    WebhooksService,
    WebhookSecrets,
    WebhookSubscriber,
    WebhookFailures,
    DeliveriesService,
    DeliveryErasure,
    Deliver,
    DeliveryClaims,
    DeliveryWorker,
    Payloads,
    PublicUrl,
    ReplaysService,
    ReplayWorker,
    OrderWorker,
    StatsService,
  ],
})
export class WebhooksModule {}
