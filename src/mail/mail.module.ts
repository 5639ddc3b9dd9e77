import { join } from 'node:path';
import { Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { PublicUrl } from '../http/public-url.js';
import { FileTransport } from './file-transport.js';
import { MailComposer } from './mail-composer.js';
import { MailSubscriber } from './mail-subscriber.js';
import { MailTimes } from './mail-times.js';
import { MailTransport } from './mail-transport.js';
import { MailWorker } from './mail-worker.js';
import { Mails } from './mails.js';
import { SmtpTransport } from './smtp-transport.js';
import { entities } from './mail.tables.js';
import { EventsModule } from '../events/events.module.js';
import { ObservabilityModule } from '../observability/observability.module.js';

/** Emails about submissions. A subscriber stores them, and a worker sends them. */
@Module({
  imports: [ObservabilityModule, EventsModule, TypeOrmModule.forFeature(entities)],
  providers: [
    Mails,
    MailComposer,
    MailTimes,
    PublicUrl,
    MailSubscriber,
    MailWorker,
    { provide: MailTransport, inject: [Config], useFactory: buildTransport },
  ],
})
export class MailModule {}

function buildTransport({ smtpUrl, dataDir, role }: Config): MailTransport {
  if (smtpUrl) return new SmtpTransport(smtpUrl);
  const folder = join(dataDir, 'mails');
  if (role !== 'api') new Logger('Mail').warn(`SMTP_URL is not set; emails are written to ${folder} and not sent`);
  return new FileTransport(folder);
}
