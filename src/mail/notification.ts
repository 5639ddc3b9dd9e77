import type { SendMailOptions } from 'nodemailer';
import { isEmail } from '../fields/email.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { escapeHtml, linesOf, oneLine } from './mail-text.js';
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

type Notification = SendMailOptions & { subject: string; text: string; html: string };

/** Stands where a visitor left a field empty. */
const NOTHING = '—';

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

/** Values are indented, so that none can pass for another field. */
function composeText(title: string, submission: Submission): string {
  const fields = fieldsOf(submission).map(
    ({ label, lines }) => `${label}:\n${lines.map((line) => `  ${line}`).join('\n')}\n`,
  );
  return [title, '', ...fields, '-- ', footer(submission), ''].join('\n');
}

function composeHtml(title: string, submission: Submission): string {
  const rows = fieldsOf(submission).map(
    ({ label, lines }) =>
      `<tr><th align="left" valign="top" style="padding:4px 16px 4px 0">${escapeHtml(label)}</th>` +
      `<td valign="top" dir="auto" style="padding:4px 0">${lines.map(escapeHtml).join('<br>\n')}</td></tr>`,
  );
  return `<!doctype html>
<html>
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="font-family:sans-serif">
<h1 style="font-size:18px">${escapeHtml(title)}</h1>
<table role="presentation">
${rows.join('\n')}
</table>
<p style="color:#666666;font-size:12px">${escapeHtml(footer(submission))}</p>
</body>
</html>
`;
}

/** Every field in the form's order, whether the visitor filled it in or not. */
function fieldsOf({ definitions, values }: Submission): { label: string; lines: string[] }[] {
  return definitions.map(({ name, label }) => ({
    label: oneLine(label ?? '') || name,
    lines: linesOf(values[name] || NOTHING),
  }));
}

function footer({ id, submittedAt }: Submission): string {
  return `Submitted ${submittedAt} as ${id}`;
}
