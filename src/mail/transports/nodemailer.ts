import type { NodemailerError, SendMailOptions } from 'nodemailer';
import { type MailMessage, MailRefusal } from './mail-transport.js';

/** Neither reads a file or a URL that a message names. */
export const SAFE_OPTIONS = { disableFileAccess: true, disableUrlAccess: true } as const;

/** The message as nodemailer takes it. */
export function mailOptions({ id: _id, headers, withoutEnvelopeSender, ...message }: MailMessage): SendMailOptions {
  const envelope = withoutEnvelopeSender && { envelope: { from: '', to: message.to.address } };
  return { ...message, ...envelope, headers: { ...headers } };
}

/**
 * Interprets an error of the mail server. An error on the recipient or the message itself is permanent if it is a 5xx or has no response
 * code. Every other error is worth another attempt; for example, an administrator can fix a 5xx on the sender or the login.
 */
export function nodemailerRefusal(error: unknown): MailRefusal {
  const { message, code, command, responseCode } = error as Partial<NodemailerError>;
  const onThisMail = (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM';
  const permanent = onThisMail && (responseCode === undefined || responseCode >= 500);
  return new MailRefusal(message ?? String(error), { permanent, cause: error });
}
