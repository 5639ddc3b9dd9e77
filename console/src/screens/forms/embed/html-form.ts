import type { FormDetail, FormField } from '../../../api/forms';

interface Where {
  readonly service: string;
  readonly tenantId: string;
}

/** The form as HTML that sends it to the service. */
export function htmlFormOf({ slug, fields, settings = {} }: FormDetail, { service, tenantId }: Where): string {
  const { honeypot, challenge, min_seconds: minSeconds, require_token: needsToken } = settings.spam ?? {};
  const hasFile = fields.some(({ type }) => type === 'file');
  const action = `${service}/v1/forms/${tenantId}/${slug}/submissions`;
  const needsScript = challenge || minSeconds !== undefined || needsToken;
  return [
    `<form method="post" action="${action}"${hasFile ? ' enctype="multipart/form-data"' : ''}>`,
    ...fields.map((field) => `  ${htmlOf(field)}`),
    ...(honeypot ? [`  <input name="${honeypot}" tabindex="-1" autocomplete="off" hidden />`] : []),
    '  <button>Send</button>',
    '</form>',
    ...(needsScript ? [`<script src="${service}/f/token.js"></script>`] : []),
  ].join('\n');
}

function htmlOf(field: FormField): string {
  const { name, type, label = name, required } = field;
  const attributes = `name="${name}"${required ? ' required' : ''}`;
  if (type === 'hidden') return `<input type="hidden" name="${name}" value="${escaped(field.default ?? '')}" />`;
  if (type === 'checkbox') return `<label><input type="checkbox" ${attributes} /> ${escaped(label)}</label>`;
  return `<label>${escaped(label)} ${controlOf(field, attributes)}</label>`;
}

function controlOf({ type, options = [], multiple }: FormField, attributes: string): string {
  const several = multiple ? ' multiple' : '';
  if (type === 'textarea') return `<textarea ${attributes}></textarea>`;
  if (type !== 'select') return `<input type="${type}" ${attributes}${type === 'file' ? several : ''} />`;
  const choices = options.map((option) => `<option>${escaped(option)}</option>`).join('');
  return `<select ${attributes}${several}>${choices}</select>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
