import type { NodemailerError } from 'nodemailer';
import { shorten } from '../fields/text.js';
import { oneLine } from './mail-text.js';

const MAX_REASON = 500;

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
