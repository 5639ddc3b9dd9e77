import type { SendMailOptions } from 'nodemailer';

/** Where mails go. */
export abstract class MailTransport {
  /** Throws when the message was not taken, or `signal` aborted before. `id` is a name that no other mail has. */
  abstract send(id: string, message: SendMailOptions, signal: AbortSignal): Promise<void>;

  /** Ends at once what is under way. */
  abstract close(): void;
}
