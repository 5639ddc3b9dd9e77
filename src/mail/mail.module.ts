import { join } from 'node:path';
import { Logger, Module, OnApplicationBootstrap } from '@nestjs/common';
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
export class MailModule implements OnApplicationBootstrap {
  constructor(private readonly config: Config) {}

  /** Warns only when everything else has started: a start that fails has one line, which says why. */
  onApplicationBootstrap(): void {
    const { smtpUrl, role } = this.config;
    if (smtpUrl || role === 'api') return;
    new Logger('Mail').warn(`SMTP_URL is not set; emails are written to ${folderOf(this.config)} and not sent`);
  }
}

function buildTransport(config: Config): MailTransport {
  return config.smtpUrl ? new SmtpTransport(config.smtpUrl) : new FileTransport(folderOf(config));
}

function folderOf({ dataDir }: Config): string {
  return join(dataDir, 'mails');
}
