import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ScheduledJobsModule } from '../scheduled-jobs/scheduled-jobs.module.js';
import { PublicUrl } from '../http/public-url.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { OutboundModule } from '../outbound/outbound.module.js';
import { DeliveriesController } from './deliveries/deliveries.controller.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { DeliveryErasure } from './deliveries/delivery-erasure.js';
import { Deliver } from './deliveries/deliver.js';
import { DeliveryClaims } from './deliveries/delivery-claims.js';
import { DeliveryWorker } from './deliveries/delivery-worker.js';
import { OrderWorker } from './ordering/order-worker.js';
import { Payloads } from './deliveries/payloads.js';
import { ReplayWorker } from './replays/replay-worker.js';
import { ReplaysController } from './replays/replays.controller.js';
import { ReplaysService } from './replays/replays.service.js';
import { StatsController } from './statistics/stats.controller.js';
import { StatsService } from './statistics/stats.service.js';
import { WebhookFailures } from './failures/webhook-failures.js';
import { WebhookSecrets } from './secrets/webhook-secrets.js';
import { WebhookSubscriber } from './subscriptions/webhook-subscriber.js';
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
    ScheduledJobsModule,
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
  exports: [WebhooksService],
})
export class WebhooksModule {}
