import type { FormField } from '../../../api/forms';

/** What a type is called. */
export const TYPES: Readonly<Record<FormField['type'], string>> = {
  text: 'Text',
  email: 'Email address',
  textarea: 'Long text',
  number: 'Number',
  tel: 'Telephone number',
  url: 'Web address',
  date: 'Date',
  select: 'Choice',
  checkbox: 'Checkbox',
  file: 'File',
  hidden: 'Hidden',
};

/** `Your name` → `your_name` */
export function nameOf(label: string): string {
  const plain = label.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const name = plain.replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^[^a-z]+|_+$/g, '');
  return name.slice(0, 64);
}
