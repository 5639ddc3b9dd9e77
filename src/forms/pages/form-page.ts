import type { ValueError } from '../../errors/problem.js';
import { escapeHtml } from '../../fields/formats/escape-html.js';
import { labelOf } from '../../fields/labels.js';
import type { SentForm } from '../../http/bodies/form-body.js';
import type { CompiledForm } from '../form-schemas.js';
import { messageFor } from './field-messages.js';
import { controlId, fieldHtml } from './form-controls.js';
import { REDIRECT } from './submitted-values.js';
import type { Words } from './texts/words.js';

export interface FormContent {
  form: CompiledForm;
  words: Words;
  /** The path and query that the form is sent to. */
  action: string;
  /** The URL to lead to afterwards. */
  redirect: string | undefined;
  /** HTML inside the form. */
  extra: string;
  /** HTML at the end of the form. */
  end: string;
  isEmbedded: boolean;
  /** Bytes that a file may have whatever its field says. */
  largestFile: number;
  /** What was sent before, and what is wrong with it. */
  again?: { sent: SentForm; errors: readonly ValueError[] };
}

/** What is wrong with a form that was sent. */
interface Faults {
  /** What the visitor can do about each field that the page shows. */
  ofFields: ReadonlyMap<string, readonly string[]>;
  /** What only the owner of the form can mend: values that the page itself sends, as `_redirect`, or names that are no fields. */
  ofOwner: readonly string[];
}

/** Returns the form as HTML for the body of a page. */
export function formHtml(content: FormContent): string {
  const { form, words, action, redirect, extra, end, largestFile, again } = content;
  const faults = faultsOf(content);
  const fields = form.schema.fields.map((field) =>
    fieldHtml({
      field,
      sent: again?.sent.parts.get(field.name),
      isAgain: again !== undefined,
      largestFile,
      errors: faults.ofFields.get(field.name) ?? [],
      words,
    }),
  );
  const hasFiles = form.schema.fields.some(({ type }) => type.isFile);
  const encoding = hasFiles ? ' enctype="multipart/form-data"' : '';
  const isMarked = form.schema.fields.some(({ required, definition }) => required && definition.type !== 'hidden');
  const marked = escapeHtml(words.text('marked')).replace('{mark}', '<span class="mark">*</span>');
  return [
    `<h1><bdi>${escapeHtml(form.name)}</bdi></h1>`,
    ...(again ? [summaryHtml(content, faults, again.sent.files.length > 0)] : []),
    ...(isMarked ? [`<p>${marked}</p>`] : []),
    `<form method="post" action="${escapeHtml(action)}" accept-charset="utf-8"${encoding}>`,
    ...(redirect === undefined ? [] : [`<input type="hidden" name="${REDIRECT}" value="${escapeHtml(redirect)}">`]),
    extra,
    ...fields,
    `<button>${escapeHtml(words.text('submit'))}</button>`,
    end,
    '</form>',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function faultsOf({ form: { schema }, words, largestFile, again }: FormContent): Faults {
  const ofFields = new Map<string, string[]>();
  const ofOwner: string[] = [];
  for (const error of again?.errors ?? []) {
    const [, name = ''] = /^fields\.([^.]+)/.exec(error.path) ?? [];
    const field = schema.field(name);
    if (!field || field.definition.type === 'hidden') {
      ofOwner.push(error.message);
      continue;
    }
    const messages = ofFields.get(name) ?? [];
    const message = messageFor(error, field, words, largestFile);
    if (!messages.includes(message)) messages.push(message);
    ofFields.set(name, messages);
  }
  return { ofFields, ofOwner };
}

function summaryHtml(
  { form: { schema }, words, isEmbedded }: FormContent,
  { ofFields, ofOwner }: Faults,
  hadFiles: boolean,
): string {
  const items = schema.fields.flatMap(({ name, definition }) =>
    (ofFields.get(name) ?? []).map(
      (message) => `<li><a href="#${controlId(name)}">${escapeHtml(`${labelOf(definition)}: ${message}`)}</a></li>`,
    ),
  );
  // Browsers refuse `autofocus` in frames of other origins.
  const focus = isEmbedded ? '' : ' autofocus';
  return [
    `<div class="summary" role="alert" tabindex="-1"${focus}>`,
    `<h2>${escapeHtml(words.text('not_sent'))}</h2>`,
    ...(items.length > 0 ? [`<ul>\n${items.join('\n')}\n</ul>`] : []),
    ...(ofOwner.length > 0 ? [ownerHtml(words, ofOwner)] : []),
    ...(hadFiles ? [`<p>${escapeHtml(words.text('files_again'))}</p>`] : []),
    '</div>',
  ].join('\n');
}

/** The details are in English, as in the problem that a program would get. */
function ownerHtml(words: Words, messages: readonly string[]): string {
  const items = messages.map((message) => `<li>${escapeHtml(message)}</li>`).join('\n');
  return `<p>${escapeHtml(words.text('owner'))}</p>
<details>
<summary>${escapeHtml(words.text('owner_details'))}</summary>
<ul lang="en" dir="ltr">
${items}
</ul>
</details>`;
}
