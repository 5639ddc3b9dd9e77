import { ACCEPTED, MAX_ACCEPTED, MAX_CONTENT_TYPES, MAX_LABEL, RENAMED_FROM } from './attributes.js';
import { NAMES, REQUIRED_ATTRIBUTES } from './definitions.js';
import { Constraint, FieldKind, ON_DELETE } from './field-definition.js';
import { FieldType } from './field-type.js';
import { JsonSchema } from './json-schema.js';
import { MAX_DEFINITIONS, MAX_LEVELS } from './placed-definitions.js';
import { typesOf } from './registry.js';

/** The component names of a kind: of a definition, of the name of a field, of a block, and the ending of the names of its types. */
const COMPONENTS: Record<FieldKind, { definition: string; name: string; type: string; block: string }> = {
  content: { definition: 'FieldDefinition', name: 'FieldName', type: 'Field', block: 'BlockDefinition' },
  form: { definition: 'FormFieldDefinition', name: 'FormFieldName', type: 'FormField', block: 'FormBlockDefinition' },
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
    ...(types.some(({ type }) => type.constraints.includes('blocks')) && {
      [COMPONENTS[kind].block]: blockSchema(kind),
    }),
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
    description:
      `The name of a field. It must be unique within the list. These names are reserved: ${reserved.join(', ')}.` +
      (kind === 'content'
        ? ' New fields of a content type itself cannot be named and, or, not: `where` reads them as operators.'
        : ''),
    example: 'title',
  };
}

const renamedFrom: JsonSchema = {
  type: 'string',
  writeOnly: true,
  description:
    'Only in *Update a content type*: the name that the field has had until now. Its values move to the new name, also those of removed ' +
    'fields of that name. It is not stored.',
  example: 'headline',
};

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
      ...(!type.isFile && { default: defaultSchema(type) }),
      label: { type: 'string', maxLength: MAX_LABEL, description: 'The name of the field that is shown to people.' },
      help: { type: 'string', maxLength: 1_000, description: 'A hint that explains how to fill in the field.' },
      ...(kind === 'content' && { [RENAMED_FROM]: renamedFrom }),
      ...Object.fromEntries(type.constraints.map((constraint) => [constraint, CONSTRAINTS[constraint](type, kind)])),
    },
    additionalProperties: false,
  };
}

/** The shape of a value of the type. The check of a definition also applies the format and the constraints. */
function defaultSchema({ value, constraints, isList }: FieldType): JsonSchema {
  const { type, properties, required, additionalProperties } = value;
  const one = JSON.parse(JSON.stringify({ type, properties, required, additionalProperties })) as JsonSchema;
  const description = 'The value to use when no value is supplied. It must be a valid value of the field.';
  if (isList) return { type: 'array', items: one, description };
  // A schema without a type allows lists too.
  if (type === undefined || !constraints.includes('multiple')) return { ...one, description };
  return { anyOf: [one, { type: 'array', items: one }], description };
}

const CONSTRAINTS: Record<Constraint, (type: FieldType, kind: FieldKind) => JsonSchema> = {
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
  html: () => ({
    type: 'boolean',
    description:
      'If `true`, texts of a field that becomes `rich_text` are taken as HTML. Otherwise they are escaped, so that they show the same text.',
  }),
  multiple: ({ isFile, isListText }) => ({
    type: 'boolean',
    description: isFile
      ? 'If `true`, several files can be sent. Their names are stored as one text, joined by `, `. The other constraints apply to each file.'
      : isListText
        ? 'If `true`, several of the options can be chosen. They are stored as one text, joined by `, `, so no option may contain a comma.'
        : 'If `true`, the value is a list of at most 1,000 values of the type. The other constraints apply to each ' +
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
  fields: (_, kind) => innerDefinitions(kind, 'The fields of the group.'),
  blocks: (_, kind) => ({
    type: 'array',
    items: reference(COMPONENTS[kind].block),
    minItems: 1,
    maxItems: MAX_DEFINITIONS,
    description: 'The kinds of items. Their names must be unique within the list.',
  }),
  on_delete: () => ({
    type: 'string',
    enum: [...ON_DELETE],
    description:
      'What becomes of a value when the entry that it leads to is deleted. `keep` (the default): it stays. `refuse`: the deletion is 409. ' +
      '`clear`: it is removed in the same commit, and its entry gets a new version; this is not possible for a `required` field.',
  }),
  max_bytes: () => ({
    type: 'integer',
    minimum: 1,
    description:
      'The number of bytes that each file may have. The default is 10 MiB. It must not exceed `MEDIA_MAX_BYTES` of the service (25 MiB by default).',
    example: 5_242_880,
  }),
  accept: () => ({
    type: 'array',
    items: { type: 'string', pattern: ACCEPTED.source },
    minItems: 1,
    maxItems: MAX_ACCEPTED,
    uniqueItems: true,
    description:
      'The media types that files may have. They are read from the bytes; the type that was sent counts only for plain text. By default, all ' +
      'types are accepted. Programs and scripts are refused in any case.',
    example: ['image/*', 'application/pdf'],
  }),
};

function blockSchema(kind: FieldKind): JsonSchema {
  return {
    type: 'object',
    description: 'A kind of item in a list of blocks. An item names it as its `block`.',
    required: ['name', 'fields'],
    properties: {
      name: reference(COMPONENTS[kind].name),
      label: { type: 'string', maxLength: MAX_LABEL, description: 'The name of the block that is shown to people.' },
      fields: innerDefinitions(kind, 'The fields of an item, if it has any. None can have the name `block`.', 0),
    },
    additionalProperties: false,
  };
}

function innerDefinitions(kind: FieldKind, description: string, minItems = 1): JsonSchema {
  return {
    type: 'array',
    items: reference(COMPONENTS[kind].definition),
    minItems,
    maxItems: MAX_DEFINITIONS,
    description:
      `${description} They cannot have the attributes \`unique\` and \`default\`. Groups and blocks can be nested up to ` +
      `${MAX_LEVELS} levels, and a content type can have ${MAX_DEFINITIONS} definitions in all.`,
  };
}

function bound({ measures }: FieldType, which: 'minimum' | 'maximum'): JsonSchema {
  return measures === 'length'
    ? { type: 'integer', minimum: 0, description: `The ${which} length in characters.` }
    : { type: 'number', description: `The ${which} value.` };
}
