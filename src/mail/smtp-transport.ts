import { createTransport, type SendMailOptions } from 'nodemailer';
import { MailTransport } from './mail-transport.js';

/** Connections to the mail server, which is also how many mails of this process are under way at once. */
export const CONNECTIONS = 5;

/**
 * Sends through the mail server of `SMTP_URL`, over connections that are used again. The server is the admin's own choice, so it may
 * stand in a private network; this is the one way out beside `src/outbound`.
 */
export class SmtpTransport implements MailTransport {
  private readonly mailer;

  constructor(url: string) {
    this.mailer = createTransport({
      pool: true,
      url,
      maxConnections: CONNECTIONS,
      connectionTimeout: 10_000,
      greetingTimeout: 15_000,
      socketTimeout: 60_000,
      idleTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    // Each mail's own promise tells what went wrong; unheard, an error here would end the process.
    this.mailer.on('error', () => undefined);
  }

  async send(_id: string, message: SendMailOptions, signal: AbortSignal): Promise<void> {
    await this.mailer.sendMail({ ...message, signal });
  }

  close(): void {
    this.mailer.close({ force: true });
  }
}
