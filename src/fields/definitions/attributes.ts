import { type AttributeCheck, checkBoolean, checkList, checkString } from '../constraints/attribute-check.js';
import { canonicalLocale } from '../../validation/locales.js';
import type { FieldKind } from '../field-definition.js';
import type { JsonSchema } from './json-schema.js';

/** Only in an update of a content type: the name that the field had before. It is not stored. */
export const RENAMED_FROM = 'renamed_from';
const MAX_NAME = 64;
export const MAX_LABEL = 255;
const MAX_LOCALES = 50;

/** An attribute that is not a constraint: no value by itself can violate it. */
interface Attribute {
  /** The kinds of definitions that have it. */
  kinds: readonly FieldKind[];
  /** Whether definitions inside a group or a block cannot have it. */
  isOuterOnly?: boolean;
  check: (value: unknown, check: AttributeCheck) => void;
  schema: JsonSchema;
}

const EVERYWHERE: readonly FieldKind[] = ['content', 'form'];

/** The attributes that are not constraints, except for `name`, `type` and `default`, which need the whole definition to be checked. */
export const ATTRIBUTES: Readonly<Record<string, Attribute>> = {
  label: text(MAX_LABEL, EVERYWHERE, { description: 'The name of the field that is shown to people.' }),
  help: text(1_000, EVERYWHERE, { description: 'A hint that explains how to fill in the field.' }),
  placeholder: text(255, ['content'], { description: 'What an empty input of the field shows.' }),
  group: {
    ...text(255, ['content'], {
      description: 'The tab of a form on which the field is. Fields with the same text are on the same tab.',
      example: 'Search engines',
    }),
    isOuterOnly: true,
  },
  localized: {
    kinds: ['content'],
    isOuterOnly: true,
    check: checkBoolean,
    schema: {
      type: 'boolean',
      description:
        'Whether each locale of the tenant has a value of its own. When it is turned on, the values that there are become those of the default ' +
        'locale; when it is turned off, these stay, and the others are hidden.',
    },
  },
  required_in: {
    kinds: ['content'],
    isOuterOnly: true,
    check: checkCodes,
    schema: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      maxItems: MAX_LOCALES,
      uniqueItems: true,
      description:
        'Only of a localized field: the locales besides the default that must have a value when they are published. `required` asks for the ' +
        'value of the default locale.',
      example: ['de'],
    },
  },
  [RENAMED_FROM]: text(MAX_NAME, ['content'], {
    writeOnly: true,
    description:
      'Only in *Update a content type*: the name that the field has had until now. Its values move to the new name, also those of removed ' +
      'fields of that name. It is not stored.',
    example: 'headline',
  }),
};

/** Returns the attribute with this name; undefined if definitions of the kind have no such attribute. */
export function attributeNamed(name: string, kind: FieldKind): Attribute | undefined {
  const attribute = Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name] : undefined;
  return attribute?.kinds.includes(kind) ? attribute : undefined;
}

/** The names of the attributes that definitions of the kind have. */
export function attributeNames(kind: FieldKind): string[] {
  return Object.keys(ATTRIBUTES).filter((name) => attributeNamed(name, kind) !== undefined);
}

/** Which locales the tenant has is checked with the content type. */
function checkCodes(value: unknown, check: AttributeCheck): void {
  checkList(value, check, { max: MAX_LOCALES, noun: 'locale', nouns: 'locales' }, (code, element, isRepeated) => {
    if (canonicalLocale(code) !== code)
      element.fault('format', 'must be a language tag in its canonical form, such as de-CH');
    else if (isRepeated) element.fault('duplicate', 'appears twice');
  });
}

function text(max: number, kinds: readonly FieldKind[], schema: JsonSchema): Attribute {
  return { kinds, check: checkString(max), schema: { type: 'string', maxLength: max, ...schema } };
}
