import type { SendMailOptions } from 'nodemailer';
import { isEmail } from '../fields/email.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { fieldsOf, htmlOfFields, htmlPage, textOfField } from './layout.js';
import { oneLine } from './mail-text.js';
import type { Sender } from './sender.js';

/** What a notification tells of. */
export interface Submission {
  /** `sub_…` */
  id: string;
  formName: string;
  definitions: readonly FieldDefinition[];
  values: Readonly<Record<string, string>>;
  submittedAt: string;
}

export type Notification = SendMailOptions & { subject: string; text: string; html: string };

/** The mail about a submission; the same one for each attempt, so that a receiver can tell that it has it. */
export function composeNotification(submission: Submission, from: Sender, to: string): Notification {
  const subject = `New submission: ${oneLine(submission.formName)}`;
  const replyTo = replyAddress(submission);
  return {
    messageId: `<${submission.id}@${from.domain}>`,
    date: new Date(submission.submittedAt),
    from: { name: from.name, address: from.address },
    to: { name: '', address: to },
    ...(replyTo && { replyTo: { name: '', address: replyTo } }),
    subject,
    text: composeText(subject, submission),
    html: composeHtml(subject, submission),
    // RFC 3834: no vacation notice answers to this.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/**
 * The value of the first `email` field that holds an address. One with a local part that is not ASCII is passed over: not every mail
 * server takes such a header, and the address is in the mail anyway.
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
