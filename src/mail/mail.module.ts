import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PublicUrl } from '../http/public-url.js';
import { MailComposer } from './mail-composer.js';
import { MailSubscriber } from './mail-subscriber.js';
import { MailTimes } from './mail-times.js';
import { MailTransports } from './mail-transports.js';
import { MailWorker } from './mail-worker.js';
import { Mails } from './mails.js';
import { entities } from './mail.tables.js';
import { EventsModule } from '../events/events.module.js';
import { ObservabilityModule } from '../observability/observability.module.js';

/** Emails about submissions. A subscriber stores them, and a worker sends them. */
@Module({
  imports: [ObservabilityModule, EventsModule, TypeOrmModule.forFeature(entities)],
  providers: [Mails, MailComposer, MailTimes, PublicUrl, MailSubscriber, MailWorker, MailTransports],
  exports: [MailTransports],
})
export class MailModule {}
