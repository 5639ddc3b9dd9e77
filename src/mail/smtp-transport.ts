import { createTransport, type SendMailOptions } from 'nodemailer';
import { MailTransport } from './mail-transport.js';

/** Maximum number of connections to the mail server, and therefore of emails that this process sends at once. */
export const CONNECTIONS = 5;

/**
 * Sends through the mail server of `SMTP_URL`, over pooled connections. The administrator chooses the server, so it may be in a private
 * network. Lint therefore permits this connection outside `src/outbound`.
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
    // The promise of each email reports its error. Without a listener, an error here would end the process.
    this.mailer.on('error', () => undefined);
  }

  async send(_id: string, message: SendMailOptions, signal: AbortSignal): Promise<void> {
    await this.mailer.sendMail({ ...message, signal });
  }

  close(): void {
    this.mailer.close({ force: true });
  }
}
