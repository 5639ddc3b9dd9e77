import type { CompiledField } from '../../fields/compiled-field.js';
import { maxBytesOf } from '../../fields/constraints/max-bytes.js';
import { escapeHtml } from '../../fields/formats/escape-html.js';
import { SEPARATOR } from '../../fields/field-type.js';
import { labelOf } from '../../fields/labels.js';
import { maxUnitsOf } from './field-lengths.js';
import { isTicked } from './submitted-values.js';
import type { Words } from './texts/words.js';

/** A field with `multiple` is shown as boxes if it has at most this number of options. */
const MAX_BOXES = 15;

/** A field on the page. */
interface ShownField {
  field: CompiledField;
  /** What was sent before, by each part of the name. Undefined: the page is new. */
  sent: readonly string[] | undefined;
  /** Whether the form was sent before, and is shown again. */
  isAgain: boolean;
  /** Bytes that a file may have whatever its field says. */
  largestFile: number;
  errors: readonly string[];
  words: Words;
}

/** Returns the ID of the control of a field. Names have no dot, so IDs with a dot are free for what belongs to the control. */
export function controlId(name: string): string {
  return `f-${name}`;
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
  const value = escapeHtml(textOf(shown));
  if (field.definition.type === 'select') return selectHtml(shown, common);
  if (field.type.isFile) return fileHtml(shown, common);
  if (field.definition.type === 'textarea') {
    // The parser drops a line end at the beginning.
    return `<textarea dir="auto" ${common} rows="6"${lengthsOf(field)}>\n${value}</textarea>`;
  }
  const type = field.type.input ?? 'text';
  return `<input type="${type}" dir="${type === 'text' ? 'auto' : 'ltr'}" ${common}${limitsOf(field)} value="${value}">`;
}

function limitsOf(field: CompiledField): string {
  const { min, max, type } = field.definition;
  if (field.type.measures === 'value') return ` step="any"${attribute('min', min)}${attribute('max', max)}`;
  if (field.type.measures !== 'length') return '';
  return lengthsOf(field) + (type === 'email' || type === 'tel' ? ` autocomplete="${type}"` : '');
}

function lengthsOf(field: CompiledField): string {
  const { min } = field.definition;
  return `${min ? attribute('minlength', min) : ''}${attribute('maxlength', maxUnitsOf(field))}`;
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
  const blank = `<option value="">${escapeHtml(shown.words.text('choose'))}</option>`;
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
<label for="${own}"><bdi>${text}</bdi></label>
</div>`;
  });
  return `<fieldset${described(shown, false)}>
<legend>${labelHtml(shown)}</legend>
${notesHtml(shown)}${boxes.join('\n')}
</fieldset>`;
}

/** The mark of a required field is read out too, where the control itself cannot say it. */
function labelHtml({ field, words }: ShownField): string {
  // Its direction may be another one than that of the page, which aligns it.
  const label = `<bdi>${escapeHtml(labelOf(field.definition))}</bdi>`;
  if (!field.required) return label;
  const isGroup = field.definition.type === 'select' && field.multiple;
  return `${label} <span class="mark"${isGroup ? '' : ' aria-hidden="true"'}>${isGroup ? escapeHtml(words.text('required_group')) : '*'}</span>`;
}

function notesHtml(shown: ShownField): string {
  const { field, errors } = shown;
  const text = hintOf(shown);
  const id = controlId(field.name);
  const hint = text === '' ? '' : `<p class="hint" id="${id}.hint">${text}</p>\n`;
  const error = errors.length > 0 ? `<p class="error" id="${id}.error">${escapeHtml(errors.join(' '))}</p>\n` : '';
  return hint + error;
}

/** The help text, which may have another direction than the page, and the limits that the definition sets. HTML. */
function hintOf(shown: ShownField): string {
  const help = shown.field.definition.help?.trim() ?? '';
  const limits = shown.field.type.isFile ? limitsOfFiles(shown) : limitsOfText(shown);
  return [
    ...(help === '' ? [] : [`<bdi>${escapeHtml(help)}</bdi>`]),
    ...(limits === '' ? [] : [escapeHtml(limits)]),
  ].join('\n');
}

function limitsOfText({ field, words }: ShownField): string {
  const { min, max } = field.definition;
  const limits = {
    ...(min !== undefined && { min: words.number(min) }),
    ...(max !== undefined && { max: words.number(max) }),
  };
  const kind = min === undefined ? 'max' : max === undefined ? 'min' : 'range';
  const count = max ?? min;
  if (count === undefined) return '';
  return field.type.measures === 'value'
    ? words.text(`number_${kind}`, limits)
    : words.counted(`length_${kind}`, count, limits);
}

function limitsOfFiles({ field: { definition, multiple }, largestFile, words }: ShownField): string {
  const size = words.size(maxBytesOf(definition, largestFile));
  const limit = words.text(multiple ? 'files_limit' : 'file_limit', { size });
  return definition.accept ? `${definition.accept.join(', ')}. ${limit}` : limit;
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
