import { Global, Module } from '@nestjs/common';
import { EventFeed } from './event-feed.js';
import { EventRecorder } from './event-recorder.js';
import { EventRelay } from './event-relay.js';
import { EventRetention } from './event-retention.js';
import { EventsController } from './events.controller.js';
import { Subscribers } from './subscriber.js';

/** What happened, recorded with the change that made it happen and relayed to whoever subscribed. */
@Global()
@Module({
  controllers: [EventsController],
  providers: [EventRecorder, Subscribers, EventRelay, EventRetention, EventFeed],
  exports: [EventRecorder, EventRelay, Subscribers],
})
export class EventsModule {}
