/** The kind of resource that a definition belongs to. */
export type FieldKind = 'content' | 'form';

/** The attributes that are constraints. Each file in `constraints` declares its own. */
export interface ConstraintAttributes {}

export type ConstraintName = keyof ConstraintAttributes;

/** A field of a content type or a form, stored and returned as it was sent. `checkDefinitions` guarantees the shape. */
export interface FieldDefinition extends Partial<ConstraintAttributes> {
  name: string;
  type: string;
  default?: unknown;
  label?: string;
  help?: string;
  placeholder?: string;
  /** The tab of a form on which the field is. */
  group?: string;
  /** Whether each locale of the tenant has a value of its own. Only of fields of a content type itself. */
  localized?: boolean;
  /** The locales besides the default in which a localized field must have a value when they are published. */
  required_in?: string[];
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

/** Returns what values a field has: `text`, or `text[]` for a list. Two fields with the same answer can have the same values. */
export function valueType({ type, multiple }: Pick<FieldDefinition, 'type' | 'multiple'>): string {
  return multiple ? `${type}[]` : type;
}

/** The key of a removed field's stored values. Only a field of the same name and type restores them. */
export function valueKey(definition: FieldDefinition): string {
  return `${definition.name}/${valueType(definition)}`;
}
