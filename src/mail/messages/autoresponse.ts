import { canonicalEmail, needsQuotes, withoutTag } from '../../fields/formats/email.js';
import { firstCodePoints, shorten } from '../../fields/formats/text.js';
import type { Autoresponder } from '../../forms/settings/form-settings.js';
import { fillPlaceholders } from '../../forms/settings/placeholders.js';
import { linesOf, oneLine } from './mail-text.js';
import type { MailMessage } from '../transports/mail-transport.js';
import type { Sender } from '../transports/sender.js';

const MAX_VALUE = 100;
const MAX_SUBJECT = 255;
/** Local parts of addresses of programs, which would answer, or whose mail is an answer. What follows `no-reply` does not matter. */
const PROGRAMS = /^(?:no[-_]?reply|(?:mailer-daemon|postmaster|do[-_]?not[-_]?reply|bounces?)(?:$|[^a-z]))/i;

/** What an email of the autoresponder is made of. */
interface Autoresponse {
  /** The name of the message, which no other email has. */
  id: string;
  submittedAt: string;
  values: Readonly<Record<string, string>>;
  autoresponder: Autoresponder;
}

/** Composes the email to the visitor. It has no envelope sender, so that nobody is told if it cannot be delivered. */
export function composeAutoresponse(response: Autoresponse, from: Sender, to: string): MailMessage {
  const { id, submittedAt, values, autoresponder } = response;
  const fill = (text: string) =>
    fillPlaceholders(text, (name) => harmless((Object.hasOwn(values, name) && values[name]) || ''));
  return {
    id,
    messageId: `<${id}@${from.domain}>`,
    date: new Date(submittedAt),
    from: { name: from.name, address: from.address },
    to: { name: '', address: to },
    subject: shorten(oneLine(fill(autoresponder.subject)), MAX_SUBJECT),
    text: `${linesOf(fill(autoresponder.text)).join('\n')}\n`,
    withoutEnvelopeSender: true,
    // RFC 3834, and what Exchange looks at instead.
    headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
  };
}

/**
 * Returns a value as it may stand in an email to an address that a stranger chose: a short line in which no email program finds a link. Dots
 * before letters and colons after schemes are in brackets.
 */
export function harmless(value: string): string {
  const line = firstCodePoints(oneLine(value), MAX_VALUE);
  return line.replace(/[.。．｡](?=[\p{L}\p{N}])/gu, '[.]').replace(/:(?=[\p{L}\p{N}/])/gu, '[:]');
}

/**
 * Returns why no email is sent to the address; undefined if one may be sent. `others` are addresses that are notified, and the sender. A local
 * part that needs quotation marks is refused: no browser accepts one, mail servers read them differently, and a stranger chose it.
 */
export function refusalOfAddress(address: string, others: readonly string[]): string | undefined {
  if (needsQuotes(address)) return 'The address needs quotation marks.';
  if (PROGRAMS.test(canonicalEmail(address))) return 'The address is that of a program.';
  const isOther = others.some((other) => withoutTag(other) === withoutTag(address));
  return isOther ? 'The address is notified of the submission itself, or is the sender.' : undefined;
}
