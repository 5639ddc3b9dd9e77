import { shorten } from '../../fields/formats/text.js';
import type { Letter } from '../letters/letter.js';
import type { HtmlMessage } from '../transports/mail-transport.js';
import type { Sender } from '../transports/sender.js';
import { letterHtml } from './letter-html.js';
import { type LetterParts, letterParts } from './letter-parts.js';
import { letterName } from './mail-names.js';
import { oneLine } from './mail-text.js';

const MAX_SUBJECT = 255;

/** Composes a letter. It is the same for each attempt, so that a receiver can detect a duplicate. `writtenAt` is ISO 8601. */
export function composeLetter(letter: Letter, writtenAt: string, from: Sender): HtmlMessage {
  const id = letterName(letter.id);
  const parts = letterParts(letter, writtenAt);
  return {
    id,
    messageId: `<${id}@${from.domain}>`,
    date: new Date(writtenAt),
    from: { name: from.name, address: from.address },
    to: { name: oneLine(letter.to.name), address: letter.to.address },
    subject: shorten(parts.title, MAX_SUBJECT),
    text: textOf(parts),
    html: letterHtml(parts),
    // RFC 3834: prevents automatic replies, such as vacation notices. The second one keeps mail programs from gathering letters with equal
    // subjects, of which only the last one may have a valid link.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': id },
  };
}

function textOf({ title, paragraphs, quote, button, url, after, footer }: LetterParts): string {
  const blocks = [
    title,
    ...paragraphs,
    // Indented, so that it cannot look like another part.
    ...(quote ? [quote.map((line) => `  ${line}`.trimEnd()).join('\n')] : []),
    `${button}:\n${url}`,
    ...after,
    `-- \n${footer}`,
  ];
  return `${blocks.join('\n\n')}\n`;
}
