import type { CompiledField, FieldList } from '../../fields/compiled-field.js';
import type { JsonSchema } from '../../fields/definitions/json-schema.js';
import { comment, indented, literal, propertyName, union } from './text.js';

/** Values as they are read, or as they are written. */
type Direction = 'read' | 'written';

/** The slugs of the content types that a reference may lead to, as far as the contract has them. */
export type TargetsOf = (field: CompiledField) => readonly string[];

/** Writes the properties of an object whose values are those of the fields. */
export function properties(fields: readonly CompiledField[], direction: Direction, targets: TargetsOf): string {
  return fields
    .filter((field) => direction === 'read' || !field.isKept)
    .map((field) => `${describe(field)}${property(field, direction, targets)}\n`)
    .join('');
}

/** An object with these properties, in braces. */
export function braced(inner: string): string {
  return inner === '' ? '{}' : `{\n${indented(inner)}}`;
}

function describe({ definition: { label, help } }: CompiledField): string {
  return comment(label, help);
}

function property(field: CompiledField, direction: Direction, targets: TargetsOf): string {
  const { required, definition } = field;
  const type = valueType(field, direction, targets);
  const isGiven = direction === 'read' || definition.default === undefined;
  const mark = required && isGiven ? '' : '?';
  const none = direction === 'written' && !required && type !== 'unknown' ? ' | null' : '';
  return `${propertyName(field.name)}${mark}: ${type}${none};`;
}

/** The type of a value, or of the list of values. */
function valueType(field: CompiledField, direction: Direction, targets: TargetsOf): string {
  const one = oneValue(field, direction, targets);
  if (!field.multiple) return one;
  if (isSimple(one)) return `${one}[]`;
  return `(${one.startsWith('\n') ? `${one}\n` : one})[]`;
}

/** Whether `[]` behind it means a list of the whole: it is a name, or one object. */
function isSimple(type: string): boolean {
  return /^(\w+(<[^<>]*>)?|\{[^]*\})$/.test(type);
}

function oneValue(field: CompiledField, direction: Direction, targets: TargetsOf): string {
  const { definition, type, parts } = field;
  if (parts.length > 0) return union(parts.map((part) => partType(part, direction, targets)));
  if (definition.type === 'reference') return idType(field, direction, targets);
  if (definition.type === 'media') return direction === 'read' ? 'MediaValue' : 'MediaInput';
  if (type.isFile) return 'SentFile';
  if (definition.options) return union(definition.options.map(literal));
  return schemaType(type.value, direction);
}

/** A group, or one kind of block, which its name tells from the others. */
function partType({ block, fields }: FieldList, direction: Direction, targets: TargetsOf): string {
  const kind = typeof block === 'string' ? `block: ${literal(block)};\n` : '';
  return braced(kind + properties(fields, direction, targets));
}

function idType(field: CompiledField, direction: Direction, targets: TargetsOf): string {
  const slugs = targets(field);
  if (slugs.length === 0) return 'string';
  const isKept = direction === 'read' && field.required && field.definition.on_delete === 'refuse';
  return `${isKept ? 'KeptEntryId' : 'EntryId'}<${union(slugs.map(literal))}>`;
}

/** The type that a JSON schema describes, as far as types can tell. */
export function schemaType(
  { type, enum: values, items, properties: inner, required }: JsonSchema,
  direction: Direction,
): string {
  if (values) return union(values.map(literal));
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return `(${schemaType(items ?? {}, direction)})[]`;
    case 'object':
      return inner ? objectType(inner, required, direction) : '{ [name: string]: Json }';
    case undefined:
    default:
      return direction === 'read' ? 'Json' : 'unknown';
  }
}

function objectType(inner: Record<string, JsonSchema>, required: readonly string[] = [], direction: Direction): string {
  const lines = Object.entries(inner).map(([name, schema]) => {
    return `${propertyName(name)}${required.includes(name) ? '' : '?'}: ${schemaType(schema, direction)};\n`;
  });
  return braced(lines.join(''));
}
