/** Types of fields in the words of people, in the order in which they are offered. */
export const TYPE_WORDS = {
  text: 'Text',
  rich_text: 'Formatted text',
  integer: 'Whole number',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
  datetime: 'Date and time',
  email: 'Email address',
  url: 'Web address',
  select: 'Choice',
  media: 'Picture or file',
  reference: 'Reference to entries',
  group: 'Group of fields',
  blocks: 'Blocks in any order',
  json: 'JSON',
} as const;

export type FieldType = keyof typeof TYPE_WORDS;

export const FIELD_TYPES = Object.keys(TYPE_WORDS) as readonly FieldType[];

/** Attributes that only some types have. `html` is how texts are read that become formatted text. */
export type Attribute =
  'unique' | 'multiple' | 'bounds' | 'pattern' | 'html' | 'options' | 'default' | 'targets' | 'placeholder';

const TEXTUAL: readonly Attribute[] = ['unique', 'multiple', 'bounds', 'pattern', 'default', 'placeholder'];
const NUMERIC: readonly Attribute[] = ['unique', 'multiple', 'bounds', 'default', 'placeholder'];

const ATTRIBUTES: Readonly<Record<FieldType, readonly Attribute[]>> = {
  text: TEXTUAL,
  rich_text: [...TEXTUAL, 'html'],
  integer: NUMERIC,
  number: NUMERIC,
  boolean: ['unique', 'multiple', 'default'],
  date: ['unique', 'multiple', 'default'],
  datetime: ['unique', 'multiple', 'default'],
  email: TEXTUAL,
  url: TEXTUAL,
  select: ['options', 'unique', 'multiple', 'default'],
  media: ['multiple'],
  reference: ['targets', 'unique', 'multiple'],
  group: ['multiple'],
  blocks: [],
  json: ['multiple', 'default'],
};

/** What only the outermost fields have. */
const OUTER: readonly Attribute[] = ['unique', 'default'];

export function hasAttribute(type: FieldType, attribute: Attribute, isInner: boolean): boolean {
  return ATTRIBUTES[type].includes(attribute) && !(isInner && OUTER.includes(attribute));
}

export function isFieldType(type: string): type is FieldType {
  return Object.hasOwn(TYPE_WORDS, type);
}

/** What people call a type. A plug-in may add types, which have no other word. */
export function fieldTypeInWords(type: string): string {
  return isFieldType(type) ? TYPE_WORDS[type] : type;
}
