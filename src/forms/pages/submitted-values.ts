import type { ValueError } from '../../errors/problem.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { Schema } from '../../fields/schema.js';
import { shorten } from '../../fields/formats/text.js';
import type { SentForm } from '../../http/bodies/form-body.js';
import { PROOF, TOKEN, USUAL_TRAPS } from '../spam/spam-checks.js';

/** The part that says where to lead the browser. */
export const REDIRECT = '_redirect';

/** What browsers and pages send for a ticked box, and for one that is not. */
const TICKED: ReadonlySet<string> = new Set(['on', '1', 'yes', 'true']);
const NOT_TICKED: ReadonlySet<string> = new Set(['', 'off', '0', 'no', 'false']);

/** The visitor's address in forms that were made for other services (Formspree). */
const REPLY_TO = '_replyto';
/** Parts of such forms that are no values of a visitor: of frameworks, of other services, of widgets, and of buttons with a name. */
const IGNORED: ReadonlySet<string> = new Set([
  'authenticity_token',
  'cf-turnstile-response',
  'commit',
  'csrfmiddlewaretoken',
  'form-name',
  'g-recaptcha-response',
  'h-captcha-response',
  'submit',
  'utf8',
]);
/** What the service reads itself, at every door. */
const OWN: ReadonlySet<string> = new Set([TOKEN, PROOF, ...USUAL_TRAPS]);

interface SubmittedValues {
  fields: Record<string, string>;
  errors: ValueError[];
}

/**
 * Returns the values that the parts of a form stand for. The schema must still check them: names that are no fields are passed on, except
 * those that `isIgnored` names. A box that was not sent is `"false"`. `faultsOfRedirect` are the errors of `_redirect`.
 */
export function submittedValues(
  { parts, files, errors: found }: SentForm,
  schema: Schema,
  faultsOfRedirect: readonly ValueError[],
): SubmittedValues {
  const errors = [...found];
  const values = new Map<string, string>();
  for (const [name, sent] of parts) {
    const field = schema.field(name) ?? (name === REPLY_TO ? addressField(schema, parts) : undefined);
    if (!field && isIgnored(name)) continue;
    if (sent.length > 1 && !mayRepeat(field, sent)) errors.push(sentTwice(name));
    if (name !== REDIRECT) values.set(field?.name ?? name, field ? valueOf(field, sent) : (sent[0] ?? ''));
  }
  const names = new Set(files.map(({ field }) => field).filter((name) => !schema.field(name)?.type.isFile));
  for (const name of names) errors.push(isFile(shorten(name)));
  errors.push(...faultsOfRedirect);
  for (const field of schema.fields) if (isBox(field)) errors.push(...settleBox(field, values));
  // A part may be called `__proto__`: this sets own properties only.
  return { fields: Object.fromEntries(values), errors };
}

/** Returns the URL that a valid `_redirect` leads to, as ASCII; undefined if none was sent. */
export function redirectOf({ parts }: SentForm): string | undefined {
  const redirect = parts.get(REDIRECT)?.[0];
  return redirect ? new URL(redirect).href : undefined;
}

/** Whether what was sent for a checkbox ticks it. */
export function isTicked(value: string): boolean {
  return TICKED.has(value.toLowerCase());
}

function isBox({ definition }: CompiledField): boolean {
  return definition.type === 'checkbox';
}

/**
 * Whether a part that is no field is not meant for the form. Names that begin with `_` are those of services. `_replyto` is not ignored: nothing
 * that a visitor may have typed is lost.
 */
function isIgnored(name: string): boolean {
  if (name === REDIRECT || name === REPLY_TO || OWN.has(name)) return false;
  return name.startsWith('_') || IGNORED.has(name);
}

/** Returns the field for the visitor's address if the form was sent without it. */
function addressField({ fields }: Schema, parts: SentForm['parts']): CompiledField | undefined {
  return fields.find(({ name, definition }) => definition.type === 'email' && !parts.has(name));
}

/** Frameworks send a hidden value before that of a box, so that there is one if the box is not ticked. */
function mayRepeat(field: CompiledField | undefined, sent: readonly string[]): boolean {
  if (!field) return false;
  if (field.multiple || field.type.isFile) return true;
  const [hidden = '', ticked = ''] = sent;
  return isBox(field) && sent.length === 2 && NOT_TICKED.has(hidden.toLowerCase()) && isTicked(ticked);
}

/** The values of a list are joined as they are stored. Pages may send an empty one to say that nothing was chosen. */
function valueOf(field: CompiledField, sent: readonly string[]): string {
  if (isBox(field)) return sent.at(-1) ?? '';
  return field.multiple ? field.textOf(sent.filter((value) => value !== '')) : (sent[0] ?? '');
}

function settleBox({ name, required }: CompiledField, values: Map<string, string>): ValueError[] {
  const sent = values.get(name) ?? '';
  if (!NOT_TICKED.has(sent.toLowerCase()) && !isTicked(sent)) return [];
  values.set(name, String(isTicked(sent)));
  if (!required || isTicked(sent)) return [];
  return [{ path: `fields.${name}`, code: 'required', message: `${name} is required.` }];
}

function sentTwice(name: string): ValueError {
  const path = name === REDIRECT ? name : `fields.${shorten(name)}`;
  return { path, code: 'duplicate', message: `${shorten(name)} was sent more than once.` };
}

function isFile(name: string): ValueError {
  return { path: `fields.${name}`, code: 'type', message: `${name} must not be a file.` };
}
