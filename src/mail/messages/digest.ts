import { escapeHtml } from '../../fields/formats/escape-html.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { type Field, mailFields, htmlOfFields, htmlMail, textOfField } from './layout.js';
import { oneLine } from './mail-text.js';
import { timeIn } from './mail-time.js';
import type { HtmlMessage } from '../transports/mail-transport.js';
import type { Sender } from '../transports/sender.js';

/** Maximum length of the submissions in each part of a digest, in characters, unless the first one alone is longer. */
const MAX_LENGTH = 524_288;

const INTRODUCTION =
  'This form receives more submissions than the limit for single emails allows. This email lists several of them.';

/** Several submissions to one form. */
export interface Digest {
  /** The ID of the first submission, `sub_…`. */
  id: string;
  formName: string;
  definitions: readonly FieldDefinition[];
  /** Number of all submissions, including those that are not shown. */
  total: number;
  /** The first submissions; at least one. */
  submissions: readonly {
    id: string;
    values: Readonly<Record<string, string>>;
    submittedAt: string;
    /** See `Submission` of a single email. */
    isUntimed?: boolean;
  }[];
  /** Null: UTC. */
  timeZone: string | null;
  /** The URL of the list of the form's submissions. */
  listUrl: string;
}

interface Section {
  heading: string;
  fields: Field[];
}

/** Composes the email that lists submissions beyond the limit for single emails. It is the same for each attempt. */
export function composeDigest(digest: Digest, from: Sender, to: string): HtmlMessage {
  const { id, formName, total, submissions } = digest;
  const subject = `${total} new ${total === 1 ? 'submission' : 'submissions'}: ${oneLine(formName)}`;
  const sections = sectionsOf(digest);
  const texts = sections.map(textOfSection);
  const htmls = sections.map(htmlOfSection);
  const count = Math.min(fitting(texts), fitting(htmls));
  const end = footer(digest, count);
  return {
    id: `digest.${id}`,
    messageId: `<digest.${id}@${from.domain}>`,
    date: new Date(submissions.at(-1)?.submittedAt ?? 0),
    from: { name: from.name, address: from.address },
    to: { name: '', address: to },
    subject,
    text: [subject, '', INTRODUCTION, '', ...texts.slice(0, count), '-- ', end, ''].join('\n'),
    html: htmlMail(subject, [`<p>${INTRODUCTION}</p>`, ...htmls.slice(0, count)].join('\n'), end),
    // RFC 3834: prevents automatic replies, such as vacation notices.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': `digest.${id}` },
  };
}

/** Leaves out empty fields, because a hundred of them would be long. */
function sectionsOf({ definitions, submissions, timeZone }: Digest): Section[] {
  return submissions.map(({ id, values, submittedAt }) => ({
    heading: `Submitted ${timeIn(timeZone, submittedAt)} as ${id}`,
    fields: mailFields(
      definitions.filter(({ name }) => values[name]),
      values,
    ),
  }));
}

/** The heading is not indented; labels and values are. */
function textOfSection({ heading, fields }: Section): string {
  return [heading, '', ...fields.map((field) => textOfField(field, '  '))].join('\n');
}

function htmlOfSection({ heading, fields }: Section): string {
  return `<h2 style="font-size:14px">${escapeHtml(heading)}</h2>\n${htmlOfFields(fields)}`;
}

/** Returns how many of the texts, from the first, fit into a part; at least one. */
function fitting(texts: readonly string[]): number {
  let length = 0;
  const end = texts.findIndex((text, index) => (length += text.length) > MAX_LENGTH && index > 0);
  return end < 0 ? texts.length : end;
}

function footer({ total, listUrl, submissions }: Digest, shown: number): string {
  const untimed = submissions.slice(0, shown).filter(({ isUntimed }) => isUntimed).length;
  const time =
    untimed > 0 ? `${untimed} of them came without a valid time token (_t), so min_seconds was not checked. ` : '';
  const more = total > shown ? `This email does not show ${total - shown} of the submissions. ` : '';
  return `${time}${more}To list all submissions of the form: GET ${listUrl}`;
}
