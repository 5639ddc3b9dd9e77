import type { NodemailerError } from 'nodemailer';
import { withoutValues } from '../observability/logged-error.js';
import { shorten } from '../fields/text.js';
import { oneLine } from './mail-text.js';

const MAX_REASON = 500;
const MASK = '[address]';

/** Why a mail was not taken. */
export interface Refusal {
  /** One line. */
  reason: string;
  /** No later attempt can fare better. */
  permanent: boolean;
}

/**
 * What an error of the mail server means. Permanent is a 5xx on the recipient or the message itself. One on the sender or the log-in
 * is for the admin to mend, and so worth another attempt, like everything else.
 */
export function refusalOf(error: unknown): Refusal {
  const { message, code, command, responseCode } = error as Partial<NodemailerError>;
  const onThisMail = (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM';
  return {
    reason: shorten(oneLine(message ?? String(error)), MAX_REASON),
    permanent: onThisMail && (responseCode === undefined || responseCode >= 500),
  };
}

/** The reason without addresses, for the log: servers repeat the recipient's, whole or only the part before the @. */
export function maskAddresses(reason: string, recipient: string): string {
  const local = recipient.slice(0, recipient.lastIndexOf('@'));
  // What is shorter is part of many words.
  const known = local.length < 3 ? [recipient] : [recipient, local];
  const masked = reason.replace(new RegExp(known.map(escapeRegExp).join('|'), 'gi'), MASK);
  return withoutValues(masked);
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
