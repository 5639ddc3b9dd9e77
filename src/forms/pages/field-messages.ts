import type { ValueErrorCode } from '../../errors/value-errors.js';
import type { ValueError } from '../../errors/problem.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { maxBytesOf } from '../../fields/constraints/max-bytes.js';
import { labelOf } from '../../fields/labels.js';
import { MAX_FILES } from '../files/file-rules.js';
import { maxLengthOf } from './field-lengths.js';
import type { PlainTexts } from './texts/page-texts.js';
import type { Words } from './texts/words.js';

/** The messages of codes that need no more than the code. */
const PLAIN: Readonly<Record<string, keyof PlainTexts>> = {
  options: 'options',
  pattern: 'pattern',
  empty: 'file_empty',
  text: 'characters',
  type: 'invalid',
};

/** The messages about the format of the value of a type. */
const FORMATS: Readonly<Record<string, keyof PlainTexts>> = {
  email: 'email',
  url: 'url',
  tel: 'tel',
  number: 'number',
  date: 'date',
  file: 'required_file',
  checkbox: 'invalid',
};

/** Returns what a visitor can do about an error of a field, which the page shows. `largestFile` is `MEDIA_MAX_BYTES`. */
export function messageFor(error: ValueError, field: CompiledField, words: Words, largestFile: number): string {
  const { definition, type } = field;
  const { min = 0, max = 0, accept } = definition;
  const own: Partial<Record<ValueErrorCode, () => string>> = {
    required: () => words.required(kindOf(field)),
    too_short: () => words.counted('too_short', min),
    too_long: () => words.counted('too_long', maxLengthOf(field)),
    min: () => words.text('min', { min: words.number(min) }),
    max: () => words.text('max', { max: words.number(max) }),
    duplicate: () => words.text(type.isFile ? 'one_file' : 'one_value'),
    too_many: () => words.counted('too_many_files', MAX_FILES),
    too_large: () => words.text('file_too_large', { size: words.size(maxBytesOf(definition, largestFile)) }),
    media_type: () => (accept ? words.text('file_type', { types: accept.join(', ') }) : words.text('file_program')),
  };
  return own[error.code]?.() ?? plainMessage(error, field, words);
}

function plainMessage(error: ValueError, field: CompiledField, words: Words): string {
  const name = error.code === 'format' ? FORMATS[field.definition.type] : PLAIN[error.code];
  return name === undefined ? otherMessage(error, field, words) : words.text(name);
}

/** The types of extensions have messages of their own, in English. */
function otherMessage({ message }: ValueError, { name, definition }: CompiledField, words: Words): string {
  if (words.language !== 'en') return words.text('invalid');
  return message.startsWith(`${name} `) ? labelOf(definition) + message.slice(name.length) : message;
}

function kindOf({
  definition,
  type,
}: CompiledField): 'required' | 'required_box' | 'required_choice' | 'required_file' {
  if (type.isFile) return 'required_file';
  if (definition.type === 'checkbox') return 'required_box';
  return definition.type === 'select' ? 'required_choice' : 'required';
}
