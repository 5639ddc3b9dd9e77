import type { FieldDefinition } from '../field-definition.js';
import { type AttributeCheck, checkList, checkString } from './attribute-check.js';
import type { Constraint, ConstraintChange } from './constraint.js';

declare module '../field-definition.js' {
  interface ConstraintAttributes {
    /** The ID or slug of the content type that a reference refers to. */
    content_type: string;
    /** The IDs or slugs of the content types that a reference refers to, instead of `content_type`. */
    content_types: string[];
  }
}

const MAX_CONTENT_TYPE = 100;
/** Each reference is looked up in each of the content types. */
const MAX_CONTENT_TYPES = 20;

const change: ConstraintChange = { concerns: 'references', isTighter: isRedirected };

/** Whether the content type exists must be checked by the caller of `checkDefinitions`. */
export const contentType: Constraint = {
  requiredUnless: ['content_types'],
  checkAttribute: checkContentType,
  schema: () => ({
    type: 'string',
    description:
      'The ID or slug of the content type that the field refers to. Either this attribute or `content_types` is ' +
      'required.',
    example: 'authors',
  }),
  // A write looks up the entries (see `Schema.references`).
  values: { of: 'nothing' },
  change,
};

export const contentTypes: Constraint = {
  checkAttribute(value, check) {
    const names = { max: MAX_CONTENT_TYPES, noun: 'content type', nouns: 'strings' };
    checkList(value, check, names, (name, element, isRepeated) => {
      checkContentType(name, element);
      if (isRepeated) element.fault('duplicate', 'repeats an earlier content type');
    });
  },
  schema: () => ({
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
  values: { of: 'nothing' },
  change,
};

function checkContentType(value: unknown, check: AttributeCheck): void {
  checkString(MAX_CONTENT_TYPE)(value, check);
  if (value === '') check.fault('required', 'must not be empty');
}

/** Returns the content types that a reference names, by ID or slug. */
export function namedTypes({ content_type: one, content_types: several }: FieldDefinition): readonly string[] {
  return several ?? (one === undefined ? [] : [one]);
}

/** Whether a reference no longer names one of its content types, so that its values may refer to others. */
export function isRedirected(before: FieldDefinition, after: FieldDefinition): boolean {
  const names = namedTypes(after);
  return namedTypes(before).some((name) => !names.includes(name));
}

/** Returns the content types that a definition from a request names, and where. The definition is at `path` and may have errors. */
export function sentTypes(
  { content_type: one, content_types: several }: Readonly<Record<string, unknown>>,
  path: string,
): { path: string; name: string; isOnly: boolean }[] {
  const list = Array.isArray(several) ? (several as unknown[]).slice(0, MAX_CONTENT_TYPES) : [];
  const sent = [
    { path: `${path}.content_type`, name: one, isOnly: true },
    ...list.map((name, index) => ({ path: `${path}.content_types.${index}`, name, isOnly: false })),
  ];
  return sent.flatMap(({ name, ...rest }) => (typeof name === 'string' && name !== '' ? { name, ...rest } : []));
}
