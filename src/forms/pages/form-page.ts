import type { ValueError } from '../../errors/problem.js';
import { escapeHtml } from '../../fields/escape-html.js';
import type { SentForm } from '../../http/form-body.js';
import type { CompiledForm } from '../form-schemas.js';
import { controlId, fieldHtml, labelOf } from './form-controls.js';
import { REDIRECT } from './submitted-values.js';

export interface FormContent {
  form: CompiledForm;
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

/** Returns the form as HTML for the body of a page. */
export function formHtml({ form, action, redirect, extra, end, isEmbedded, largestFile, again }: FormContent): string {
  const { shown, others } = placed(form, again?.errors ?? []);
  const fields = form.schema.fields.map((field) =>
    fieldHtml({
      field,
      sent: again?.sent.parts.get(field.name),
      isAgain: again !== undefined,
      largestFile,
      errors: shown.get(field.name) ?? [],
    }),
  );
  const hasFiles = form.schema.fields.some(({ type }) => type.isFile);
  const encoding = hasFiles ? ' enctype="multipart/form-data"' : '';
  const isMarked = form.schema.fields.some(({ required, definition }) => required && definition.type !== 'hidden');
  return [
    `<h1>${escapeHtml(form.name)}</h1>`,
    ...(again ? [summaryHtml(form, shown, others, isEmbedded, again.sent.files.length > 0)] : []),
    ...(isMarked ? ['<p>Fields marked with <span class="mark">*</span> are required.</p>'] : []),
    `<form method="post" action="${escapeHtml(action)}" accept-charset="utf-8"${encoding}>`,
    ...(redirect === undefined ? [] : [`<input type="hidden" name="${REDIRECT}" value="${escapeHtml(redirect)}">`]),
    extra,
    ...fields,
    '<button>Send</button>',
    end,
    '</form>',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** Divides the messages into those of fields that the page shows, and all others. */
function placed(
  { schema }: CompiledForm,
  errors: readonly ValueError[],
): { shown: Map<string, string[]>; others: string[] } {
  const shown = new Map<string, string[]>();
  const others: string[] = [];
  for (const { path, message } of errors) {
    const [, name = ''] = /^fields\.([^.]+)/.exec(path) ?? [];
    const field = schema.field(name);
    if (!field || field.definition.type === 'hidden') others.push(message);
    else shown.set(name, [...(shown.get(name) ?? []), withLabel(message, name, labelOf(field))]);
  }
  return { shown, others };
}

/** Messages begin with the name of the field. People know its label. */
function withLabel(message: string, name: string, label: string): string {
  return message.startsWith(`${name} `) ? label + message.slice(name.length) : message;
}

function summaryHtml(
  { schema }: CompiledForm,
  shown: ReadonlyMap<string, readonly string[]>,
  others: readonly string[],
  isEmbedded: boolean,
  hadFiles: boolean,
): string {
  const items = schema.fields.flatMap(({ name }) =>
    (shown.get(name) ?? []).map((message) => `<a href="#${controlId(name)}">${escapeHtml(message)}</a>`),
  );
  const all = [...others.map(escapeHtml), ...items].map((item) => `<li>${item}</li>`);
  // Browsers refuse `autofocus` in frames of other origins.
  const focus = isEmbedded ? '' : ' autofocus';
  return `<div class="summary" role="alert" tabindex="-1"${focus}>
<h2>The form was not sent</h2>
<ul>
${all.join('\n')}
</ul>${hadFiles ? '\n<p>Files are not kept. Please choose them again.</p>' : ''}
</div>`;
}
