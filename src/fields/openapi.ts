import { MAX_CONTENT_TYPES } from './attributes.js';
import { NAMES, REQUIRED_ATTRIBUTES } from './definitions.js';
import { Constraint, FieldKind } from './field-definition.js';
import { FieldType } from './field-type.js';
import { JsonSchema } from './json-schema.js';
import { typesOf } from './registry.js';

/** The component names of a kind: of a definition, of the name of a field, and the ending of the names of its types. */
const COMPONENTS: Record<FieldKind, { definition: string; name: string; type: string }> = {
  content: { definition: 'FieldDefinition', name: 'FieldName', type: 'Field' },
  form: { definition: 'FormFieldDefinition', name: 'FormFieldName', type: 'FormField' },
};

/** Returns a reference to the component of a field definition. */
export function definitionReference(kind: FieldKind): { $ref: string } {
  return reference(COMPONENTS[kind].definition);
}

/**
 * Returns the components that describe field definitions: one for each type with the attributes that it has, the union of them, and the
 * name of a field.
 */
export function definitionSchemas(kind: FieldKind): Record<string, JsonSchema> {
  const types = [...typesOf(kind)].map(([name, type]) => ({ name, type, component: componentOf(kind, name) }));
  return {
    [COMPONENTS[kind].definition]: {
      description: 'A field definition. Its attributes are stored and returned as they were sent.',
      oneOf: types.map(({ component }) => reference(component)),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(types.map(({ name, component }) => [name, reference(component).$ref])),
      },
    },
    [COMPONENTS[kind].name]: nameSchema(kind),
    ...Object.fromEntries(types.map(({ name, type, component }) => [component, typeSchema(kind, name, type)])),
  };
}

/** Returns a description of the types of a kind and their attributes, in Markdown. */
export function describeTypes(kind: FieldKind): string {
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  const rows = [...typesOf(kind)].map(
    ([name, { value, constraints }]) => `| \`${name}\` | ${value.description} | ${code(constraints)} |`,
  );
  return [
    'Every field has a `name` and a `type`. It can have the attributes `required`, `default`, `label` and `help`, ' +
      'and those of its type:',
    '',
    '| Type | Value | Attributes |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

/** `RichTextField` for `rich_text`. */
function componentOf(kind: FieldKind, type: string): string {
  const words = type.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}${COMPONENTS[kind].type}`;
}

function reference(component: string): { $ref: string } {
  return { $ref: `#/components/schemas/${component}` };
}

function nameSchema(kind: FieldKind): JsonSchema {
  const { pattern, reserved } = NAMES[kind];
  return {
    type: 'string',
    pattern: pattern.source,
    description: `The name of a field. It must be unique within the list. These names are reserved: ${reserved.join(', ')}.`,
    example: 'title',
  };
}

function typeSchema(kind: FieldKind, name: string, type: FieldType): JsonSchema {
  // Where one of several attributes is required, their descriptions say so: a schema of alternatives would break generated clients.
  const needed = REQUIRED_ATTRIBUTES.filter(([first, ...others]) => type.constraints.includes(first) && !others.length);
  return {
    type: 'object',
    description: type.value.description,
    required: ['name', 'type', ...needed.flat()],
    properties: {
      name: reference(COMPONENTS[kind].name),
      type: { type: 'string', enum: [name] },
      required: { type: 'boolean', description: 'Whether a value must be supplied. The default is `false`.' },
      default: defaultSchema(type),
      label: { type: 'string', maxLength: 255, description: 'The name of the field that is shown to people.' },
      help: { type: 'string', maxLength: 1_000, description: 'A hint that explains how to fill in the field.' },
      ...Object.fromEntries(type.constraints.map((constraint) => [constraint, CONSTRAINTS[constraint](type)])),
    },
    additionalProperties: false,
  };
}

/** The shape of a value of the type. The check of a definition also applies the format and the constraints. */
function defaultSchema({ value, constraints }: FieldType): JsonSchema {
  const { type, properties, required, additionalProperties } = value;
  const one = JSON.parse(JSON.stringify({ type, properties, required, additionalProperties })) as JsonSchema;
  const description = 'The value to use when no value is supplied. It must be a valid value of the field.';
  // A schema without a type allows lists too.
  if (type === undefined || !constraints.includes('multiple')) return { ...one, description };
  return { anyOf: [one, { type: 'array', items: one }], description };
}

const CONSTRAINTS: Record<Constraint, (type: FieldType) => JsonSchema> = {
  min: (type) => bound(type, 'minimum'),
  max: (type) => bound(type, 'maximum'),
  pattern: () => ({
    type: 'string',
    maxLength: 1_000,
    description: 'A regular expression in RE2 syntax. The value must contain a match. The expression is not anchored.',
    example: '^[A-Z]{2}-[0-9]+$',
  }),
  unique: () => ({ type: 'boolean', description: 'If `true`, no two entries can have the same value.' }),
  options: () => ({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 255 },
    minItems: 1,
    maxItems: 500,
    uniqueItems: true,
    description: 'The allowed values.',
    example: ['red', 'green', 'blue'],
  }),
  multiple: () => ({
    type: 'boolean',
    description:
      'If `true`, the value is a list of at most 1,000 values of the type. The other constraints apply to each ' +
      'value of the list.',
  }),
  content_type: () => ({
    type: 'string',
    description:
      'The ID or slug of the content type that the field refers to. Either this attribute or `content_types` is ' +
      'required.',
    example: 'authors',
  }),
  content_types: () => ({
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    maxItems: MAX_CONTENT_TYPES,
    uniqueItems: true,
    description:
      'The IDs or slugs of the content types that the field refers to, instead of `content_type`. A value is the ID ' +
      'of an entry of any of them.',
    example: ['authors', 'companies'],
  }),
};

function bound({ measures }: FieldType, which: 'minimum' | 'maximum'): JsonSchema {
  return measures === 'length'
    ? { type: 'integer', minimum: 0, description: `The ${which} length in characters.` }
    : { type: 'number', description: `The ${which} value.` };
}
