import { blockReference, definitionReference } from '../definitions/definition-components.js';
import type { FieldKind } from '../field-definition.js';
import type { JsonSchema } from '../definitions/json-schema.js';
import { MAX_DEFINITIONS, MAX_DEFINITION_LEVELS } from '../definitions/placed-definitions.js';
import type { Constraint } from './constraint.js';

declare module '../field-definition.js' {
  interface ConstraintAttributes {
    /** The fields of a group. */
    fields: FieldDefinition[];
    /** The kinds of items that a list of blocks may have. */
    blocks: BlockDefinition[];
  }
}

/** The definitions inside are checked as those of the list around them, and so are the values inside. */
const inside = {
  requiredUnless: [],
  checkAttribute() {},
  values: { of: 'nothing' },
  change: { concerns: 'shape' },
} satisfies Partial<Constraint>;

export const fieldsConstraint: Constraint = {
  ...inside,
  schema: (_, kind) => innerDefinitions(kind, 'The fields of the group.'),
};

export const blocksConstraint: Constraint = {
  ...inside,
  schema: (_, kind) => ({
    type: 'array',
    items: blockReference(kind),
    minItems: 1,
    maxItems: MAX_DEFINITIONS,
    description: 'The kinds of items. Their names must be unique within the list.',
  }),
};

/** The schema of the definitions in a group or a block. */
export function innerDefinitions(kind: FieldKind, description: string, minItems = 1): JsonSchema {
  return {
    type: 'array',
    items: definitionReference(kind),
    minItems,
    maxItems: MAX_DEFINITIONS,
    description:
      `${description} They cannot have the attributes \`unique\` and \`default\`. Groups and blocks can be nested up to ` +
      `${MAX_DEFINITION_LEVELS} levels, and a content type can have ${MAX_DEFINITIONS} definitions in all.`,
  };
}
