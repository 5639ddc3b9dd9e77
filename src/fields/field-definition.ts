/** The kind of resource that a definition belongs to. */
export type FieldKind = 'content' | 'form';

/** A field of a content type or a form, stored and returned as it was sent. `checkDefinitions` guarantees the shape. */
export interface FieldDefinition {
  name: string;
  type: string;
  required?: boolean;
  /** The minimum of a number, or the minimum length of a text in code points. */
  min?: number;
  /** The maximum of a number, or the maximum length of a text in code points. */
  max?: number;
  /** An unanchored regular expression in RE2 syntax. */
  pattern?: string;
  unique?: boolean;
  default?: unknown;
  /** The allowed values of a select. */
  options?: string[];
  /** Whether texts that become rich text are HTML already. Otherwise they are escaped. */
  html?: boolean;
  /** Whether the value is a list of values of the type. */
  multiple?: boolean;
  label?: string;
  help?: string;
  /** The bytes that each file may have. */
  max_bytes?: number;
  /** The media types that files may have. `image/*` stands for all images. */
  accept?: string[];
  /** The ID or slug of the content type that a reference refers to. */
  content_type?: string;
  /** The IDs or slugs of the content types that a reference refers to, instead of `content_type`. */
  content_types?: string[];
  /** What becomes of a reference when the entry that it leads to is deleted. The default is `keep`. */
  on_delete?: OnDelete;
  /** The fields of a group. */
  fields?: FieldDefinition[];
  /** The kinds of items that a list of blocks may have. */
  blocks?: BlockDefinition[];
}

/** A kind of item in a list of blocks. An item names it as its `block`. */
export interface BlockDefinition {
  name: string;
  label?: string;
  fields: FieldDefinition[];
}

/** A definition as an update of a content type sends it. */
export interface SentDefinition extends FieldDefinition {
  /** The name that the field has had until now. */
  renamed_from?: string;
}

/** `keep`: the value may dangle; `refuse`: the deletion is refused; `clear`: the value is removed in the commit of the deletion. */
export const ON_DELETE = ['keep', 'refuse', 'clear'] as const;
export type OnDelete = (typeof ON_DELETE)[number];

/** Whether no value of the field may lead to an entry that is deleted. */
export function isGuarded({ on_delete: onDelete = 'keep' }: Pick<FieldDefinition, 'on_delete'>): boolean {
  return onDelete !== 'keep';
}

/** Returns the content types that a reference names, by ID or slug. */
export function namedTypes({ content_type: one, content_types: several }: FieldDefinition): readonly string[] {
  return several ?? (one === undefined ? [] : [one]);
}

/** The key of a removed field's stored values. Only a field of the same name and type restores them. */
export function valueKey({ name, type, multiple }: FieldDefinition): string {
  return `${name}/${type}${multiple ? '[]' : ''}`;
}

/** The attributes that only some types have; each type lists its own. */
export type Constraint =
  | 'min'
  | 'max'
  | 'pattern'
  | 'unique'
  | 'options'
  | 'html'
  | 'multiple'
  | 'content_type'
  | 'content_types'
  | 'fields'
  | 'blocks'
  | 'on_delete'
  | 'max_bytes'
  | 'accept';
