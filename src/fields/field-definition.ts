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
  /** Whether the value is a list of values of the type. */
  multiple?: boolean;
  label?: string;
  help?: string;
  /** The ID or slug of the content type that a reference refers to. */
  content_type?: string;
  /** The IDs or slugs of the content types that a reference refers to, instead of `content_type`. */
  content_types?: string[];
}

/** Returns the content types that a reference names, by ID or slug. */
export function namedTypes({ content_type: one, content_types: several }: FieldDefinition): readonly string[] {
  return several ?? (one === undefined ? [] : [one]);
}

/** The attributes that only some types have; each type lists its own. */
export type Constraint =
  'min' | 'max' | 'pattern' | 'unique' | 'options' | 'multiple' | 'content_type' | 'content_types';
