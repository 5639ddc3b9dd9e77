import type { ValueError } from '../../errors/problem.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { labelOf } from '../../fields/labels.js';
import { MAX_FILES, maxBytesOf } from '../files/file-rules.js';
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
  switch (error.code) {
    case 'required':
      return words.required(kindOf(field));
    case 'too_short':
      return words.counted('too_short', min);
    case 'too_long':
      return words.counted('too_long', maxLengthOf(field));
    case 'min':
      return words.text('min', { min: words.number(min) });
    case 'max':
      return words.text('max', { max: words.number(max) });
    case 'duplicate':
      return words.text(type.isFile ? 'one_file' : 'one_value');
    case 'too_many':
      return words.counted('too_many_files', MAX_FILES);
    case 'too_large':
      return words.text('file_too_large', { size: words.size(maxBytesOf(definition, largestFile)) });
    case 'media_type':
      return accept ? words.text('file_type', { types: accept.join(', ') }) : words.text('file_program');
    default:
      return plainMessage(error, field, words);
  }
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
