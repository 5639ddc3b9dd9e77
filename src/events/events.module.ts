import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventErasure } from './event-erasure.js';
import { EventProgress } from './subscribers/event-progress.js';
import { EventFeed } from './feed/event-feed.js';
import { EventRecorder } from './event-recorder.js';
import { EventRelay } from './event-relay.js';
import { EventRetention } from './event-retention.js';
import { EventTypesController } from './event-types.controller.js';
import { EventsController } from './events.controller.js';
import { AdmissionModule } from '../admission/admission.module.js';
import { PublicUrl } from '../http/public-url.js';
import { OpenApiModule } from '../openapi/openapi.module.js';
import { Subscribers } from './subscribers/subscriber.js';
import { SubscriberFeeds } from './subscribers/subscriber-feeds.js';
import { SubscriberRegistry } from './subscribers/subscriber-registry.js';
import { EventStreamsService } from './stream/event-streams.service.js';
import { EventTails } from './stream/event-tails.js';
import { FeedPages } from './stream/feed-pages.js';
import { entities } from './events.tables.js';

/** Events: recorded together with the change that caused them, and relayed to the subscribers. */
@Module({
  imports: [AdmissionModule, OpenApiModule, TypeOrmModule.forFeature(entities)],
  controllers: [EventTypesController, EventsController],
  providers: [
    EventRecorder,
    EventErasure,
    EventProgress,
    Subscribers,
    SubscriberRegistry,
    SubscriberFeeds,
    EventRelay,
    EventRetention,
    EventFeed,
    FeedPages,
    PublicUrl,
    EventTails,
    EventStreamsService,
  ],
  exports: [EventErasure, EventProgress, EventRecorder, EventRelay, Subscribers],
})
export class EventsModule {}
