import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventFeed } from './event-feed.js';
import { EventRecorder } from './event-recorder.js';
import { EventRelay } from './event-relay.js';
import { EventRetention } from './event-retention.js';
import { EventsController } from './events.controller.js';
import { Subscribers } from './subscriber.js';
import { SubscriberFeeds } from './subscriber-feeds.js';
import { SubscriberRegistry } from './subscriber-registry.js';
import { entities } from './events.tables.js';

/** Events: recorded together with the change that caused them, and relayed to the subscribers. */
@Module({
  imports: [TypeOrmModule.forFeature(entities)],
  controllers: [EventsController],
  providers: [EventRecorder, Subscribers, SubscriberRegistry, SubscriberFeeds, EventRelay, EventRetention, EventFeed],
  exports: [EventRecorder, EventRelay, Subscribers],
})
export class EventsModule {}
