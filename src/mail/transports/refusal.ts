import { withoutValues } from '../../observability/logged-error.js';
import { shorten } from '../../fields/formats/text.js';
import { oneLine } from '../messages/mail-text.js';
import { MailRefusal } from './mail-transport.js';

const MAX_REASON = 500;
const MASK = '[address]';

/** The reason why an email was not accepted. */
export interface Refusal {
  /** One line. */
  reason: string;
  /** Whether every later attempt would fail too. */
  permanent: boolean;
}

/** Interprets an error of a mail transport. */
export function mailRefusal(error: unknown): Refusal {
  const message = error instanceof Error ? error.message : String(error);
  return {
    reason: shorten(oneLine(message), MAX_REASON),
    permanent: error instanceof MailRefusal && error.permanent,
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
