/** Where a definition stands: in a content type, or in a form. */
export type FieldKind = 'content' | 'form';

/** One field of a content type or a form, kept and answered as it was sent. `checkDefinitions` vouches for the shape. */
export interface FieldDefinition {
  name: string;
  type: string;
  required?: boolean;
  /** A number's least value, or a text's least length in code points. */
  min?: number;
  /** A number's greatest value, or a text's greatest length in code points. */
  max?: number;
  /** An unanchored regular expression in RE2 syntax. */
  pattern?: string;
  unique?: boolean;
  default?: unknown;
  /** The values a select may take. */
  options?: string[];
  /** The value is a list of the type. */
  multiple?: boolean;
  label?: string;
  help?: string;
  /** The id or slug of the content type whose entries a reference may name. */
  content_type?: string;
}

/** The attributes that only some types have; each type lists its own. */
export type Constraint = 'min' | 'max' | 'pattern' | 'unique' | 'options' | 'multiple' | 'content_type';
