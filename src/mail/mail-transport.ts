import type { SendMailOptions } from 'nodemailer';

/** Sends emails. */
export abstract class MailTransport {
  /** Throws if the message was not accepted, or `signal` aborted first. `id` is a name that no other email has. */
  abstract send(id: string, message: SendMailOptions, signal: AbortSignal): Promise<void>;

  /** Aborts running sends at once. */
  abstract close(): void;
}
