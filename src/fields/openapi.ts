import { NAMES } from './definitions.js';
import { FieldKind } from './field-definition.js';
import { JsonSchema } from './json-schema.js';
import { typesOf } from './registry.js';

const EXAMPLES: Record<FieldKind, object> = {
  content: { name: 'title', type: 'text', required: true, max: 200 },
  form: { name: 'email', type: 'email', required: true, label: 'Your email address' },
};

/** The schema of one field definition, with the attributes that some type of the kind has. */
export function definitionSchema(kind: FieldKind): JsonSchema {
  const { pattern, reserved } = NAMES[kind];
  const properties: Record<string, JsonSchema> = {
    name: {
      type: 'string',
      pattern: pattern.source,
      description: `Name of the field, distinct within the list and none of ${reserved.join(', ')}.`,
      example: 'title',
    },
    type: { type: 'string', enum: [...typesOf(kind).keys()], description: typeList(kind), example: 'text' },
    required: { type: 'boolean', description: 'Whether a value must be supplied. Left out: false.' },
    default: {
      description: `The value that counts when none is supplied; a valid value of the field${kind === 'form' ? ', a string' : ''}.`,
    },
    label: { type: 'string', maxLength: 255, description: 'What to call the field before people.' },
    help: { type: 'string', maxLength: 1_000, description: 'A hint on how to fill the field in.' },
  };
  for (const [name, schema] of Object.entries(CONSTRAINTS)) {
    const types = [...typesOf(kind)].filter(([, type]) => type.constraints.some((constraint) => constraint === name));
    if (types.length === 0) continue;
    const applies = `For ${types.map(([type]) => type).join(', ')}.`;
    properties[name] = { ...schema, description: `${schema.description} ${applies}` };
  }
  return {
    type: 'object',
    description: 'A field definition. Attributes are kept and answered as they were sent.',
    required: ['name', 'type'],
    properties,
    additionalProperties: false,
    example: EXAMPLES[kind],
  };
}

/** What a value of each type looks like: OpenAPI schemas with a description and an example, by the type's name. */
export function valueSchemas(kind: FieldKind): Record<string, JsonSchema & { description: string; example: unknown }> {
  return Object.fromEntries([...typesOf(kind)].map(([name, { value }]) => [name, value]));
}

const CONSTRAINTS: Record<string, JsonSchema & { description: string }> = {
  min: { type: 'number', description: "The least value of a number, or a text's least length in characters." },
  max: { type: 'number', description: "The greatest value of a number, or a text's greatest length in characters." },
  pattern: {
    type: 'string',
    maxLength: 1_000,
    description: 'A regular expression in RE2 syntax that must be found in the value; it is not anchored.',
    example: '^[A-Z]{2}-[0-9]+$',
  },
  unique: { type: 'boolean', description: 'Whether no two entries may have the same value.' },
  options: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 255 },
    minItems: 1,
    maxItems: 500,
    uniqueItems: true,
    description: 'The values to choose from. Required.',
    example: ['red', 'green', 'blue'],
  },
  multiple: {
    type: 'boolean',
    description: 'Whether the value is a list of at most 1,000 values of the type; other constraints apply to each.',
  },
  content_type: {
    type: 'string',
    description: 'The id or slug of the content type referred to. Required.',
    example: 'authors',
  },
};

function typeList(kind: FieldKind): string {
  const lines = [...typesOf(kind)].map(([name, { value }]) => `- \`${name}\`: ${value.description}`);
  return ['Type of the field, which decides what a value looks like:', '', ...lines].join('\n');
}
