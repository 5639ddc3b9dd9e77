import { Injectable, Logger, OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import { join } from 'node:path';
import { Config } from '../../config/config.js';
import { ConfigError } from '../../config/environment.js';
import { FileTransport } from './file-transport.js';
import type { MailTransport } from './mail-transport.js';
import { SmtpTransport } from './smtp-transport.js';

/** The mail transports by name. `MAIL_TRANSPORT` chooses the one that a worker uses. */
@Injectable()
export class MailTransports implements OnModuleInit, OnApplicationBootstrap {
  private readonly factories = new Map<string, () => MailTransport>();
  private chosen?: MailTransport;

  constructor(private readonly config: Config) {}

  /** Must be called while modules are initialized. `create` is called once if the configuration chooses the name. */
  register(name: string, create: () => MailTransport): void {
    if (this.factories.has(name)) throw new Error(`There are two mail transports "${name}".`);
    this.factories.set(name, create);
  }

  onModuleInit(): void {
    const { smtpUrl, dataDir } = this.config;
    this.register('smtp', () => new SmtpTransport(smtpUrl ?? ''));
    this.register('file', () => new FileTransport(join(dataDir, 'mails')));
  }

  onApplicationBootstrap(): void {
    // A process that serves only the API may lack the extension that provides the transport.
    if (this.config.role === 'api') return;
    void this.current;
    if (this.config.mailTransport !== 'file') return;
    const reason = this.config.smtpUrl ? 'MAIL_TRANSPORT is file' : 'SMTP_URL is not set';
    const folder = join(this.config.dataDir, 'mails');
    new Logger('Mail').warn(`${reason}; emails are written to ${folder} and not sent`);
  }

  /** The transport of the configuration. Throws a ConfigError if no transport has its name. */
  get current(): MailTransport {
    return (this.chosen ??= this.create());
  }

  /** The transport if it stores messages in this process. A process that serves only the API may know no other one. */
  get storing(): MailTransport | undefined {
    return this.config.mailTransport === 'file' ? this.current : this.chosen;
  }

  close(): void {
    this.chosen?.close();
  }

  private create(): MailTransport {
    const create = this.factories.get(this.config.mailTransport);
    if (create) return create();
    const names = [...this.factories.keys()].join(', ');
    throw new ConfigError([`MAIL_TRANSPORT must be the name of a mail transport: ${names}.`]);
  }
}
