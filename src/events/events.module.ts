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
import { KnownSubscriber, SubscriberPosition } from './subscriber.entity.js';
import { Event, EventCounter, EventPosition, PendingEvent } from './event.entity.js';

/** Events: recorded together with the change that caused them, and relayed to the subscribers. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Event, EventCounter, EventPosition, PendingEvent, KnownSubscriber, SubscriberPosition]),
  ],
  controllers: [EventsController],
  providers: [EventRecorder, Subscribers, SubscriberRegistry, SubscriberFeeds, EventRelay, EventRetention, EventFeed],
  exports: [EventRecorder, EventRelay, Subscribers],
})
export class EventsModule {}
