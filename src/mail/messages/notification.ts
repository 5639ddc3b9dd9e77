import { isEmail } from '../../fields/formats/email.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { shorten } from '../../fields/formats/text.js';
import { fillPlaceholders } from '../../forms/settings/placeholders.js';
import { mailFields, htmlOfFields, htmlMail, textOfField } from './layout.js';
import { oneLine } from './mail-text.js';
import { timeIn } from './mail-time.js';
import type { HtmlMessage } from '../transports/mail-transport.js';
import type { Sender } from '../transports/sender.js';

/** The submission that a notification is about. */
export interface NotifiedSubmission {
  /** `sub_…` */
  id: string;
  formName: string;
  definitions: readonly FieldDefinition[];
  values: Readonly<Record<string, string>>;
  submittedAt: string;
  /** Null: UTC. */
  timeZone: string | null;
  /** Whether the form asks for a time token, and no valid one came with it. */
  isUntimed?: boolean;
}

const MAX_SUBJECT = 255;

/** Which email about a submission it is. */
interface NotificationParts {
  /** Distinguishes it from the other emails about the submission; empty for the first one. */
  suffix: string;
  /** With placeholders. Null: the common subject. */
  subject: string | null;
}

/** Composes the email about a submission. It is the same for each attempt, so that a receiver can detect a duplicate. */
export function composeNotification(
  submission: NotifiedSubmission,
  from: Sender,
  to: string,
  { suffix, subject: own }: NotificationParts = { suffix: '', subject: null },
): HtmlMessage {
  const common = `New submission: ${oneLine(submission.formName)}`;
  const subject = own === null ? common : filledSubject(own, submission) || common;
  const id = `${submission.id}${suffix}`;
  const replyTo = replyAddress(submission);
  return {
    id,
    messageId: `<${id}@${from.domain}>`,
    date: new Date(submission.submittedAt),
    from: { name: from.name, address: from.address },
    to: { name: '', address: to },
    ...(replyTo && { replyTo: { name: '', address: replyTo } }),
    subject,
    text: composeText(subject, submission),
    html: composeHtml(subject, submission),
    // RFC 3834: prevents automatic replies, such as vacation notices. The second one keeps mail programs that gather emails with equal
    // subjects from taking different submissions for one conversation.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': id },
  };
}

/**
 * Returns the value of the first `email` field that contains an address. Skips an address whose local part is not ASCII, because some mail
 * servers do not accept it in a header, and the email contains it anyway.
 */
function replyAddress({ definitions, values }: NotifiedSubmission): string | undefined {
  return definitions
    .filter(({ type }) => type === 'email')
    .map(({ name }) => values[name] ?? '')
    .find((value) => isEmail(value) && /^\p{ASCII}*@[^@]*$/u.test(value));
}

function filledSubject(subject: string, { values }: NotifiedSubmission): string {
  const filled = fillPlaceholders(subject, (name) => (Object.hasOwn(values, name) && values[name]) || '');
  return shorten(oneLine(filled), MAX_SUBJECT);
}

function composeText(title: string, submission: NotifiedSubmission): string {
  const fields = mailFields(submission.definitions, submission.values).map((field) => textOfField(field));
  return [title, '', ...fields, '-- ', footer(submission), ''].join('\n');
}

function composeHtml(title: string, submission: NotifiedSubmission): string {
  return htmlMail(title, htmlOfFields(mailFields(submission.definitions, submission.values)), footer(submission));
}

function footer({ id, submittedAt, timeZone, isUntimed }: NotifiedSubmission): string {
  const submitted = `Submitted ${timeIn(timeZone, submittedAt)} as ${id}`;
  return isUntimed
    ? `${submitted}. It came without a valid time token (_t), so min_seconds was not checked.`
    : submitted;
}
