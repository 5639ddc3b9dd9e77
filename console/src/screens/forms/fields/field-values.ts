import type { FormField } from '../../../api/forms';

export interface FieldValues {
  label: string;
  name: string;
  type: FormField['type'];
  help: string;
  required: boolean;
  /** One on each line. */
  options: string;
  multiple: boolean;
  accept: string;
  default: string;
  max: string;
}

/** Types whose `max` is a number of characters. */
export const HAS_LENGTH: readonly FormField['type'][] = ['text', 'textarea', 'email', 'tel', 'url'];

export function valuesOf(field?: FormField): FieldValues {
  return {
    label: field?.label ?? field?.name ?? '',
    name: field?.name ?? '',
    type: field?.type ?? 'text',
    help: field?.help ?? '',
    required: field?.required ?? false,
    options: field?.options?.join('\n') ?? '',
    multiple: field?.multiple ?? false,
    accept: field?.accept?.join(', ') ?? '',
    default: field?.default ?? '',
    max: field?.max === undefined ? '' : String(field.max),
  };
}

/** The definition. What the dialog does not show of the same type stays as it was. */
export function fieldOf(values: FieldValues, before?: FormField): FormField {
  const { name, type, label, help, required, options, multiple, accept, default: fixed, max } = values;
  const kept = before?.type === type ? before : undefined;
  const isList = type === 'select' || type === 'file';
  return {
    ...(kept?.min !== undefined && { min: kept.min }),
    ...(kept?.pattern !== undefined && { pattern: kept.pattern }),
    ...(kept?.max_bytes !== undefined && { max_bytes: kept.max_bytes }),
    ...(!HAS_LENGTH.includes(type) && kept?.max !== undefined && { max: kept.max }),
    name,
    type,
    label: label.trim(),
    ...(help.trim() !== '' && { help: help.trim() }),
    ...(required && type !== 'hidden' && { required }),
    ...(type === 'select' && { options: linesOf(options) }),
    ...(isList && multiple && { multiple }),
    ...(type === 'file' && accept.trim() !== '' && { accept: accept.split(',').map((each) => each.trim()) }),
    ...(type === 'hidden' && fixed !== '' && { default: fixed }),
    ...(HAS_LENGTH.includes(type) && max !== '' && { max: Number(max) }),
  };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
