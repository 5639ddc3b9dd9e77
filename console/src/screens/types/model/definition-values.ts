import type { DefinedField } from '../../../api/type-changes';
import { type FieldType, hasAttribute, isFieldType } from './attributes';
import { defaultInWords, defaultOf } from './default-value';

/** A definition as the dialog has it: what is typed is text. */
export interface DefinitionValues {
  label: string;
  name: string;
  type: FieldType;
  required: boolean;
  unique: boolean;
  multiple: boolean;
  localized: boolean;
  /** Codes of languages. */
  requiredIn: string[];
  min: string;
  max: string;
  pattern: string;
  html: boolean;
  /** One on each line. */
  options: string;
  default: string;
  /** Slugs of content types. */
  targets: string[];
  onDelete: NonNullable<DefinedField['on_delete']>;
  help: string;
  placeholder: string;
  group: string;
}

export function definitionValues(field: DefinedField | undefined, slugOf: (type: string) => string): DefinitionValues {
  const type = field && isFieldType(field.type) ? field.type : 'text';
  return {
    label: field ? (field.label ?? field.name) : '',
    name: field?.name ?? '',
    type,
    required: field?.required ?? false,
    unique: field?.unique ?? false,
    multiple: field?.multiple ?? false,
    localized: field?.localized ?? false,
    requiredIn: [...(field?.required_in ?? [])],
    min: numberText(field?.min),
    max: numberText(field?.max),
    pattern: field?.pattern ?? '',
    html: field?.html ?? false,
    options: field?.options?.join('\n') ?? '',
    default: defaultInWords(field?.default, type),
    targets: targetsOf(field).map((target) => slugOf(target)),
    onDelete: field?.on_delete ?? 'keep',
    help: field?.help ?? '',
    placeholder: field?.placeholder ?? '',
    group: field?.group ?? '',
  };
}

function numberText(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

function targetsOf(field: DefinedField | undefined): readonly string[] {
  return field?.content_types ?? (field?.content_type === undefined ? [] : [field.content_type]);
}

/** The definition, with those attributes alone that its type has. */
export function definitionFrom(values: DefinitionValues, isInner: boolean): DefinedField {
  const { type } = values;
  const has = (attribute: Parameters<typeof hasAttribute>[1]) => hasAttribute(type, attribute, isInner);
  const fixed = has('default') ? defaultOf(values) : undefined;
  return {
    name: values.name,
    type,
    ...(values.label.trim() !== '' && { label: values.label.trim() }),
    ...(values.required && { required: true }),
    ...(has('unique') && values.unique && { unique: true }),
    ...(has('multiple') && values.multiple && { multiple: true }),
    ...(!isInner && values.localized && translationOf(values)),
    ...(has('bounds') && values.min !== '' && { min: Number(values.min) }),
    ...(has('bounds') && values.max !== '' && { max: Number(values.max) }),
    ...(has('pattern') && values.pattern !== '' && { pattern: values.pattern }),
    ...(has('html') && values.html && { html: true }),
    ...(has('options') && { options: linesOf(values.options) }),
    ...(fixed !== undefined && { default: fixed }),
    ...(has('targets') && referenceOf(values)),
    ...(values.help.trim() !== '' && { help: values.help.trim() }),
    ...(has('placeholder') && values.placeholder.trim() !== '' && { placeholder: values.placeholder.trim() }),
    ...(!isInner && values.group.trim() !== '' && { group: values.group.trim() }),
  };
}

function translationOf({ requiredIn }: DefinitionValues): Partial<DefinedField> {
  return { localized: true, ...(requiredIn.length > 0 && { required_in: requiredIn }) };
}

function referenceOf({ targets, onDelete }: DefinitionValues): Partial<DefinedField> {
  return {
    ...(targets.length === 1 ? { content_type: targets[0] } : { content_types: targets }),
    ...(onDelete !== 'keep' && { on_delete: onDelete }),
  };
}

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
