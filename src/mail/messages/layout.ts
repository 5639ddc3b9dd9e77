import { escapeHtml } from '../../fields/formats/escape-html.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { labelOf } from '../../fields/labels.js';
import { linesOf, oneLine } from './mail-text.js';

/** A field as an email shows it. */
export interface Field {
  label: string;
  lines: string[];
}

/** Shown in place of an empty value. */
const NOTHING = '—';
const YES_OR_NO: Readonly<Record<string, string>> = { true: 'Yes', false: 'No' };

/** Returns the fields in the order of the definitions, including empty ones. */
export function mailFields(definitions: readonly FieldDefinition[], values: Readonly<Record<string, string>>): Field[] {
  return definitions.map((definition) => ({
    label: oneLine(labelOf(definition)) || definition.name,
    lines: linesOf(shownValue(definition, values) || NOTHING),
  }));
}

function shownValue({ name, type }: FieldDefinition, values: Readonly<Record<string, string>>): string {
  const value = (Object.hasOwn(values, name) && values[name]) || '';
  return type === 'checkbox' ? (YES_OR_NO[value] ?? value) : value;
}

/** Returns the label after `indent`, and the value with two more spaces, so that a value cannot look like another field. */
export function textOfField({ label, lines }: Field, indent = ''): string {
  return `${indent}${label}:\n${lines.map((line) => `${indent}  ${line}`).join('\n')}\n`;
}

export function htmlOfFields(fields: readonly Field[]): string {
  const rows = fields.map(
    ({ label, lines }) =>
      `<tr><th align="left" valign="top" style="padding:4px 16px 4px 0">${escapeHtml(label)}</th>` +
      `<td valign="top" dir="auto" style="padding:4px 0">${lines.map(escapeHtml).join('<br>\n')}</td></tr>`,
  );
  return `<table role="presentation">\n${rows.join('\n')}\n</table>`;
}

/** Returns the HTML part of an email. `content` is HTML; the title and the footer are text. */
export function htmlMail(title: string, content: string, footer: string): string {
  return `<!doctype html>
<html>
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="font-family:sans-serif">
<h1 style="font-size:18px">${escapeHtml(title)}</h1>
${content}
<p style="color:#666666;font-size:12px">${escapeHtml(footer)}</p>
</body>
</html>
`;
}
