import type { CompiledField } from '../../fields/compiled-field.js';
import { valueSchemaOf } from '../../fields/constraints/registry.js';
import { both, NOTES, type SchemaObject, withoutKeywords } from '../../fields/json-schemas/schema-object.js';
import type { ShareSchema } from '../../fields/json-schemas/value-schemas.js';
import type { Schema } from '../../fields/schema.js';

const EMPTY: SchemaObject = { const: '' };
const FILE: SchemaObject = { type: 'string', format: 'binary' };

/** The ways of sending a form. Only one of them takes files. */
type FormEncoding = 'json' | 'urlencoded' | 'multipart';

/** The schema of what a visitor sends to a form. An empty value of an optional field counts as not supplied. */
export function submissionSchema(schema: Schema, encoding: FormEncoding, share: ShareSchema): SchemaObject {
  const fields = schema.fields.filter(({ type }) => encoding === 'multipart' || !type.isFile);
  const required = fields.filter(({ required: isNeeded, definition }) => isNeeded && definition.default === undefined);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field, share)])),
    ...(required.length > 0 && { required: required.map(({ name }) => name) }),
    // In the other encodings, fields of the page itself stand beside those of the form.
    ...(encoding === 'json' && { additionalProperties: false }),
  };
}

function propertyOf(field: CompiledField, share: ShareSchema): SchemaObject {
  const { definition, type, multiple, required, isKept } = field;
  if (isKept) return { type: 'string', maxLength: 0 };
  const own = withoutKeywords(type.value, NOTES);
  const one = type.isFile ? FILE : both(shared(definition.type, own, share), valueSchemaOf(definition, type));
  const notes = {
    ...(definition.label && { title: definition.label }),
    ...(definition.help && { description: definition.help }),
  };
  const options = [
    one,
    ...(multiple ? [{ type: 'array', items: one }] : []),
    ...(required || isPlain(one) ? [] : [EMPTY]),
  ];
  return options.length === 1 ? { ...notes, ...one } : { ...notes, anyOf: options };
}

function shared(name: string, schema: SchemaObject, share: ShareSchema): SchemaObject {
  return schema['pattern'] === undefined ? schema : { type: 'string', ...share(name, schema) };
}

function isPlain(schema: SchemaObject): boolean {
  return Object.keys(schema).every((keyword) => keyword === 'type' || keyword === 'maxLength');
}
