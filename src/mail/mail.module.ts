import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PublicUrl } from '../http/public-url.js';
import { AutoresponderMails } from './autoresponder.js';
import { AutoresponderLimits } from './autoresponder-limits.js';
import { LetterCipher } from './letters/letter-cipher.js';
import { LetterLimits } from './letters/letter-limits.js';
import { LetterMails } from './letters/letter-mails.js';
import { Letters } from './letters/letters.js';
import { MailLimits } from './mail-limits.js';
import { MailComposer } from './messages/mail-composer.js';
import { MailNotices } from './mail-notices.js';
import { MailErasure } from './mail-erasure.js';
import { MailSubscriber } from './mail-subscriber.js';
import { MailTimes } from './mail-times.js';
import { MailTransports } from './transports/mail-transports.js';
import { MailWorker } from './mail-worker.js';
import { MailsController } from './mails.controller.js';
import { Mails } from './mails.js';
import { SubmissionMails } from './submission-mails.js';
import { entities } from './mail.tables.js';
import { EventsModule } from '../events/events.module.js';
import { WorkModule } from '../work/work.module.js';
import { ObservabilityModule } from '../observability/observability.module.js';

/** Emails about submissions and webhooks, and letters to persons. Subscribers store them, and workers send them. */
@Module({
  imports: [ObservabilityModule, EventsModule, WorkModule, TypeOrmModule.forFeature(entities)],
  controllers: [MailsController],
  providers: [
    Mails,
    SubmissionMails,
    MailErasure,
    AutoresponderMails,
    AutoresponderLimits,
    MailLimits,
    LetterCipher,
    LetterLimits,
    LetterMails,
    Letters,
    MailComposer,
    MailTimes,
    PublicUrl,
    MailSubscriber,
    MailWorker,
    MailNotices,
    MailTransports,
  ],
  exports: [MailTransports, Letters, LetterLimits, LetterMails],
})
export class MailModule {}
