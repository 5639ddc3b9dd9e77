import type { NodemailerError } from 'nodemailer';
import { withoutValues } from '../observability/logged-error.js';
import { shorten } from '../fields/text.js';
import { oneLine } from './mail-text.js';

const MAX_REASON = 500;
const MASK = '[address]';

/** The reason why an email was not accepted. */
export interface Refusal {
  /** One line. */
  reason: string;
  /** Whether every later attempt would fail too. */
  permanent: boolean;
}

/**
 * Interprets an error of the mail server. An error on the recipient or the message itself is permanent if it is a 5xx or has no response
 * code. Every other error is worth another attempt; for example, an administrator can fix a 5xx on the sender or the login.
 */
export function refusalOf(error: unknown): Refusal {
  const { message, code, command, responseCode } = error as Partial<NodemailerError>;
  const onThisMail = (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM';
  return {
    reason: shorten(oneLine(message ?? String(error)), MAX_REASON),
    permanent: onThisMail && (responseCode === undefined || responseCode >= 500),
  };
}

/** Returns the reason without addresses, for the log. Servers repeat the recipient's address, or only the part before the @. */
export function maskAddresses(reason: string, recipient: string): string {
  const local = recipient.slice(0, recipient.lastIndexOf('@'));
  // A shorter local part occurs in many words.
  const known = local.length < 3 ? [recipient] : [recipient, local];
  const masked = reason.replace(new RegExp(known.map(escapeRegExp).join('|'), 'gi'), MASK);
  return withoutValues(masked);
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
