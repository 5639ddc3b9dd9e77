import type { CompiledField } from '../../fields/compiled-field.js';
import { MAX_EMAIL } from '../../fields/email.js';
import { escapeHtml } from '../../fields/escape-html.js';
import { SEPARATOR } from '../../fields/field-type.js';
import { MAX_URL } from '../../fields/url.js';
import { maxBytesOf } from '../files/file-rules.js';
import { isTicked } from './submitted-values.js';
import { trimBlanks } from '../../validation/blank.js';

/** A field with `multiple` is shown as boxes if it has at most this number of options. */
const MAX_BOXES = 15;
const MAX_LINE = 1_000;
const MAX_TEXT = 20_000;

/** A field on the page. */
export interface ShownField {
  field: CompiledField;
  /** What was sent before, by each part of the name. Undefined: the page is new. */
  sent: readonly string[] | undefined;
  /** Whether the form was sent before, and is shown again. */
  isAgain: boolean;
  /** Bytes that a file may have whatever its field says. */
  largestFile: number;
  errors: readonly string[];
}

/** Returns the ID of the control of a field. Names have no dot, so IDs with a dot are free for what belongs to the control. */
export function controlId(name: string): string {
  return `f-${name}`;
}

/** Returns the label of a field as text. */
export function labelOf({ definition }: CompiledField): string {
  return trimBlanks(definition.label ?? '') || definition.name;
}

/** Returns a field with its label, hints, errors and control, as HTML. */
export function fieldHtml(shown: ShownField): string {
  const { type } = shown.field.definition;
  if (type === 'hidden') return `<input type="hidden" ${nameOf(shown)} value="${escapeHtml(textOf(shown))}">`;
  if (type === 'checkbox') return boxHtml(shown);
  if (type === 'select' && shown.field.multiple && optionsOf(shown).length <= MAX_BOXES) return boxesHtml(shown);
  const { name } = shown.field;
  return `<div class="field">
<label for="${controlId(name)}">${labelHtml(shown)}</label>
${notesHtml(shown)}${controlHtml(shown)}
</div>`;
}

function controlHtml(shown: ShownField): string {
  const { field } = shown;
  const common = `class="control" id="${controlId(field.name)}" ${nameOf(shown)}${requiredOf(shown)}${described(shown)}`;
  const { type, min, max } = field.definition;
  const value = escapeHtml(textOf(shown));
  if (type === 'select') return selectHtml(shown, common);
  if (field.type.isFile) return fileHtml(shown, common);
  if (type === 'textarea') {
    // The parser drops a line end at the beginning.
    return `<textarea ${common} rows="6"${lengths(min, max ?? MAX_TEXT)}>\n${value}</textarea>`;
  }
  return `<input type="${field.type.input ?? 'text'}" ${common}${limitsOf(field)} value="${value}">`;
}

function limitsOf({ type: { measures }, definition: { type, min, max } }: CompiledField): string {
  if (measures === 'value') return ` step="any"${attribute('min', min)}${attribute('max', max)}`;
  if (measures !== 'length') return '';
  switch (type) {
    case 'email':
      return `${lengths(min, Math.min(max ?? MAX_EMAIL, MAX_EMAIL))} autocomplete="email"`;
    case 'tel':
      return `${lengths(min, max ?? MAX_LINE)} autocomplete="tel"`;
    case 'url':
      return lengths(min, Math.min(max ?? MAX_LINE, MAX_URL));
    default:
      return lengths(min, max ?? MAX_LINE);
  }
}

function lengths(min: number | undefined, max: number): string {
  return `${min ? attribute('minlength', min) : ''}${attribute('maxlength', max)}`;
}

function attribute(name: string, value: number | undefined): string {
  return value === undefined ? '' : ` ${name}="${value}"`;
}

function selectHtml(shown: ShownField, common: string): string {
  const { field } = shown;
  const chosen = chosenOf(shown);
  const options = optionsOf(shown).map((option) => {
    const text = escapeHtml(option);
    return `<option value="${text}"${chosen.has(option) ? ' selected' : ''}>${text}</option>`;
  });
  if (field.multiple) return `<select ${common} multiple size="8">\n${options.join('\n')}\n</select>`;
  const blank = `<option value="">${field.required ? 'Please choose' : ''}</option>`;
  return `<select ${common}>\n${[blank, ...options].join('\n')}\n</select>`;
}

/** Browsers never fill in a file again. The service checks the size, because HTML has no limit of it. */
function fileHtml({ field }: ShownField, common: string): string {
  const { accept } = field.definition;
  const types = accept ? ` accept="${escapeHtml(accept.join(','))}"` : '';
  return `<input type="file" ${common}${types}${field.multiple ? ' multiple' : ''}>`;
}

function boxHtml(shown: ShownField): string {
  const { name } = shown.field;
  const id = controlId(name);
  const checked = isTicked(shown.isAgain ? (shown.sent?.[0] ?? '') : textOf(shown)) ? ' checked' : '';
  return `<div class="field">
${notesHtml(shown)}<div class="choice single">
<input type="checkbox" id="${id}" ${nameOf(shown)} value="true"${checked}${requiredOf(shown)}${described(shown)}>
<label for="${id}">${labelHtml(shown)}</label>
</div>
</div>`;
}

function boxesHtml(shown: ShownField): string {
  const id = controlId(shown.field.name);
  const chosen = chosenOf(shown);
  const boxes = optionsOf(shown).map((option, index) => {
    const own = index === 0 ? id : `${id}.${index}`;
    const text = escapeHtml(option);
    return `<div class="choice">
<input type="checkbox" id="${own}" ${nameOf(shown)} value="${text}"${chosen.has(option) ? ' checked' : ''}>
<label for="${own}">${text}</label>
</div>`;
  });
  return `<fieldset${described(shown, false)}>
<legend>${labelHtml(shown)}</legend>
${notesHtml(shown)}${boxes.join('\n')}
</fieldset>`;
}

/** The mark of a required field is read out too, where the control itself cannot say it. */
function labelHtml({ field }: ShownField): string {
  const label = escapeHtml(labelOf(field));
  if (!field.required) return label;
  const isGroup = field.definition.type === 'select' && field.multiple;
  return `${label} <span class="mark"${isGroup ? '' : ' aria-hidden="true"'}>${isGroup ? '(required)' : '*'}</span>`;
}

function notesHtml(shown: ShownField): string {
  const { field, errors } = shown;
  const text = hintOf(shown);
  const id = controlId(field.name);
  const hint = text === '' ? '' : `<p class="hint" id="${id}.hint">${escapeHtml(text)}</p>\n`;
  const error = errors.length > 0 ? `<p class="error" id="${id}.error">${escapeHtml(errors.join(' '))}</p>\n` : '';
  return hint + error;
}

/** The help text, and the limits that the definition sets. */
function hintOf({ field, largestFile }: ShownField): string {
  const { help = '', min, max } = field.definition;
  if (field.type.isFile)
    return [help.trim(), limitsOfFiles(field, largestFile)].filter((line) => line !== '').join('\n');
  const unit = field.type.measures === 'value' ? '' : ' characters';
  const isLimited = min !== undefined && max !== undefined;
  const limits = isLimited
    ? `${min} to ${max}${unit}`
    : min !== undefined
      ? `At least ${min}${unit}`
      : max === undefined
        ? ''
        : `At most ${max}${unit}`;
  return [help.trim(), limits].filter((line) => line !== '').join('\n');
}

function limitsOfFiles({ definition, multiple }: CompiledField, largest: number): string {
  const limit = `${multiple ? 'Each at' : 'At'} most ${sizeOf(maxBytesOf(definition, largest))}`;
  return definition.accept ? `${definition.accept.join(', ')}. ${limit}` : limit;
}

/** Rounds down, so that no file that is shown as allowed is refused. */
function sizeOf(bytes: number): string {
  const units: [number, string][] = [
    [1024 * 1024, 'MiB'],
    [1024, 'KiB'],
  ];
  const [size, unit] = units.find(([least]) => bytes >= least) ?? [1, 'bytes'];
  return `${Math.floor((bytes / size) * 10) / 10} ${unit}`;
}

function described(shown: ShownField, isControl = true): string {
  const { field, errors } = shown;
  const id = controlId(field.name);
  const ids = [...(hintOf(shown) === '' ? [] : [`${id}.hint`]), ...(errors.length > 0 ? [`${id}.error`] : [])];
  const isInvalid = isControl && errors.length > 0;
  return `${ids.length > 0 ? ` aria-describedby="${ids.join(' ')}"` : ''}${isInvalid ? ' aria-invalid="true"' : ''}`;
}

function nameOf({ field }: ShownField): string {
  return `name="${escapeHtml(field.name)}"`;
}

function requiredOf({ field }: ShownField): string {
  return field.required ? ' required' : '';
}

function optionsOf({ field }: ShownField): readonly string[] {
  return field.definition.options ?? [];
}

/** What was sent, or the default of the field on a new page. */
function valuesOf({ field, sent, isAgain }: ShownField): readonly string[] {
  if (isAgain) return sent ?? [];
  const { default: value } = field.definition;
  if (Array.isArray(value)) return value as string[];
  return typeof value === 'string' ? (field.multiple ? value.split(SEPARATOR) : [value]) : [];
}

function textOf(shown: ShownField): string {
  return (valuesOf(shown)[0] ?? '').replaceAll('\0', '\ufffd');
}

function chosenOf(shown: ShownField): ReadonlySet<string> {
  return new Set(valuesOf(shown));
}
