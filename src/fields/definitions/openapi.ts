import { ATTRIBUTES, attributeNames, MAX_LABEL, RENAMED_FROM } from './attributes.js';
import { innerDefinitions } from '../constraints/definitions-inside.js';
import { CONSTRAINTS, constraintsOf } from '../constraints/registry.js';
import { COMPONENTS, schemaReference } from './definition-components.js';
import { NAMES } from './definitions.js';
import { ConstraintName, FieldKind } from '../field-definition.js';
import { FieldType } from '../field-type.js';
import { JsonSchema } from './json-schema.js';
import { typesOf } from '../registry.js';

/**
 * Returns the components that describe field definitions: one for each type with the attributes that it has, the union of them, and the
 * name of a field.
 */
export function definitionSchemas(kind: FieldKind): Record<string, JsonSchema> {
  const types = [...typesOf(kind)].map(([name, type]) => ({ name, type, component: componentOf(kind, name) }));
  return {
    [COMPONENTS[kind].definition]: {
      description: 'A field definition. Its attributes are stored and returned as they were sent.',
      oneOf: types.map(({ component }) => schemaReference(component)),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(types.map(({ name, component }) => [name, schemaReference(component).$ref])),
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
  const described = attributeNames(kind).filter((name) => name !== RENAMED_FROM);
  const rows = [...typesOf(kind)].map(
    ([name, type]) => `| \`${name}\` | ${type.value.description} | ${code(ownConstraintsOf(type))} |`,
  );
  return [
    `Every field has a \`name\` and a \`type\`. It can have the attributes \`required\`, \`default\`, ${code(described)}, and those of its type:`,
    '',
    '| Type | Value | Attributes |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

/** The constraints of a type, apart from `required`, which every type has. */
function ownConstraintsOf(type: FieldType): ConstraintName[] {
  return constraintsOf(type).filter((name) => name !== 'required');
}

/** `RichTextField` for `rich_text`. */
function componentOf(kind: FieldKind, type: string): string {
  const words = type.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}${COMPONENTS[kind].type}`;
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

function typeSchema(kind: FieldKind, name: string, type: FieldType): JsonSchema {
  // Where one of several attributes is required, their descriptions say so: a schema of alternatives would break generated clients.
  const needed = constraintsOf(type).filter((constraint) => CONSTRAINTS[constraint].requiredUnless?.length === 0);
  const schemaOf = (constraint: ConstraintName) => CONSTRAINTS[constraint].schema(type, kind);
  return {
    type: 'object',
    description: type.value.description,
    required: ['name', 'type', ...needed],
    properties: {
      name: schemaReference(COMPONENTS[kind].name),
      type: { type: 'string', enum: [name] },
      required: schemaOf('required'),
      ...(!type.isFile && { default: defaultSchema(type) }),
      ...Object.fromEntries(attributeNames(kind).map((attribute) => [attribute, ATTRIBUTES[attribute]?.schema])),
      ...Object.fromEntries(ownConstraintsOf(type).map((constraint) => [constraint, schemaOf(constraint)])),
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

function blockSchema(kind: FieldKind): JsonSchema {
  return {
    type: 'object',
    description: 'A kind of item in a list of blocks. An item names it as its `block`.',
    required: ['name', 'fields'],
    properties: {
      name: schemaReference(COMPONENTS[kind].name),
      label: { type: 'string', maxLength: MAX_LABEL, description: 'The name of the block that is shown to people.' },
      fields: innerDefinitions(kind, 'The fields of an item, if it has any. None can have the name `block`.', 0),
    },
    additionalProperties: false,
  };
}
