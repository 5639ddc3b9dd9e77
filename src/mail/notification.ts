import { isEmail } from '../fields/email.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { fieldsOf, htmlOfFields, htmlPage, textOfField } from './layout.js';
import { oneLine } from './mail-text.js';
import type { MailMessage } from './mail-transport.js';
import type { Sender } from './sender.js';

/** The submission that a notification is about. */
export interface Submission {
  /** `sub_…` */
  id: string;
  formName: string;
  definitions: readonly FieldDefinition[];
  values: Readonly<Record<string, string>>;
  submittedAt: string;
}

/** Composes the email about a submission. It is the same for each attempt, so that a receiver can detect a duplicate. */
export function composeNotification(submission: Submission, from: Sender, to: string): MailMessage {
  const subject = `New submission: ${oneLine(submission.formName)}`;
  const replyTo = replyAddress(submission);
  return {
    id: submission.id,
    messageId: `<${submission.id}@${from.domain}>`,
    date: new Date(submission.submittedAt),
    from: { name: from.name, address: from.address },
    to: { name: '', address: to },
    ...(replyTo && { replyTo: { name: '', address: replyTo } }),
    subject,
    text: composeText(subject, submission),
    html: composeHtml(subject, submission),
    // RFC 3834: prevents automatic replies, such as vacation notices.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/**
 * Returns the value of the first `email` field that contains an address. Skips an address whose local part is not ASCII, because some mail
 * servers do not accept it in a header, and the email contains it anyway.
 */
function replyAddress({ definitions, values }: Submission): string | undefined {
  return definitions
    .filter(({ type }) => type === 'email')
    .map(({ name }) => values[name] ?? '')
    .find((value) => isEmail(value) && /^\p{ASCII}*@[^@]*$/u.test(value));
}

function composeText(title: string, submission: Submission): string {
  const fields = fieldsOf(submission.definitions, submission.values).map((field) => textOfField(field));
  return [title, '', ...fields, '-- ', footer(submission), ''].join('\n');
}

function composeHtml(title: string, submission: Submission): string {
  return htmlPage(title, htmlOfFields(fieldsOf(submission.definitions, submission.values)), footer(submission));
}

function footer({ id, submittedAt }: Submission): string {
  return `Submitted ${submittedAt} as ${id}`;
}
