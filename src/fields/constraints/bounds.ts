import type { Check } from '../check.js';
import type { FieldType } from '../field-type.js';
import type { JsonSchema } from '../definitions/json-schema.js';
import { countCodePoints } from '../formats/text.js';
import { type AttributeCheck, isLonger } from './attribute-check.js';
import type { Constraint } from './constraint.js';

declare module '../field-definition.js' {
  interface ConstraintAttributes {
    /** The minimum of a number, or the minimum length of a text in code points. */
    min: number;
    /** The maximum of a number, or the maximum length of a text in code points. */
    max: number;
  }
}

export const min: Constraint = {
  checkAttribute: checkBound,
  checkTogether(attributes, check) {
    const [least, most] = [attributes.get('min'), attributes.get('max')];
    if (typeof least === 'number' && typeof most === 'number' && least > most) {
      check.fault('format', 'must not be greater than max');
    }
  },
  schema: (type) => boundSchema(type, 'minimum'),
  valueSchema: ({ min: least }, type) => limitOf(type, { length: { minLength: least }, value: { minimum: least } }),
  values: {
    of: 'value',
    check(value, check, type) {
      const { min: least = -Infinity } = check.definition;
      if (type.measures === 'length') checkMinLength(value as string, least, check);
      else if (numberOf(value, type) < least) check.fault('min', `must be at least ${least}`);
    },
  },
  change: {
    concerns: 'values',
    isTighter: ({ min: before = -Infinity }, { min: after = -Infinity }) => after > before,
  },
};

export const max: Constraint = {
  checkAttribute: checkBound,
  schema: (type) => boundSchema(type, 'maximum'),
  valueSchema: ({ max: most }, type) => limitOf(type, { length: { maxLength: most }, value: { maximum: most } }),
  values: {
    of: 'value',
    check(value, check, type) {
      const { max: most = Infinity } = check.definition;
      if (type.measures === 'length') checkMaxLength(value as string, most, check);
      else if (numberOf(value, type) > most) check.fault('max', `must be at most ${most}`);
    },
  },
  change: {
    concerns: 'values',
    isTighter: ({ max: before = Infinity }, { max: after = Infinity }) => after < before,
  },
};

/**
 * Checks the length of a text against `min` and `max`, or against `limit` if there is no `max`, before its format is read. Returns true if it
 * fits.
 */
export function fitsLength(text: string, check: Check, limit: number): boolean {
  const { min: least = 0, max: most = limit } = check.definition;
  const before = check.validation.errorCount;
  checkMinLength(text, least, check);
  checkMaxLength(text, most, check);
  return check.validation.errorCount === before;
}

function checkMinLength(text: string, least: number, check: Check): void {
  // A code point has one or two UTF-16 units, so most texts need no counting.
  if (text.length >= least * 2 || countCodePoints(text) >= least) return;
  check.fault('too_short', `must have at least ${characters(least)}`);
}

function checkMaxLength(text: string, most: number, check: Check): void {
  if (isLonger(text, most)) check.fault('too_long', `must have at most ${characters(most)}`);
}

/** "1 character", "200 characters". */
function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

function numberOf(value: unknown, type: FieldType): number {
  return type.numberOf ? type.numberOf(value) : (value as number);
}

/** JSON Schema compares only numbers, and not what a text says. */
function limitOf(type: FieldType, limits: Record<'length' | 'value', JsonSchema>): JsonSchema | undefined {
  if (type.numberOf || !type.measures) return undefined;
  return limits[type.measures];
}

function checkBound(value: unknown, check: AttributeCheck): void {
  if (typeof value !== 'number' || !Number.isFinite(value)) return check.fault('type', 'must be a number');
  if (check.type?.measures === 'length' && !(Number.isSafeInteger(value) && value >= 0)) {
    check.fault('format', `must be an integer from 0 to ${Number.MAX_SAFE_INTEGER} because it limits a length`);
  }
}

function boundSchema({ measures }: FieldType, which: 'minimum' | 'maximum'): JsonSchema {
  return measures === 'length'
    ? { type: 'integer', minimum: 0, description: `The ${which} length in characters.` }
    : { type: 'number', description: `The ${which} value.` };
}
