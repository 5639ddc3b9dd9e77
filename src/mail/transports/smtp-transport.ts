import { createTransport } from 'nodemailer';
import type { MailMessage, MailTransport } from './mail-transport.js';
import { mailOptions, nodemailerRefusal, SAFE_OPTIONS } from './nodemailer.js';

/**
 * Sends through the mail server of `SMTP_URL`, over pooled connections. The administrator chooses the server, so it may be in a private
 * network. Lint therefore permits this connection outside `src/outbound`.
 */
export class SmtpTransport implements MailTransport {
  readonly connections = 5;
  private readonly mailer;

  constructor(url: string) {
    this.mailer = createTransport({
      ...SAFE_OPTIONS,
      pool: true,
      url,
      maxConnections: this.connections,
      connectionTimeout: 10_000,
      greetingTimeout: 15_000,
      socketTimeout: 60_000,
      idleTimeout: 30_000,
    });
    // The promise of each email reports its error. Without a listener, an error here would end the process.
    this.mailer.on('error', () => undefined);
  }

  async send(message: MailMessage, signal: AbortSignal): Promise<void> {
    try {
      await this.mailer.sendMail({ ...mailOptions(message), signal });
    } catch (error) {
      throw nodemailerRefusal(error);
    }
  }

  close(): void {
    this.mailer.close({ force: true });
  }
}
