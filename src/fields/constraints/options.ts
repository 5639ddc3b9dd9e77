import { isBlank } from '../../validation/blank.js';
import { type AttributeCheck, checkList, isLonger } from './attribute-check.js';
import type { Constraint } from './constraint.js';

declare module '../field-definition.js' {
  interface ConstraintAttributes {
    /** The allowed values of a select. */
    options: string[];
  }
}

const MAX_OPTIONS = 500;
const MAX_OPTION = 255;

export const options: Constraint = {
  requiredUnless: [],
  checkAttribute(value, check) {
    checkList(value, check, { max: MAX_OPTIONS, noun: 'option', nouns: 'strings' }, checkOption);
  },
  /** A list that is stored as text has its values joined by commas. */
  checkTogether(attributes, check) {
    const sent = attributes.get('options');
    if (!check.type?.isListText || attributes.get('multiple') !== true || !Array.isArray(sent)) return;
    for (const [index, option] of (sent as unknown[]).entries()) {
      if (typeof option !== 'string' || !option.includes(',')) continue;
      check.element('option', index).fault('format', 'must not contain a comma, because the field is multiple');
    }
  },
  schema: () => ({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: MAX_OPTION },
    minItems: 1,
    maxItems: MAX_OPTIONS,
    uniqueItems: true,
    description: 'The allowed values.',
    example: ['red', 'green', 'blue'],
  }),
  valueSchema: ({ options: allowed = [] }) => ({ enum: allowed }),
  values: {
    of: 'value',
    check(value, check) {
      if (!check.definition.options?.includes(value as string)) {
        check.fault('options', 'must be one of the options of the field');
      }
    },
  },
  change: {
    concerns: 'values',
    isTighter({ options: before = [] }, { options: after = [] }) {
      const left = new Set(after);
      return before.some((option) => !left.has(option));
    },
  },
};

function checkOption(option: unknown, check: AttributeCheck, isRepeated: boolean): void {
  if (typeof option !== 'string') return check.fault('type', 'must be a string');
  if (isBlank(option)) return check.fault('required', 'must not be blank');
  if (isLonger(option, MAX_OPTION)) return check.fault('too_long', `must have at most ${MAX_OPTION} characters`);
  if (isRepeated) check.fault('duplicate', 'repeats an earlier option');
}
