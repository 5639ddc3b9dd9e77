import { MAX_CONTENT_TYPES } from './attributes.js';
import { NAMES } from './definitions.js';
import { FieldKind } from './field-definition.js';
import { JsonSchema } from './json-schema.js';
import { typesOf } from './registry.js';

const EXAMPLES: Record<FieldKind, object> = {
  content: { name: 'title', type: 'text', required: true, max: 200 },
  form: { name: 'email', type: 'email', required: true, label: 'Your email address' },
};

/** Returns the schema of a field definition, with the attributes of all types of the kind. */
export function definitionSchema(kind: FieldKind): JsonSchema {
  const { pattern, reserved } = NAMES[kind];
  const properties: Record<string, JsonSchema> = {
    name: {
      type: 'string',
      pattern: pattern.source,
      description: `The name of the field. It must be unique within the list. These names are reserved: ${reserved.join(', ')}.`,
      example: 'title',
    },
    type: { type: 'string', enum: [...typesOf(kind).keys()], description: typeList(kind), example: 'text' },
    required: { type: 'boolean', description: 'Whether a value must be supplied. The default is `false`.' },
    default: {
      description: `The value to use when no value is supplied. It must be a valid value of the field${kind === 'form' ? ', as a string' : ''}.`,
    },
    label: { type: 'string', maxLength: 255, description: 'The name of the field that is shown to people.' },
    help: { type: 'string', maxLength: 1_000, description: 'A hint that explains how to fill in the field.' },
  };
  for (const [name, schema] of Object.entries(CONSTRAINTS)) {
    const types = [...typesOf(kind)].filter(([, type]) => type.constraints.some((constraint) => constraint === name));
    if (types.length === 0) continue;
    const applies = `Applies to ${types.map(([type]) => type).join(', ')}.`;
    properties[name] = { ...schema, description: `${schema.description} ${applies}` };
  }
  return {
    type: 'object',
    description: 'A field definition. Its attributes are stored and returned as they were sent.',
    required: ['name', 'type'],
    properties,
    additionalProperties: false,
    example: EXAMPLES[kind],
  };
}

/** Returns the OpenAPI schema of each type's values, with a description and an example, by the name of the type. */
export function valueSchemas(kind: FieldKind): Record<string, JsonSchema & { description: string; example: unknown }> {
  return Object.fromEntries([...typesOf(kind)].map(([name, { value }]) => [name, value]));
}

const CONSTRAINTS: Record<string, JsonSchema & { description: string }> = {
  min: { type: 'number', description: 'The minimum value of a number, or the minimum length of a text in characters.' },
  max: { type: 'number', description: 'The maximum value of a number, or the maximum length of a text in characters.' },
  pattern: {
    type: 'string',
    maxLength: 1_000,
    description: 'A regular expression in RE2 syntax. The value must contain a match. The expression is not anchored.',
    example: '^[A-Z]{2}-[0-9]+$',
  },
  unique: { type: 'boolean', description: 'If `true`, no two entries can have the same value.' },
  options: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 255 },
    minItems: 1,
    maxItems: 500,
    uniqueItems: true,
    description: 'The allowed values. This attribute is required.',
    example: ['red', 'green', 'blue'],
  },
  multiple: {
    type: 'boolean',
    description:
      'If `true`, the value is a list of at most 1,000 values of the type. The other constraints apply to each ' +
      'value of the list.',
  },
  content_type: {
    type: 'string',
    description:
      'The ID or slug of the content type that the field refers to. Either this attribute or `content_types` is ' +
      'required.',
    example: 'authors',
  },
  content_types: {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    maxItems: MAX_CONTENT_TYPES,
    uniqueItems: true,
    description:
      'The IDs or slugs of the content types that the field refers to, instead of `content_type`. A value is the ID ' +
      'of an entry of any of them.',
    example: ['authors', 'companies'],
  },
};

function typeList(kind: FieldKind): string {
  const lines = [...typesOf(kind)].map(([name, { value }]) => `- \`${name}\`: ${value.description}`);
  return ['The type of the field. It determines which values the field accepts:', '', ...lines].join('\n');
}
