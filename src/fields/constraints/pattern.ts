import type { Check } from '../check.js';
import { placedDefinitions } from '../definitions/placed-definitions.js';
import { ecmaPattern } from '../patterns/ecma-pattern.js';
import type { Constraint } from './constraint.js';

declare module '../field-definition.js' {
  interface ConstraintAttributes {
    /** An unanchored regular expression in RE2 syntax. */
    pattern: string;
  }
}

const MAX_PATTERN = 1_000;

export const pattern: Constraint = {
  checkAttribute(value, check) {
    if (typeof value !== 'string') return check.fault('type', 'must be a string');
    if (value.length > MAX_PATTERN) return check.fault('too_long', `must have at most ${MAX_PATTERN} characters`);
    const reason = check.patternFaults.get(value);
    if (reason !== undefined) check.fault('pattern', reason);
  },
  schema: () => ({
    type: 'string',
    maxLength: MAX_PATTERN,
    description: 'A regular expression in RE2 syntax. The value must contain a match. The expression is not anchored.',
    example: '^[A-Z]{2}-[0-9]+$',
  }),
  valueSchema({ pattern: source = '' }) {
    const translated = ecmaPattern(source);
    return translated === undefined ? undefined : { pattern: translated };
  },
  values: {
    of: 'value',
    check(value, check) {
      const { pattern: source = '' } = check.definition;
      check.validation.match(source, value as string, check, reportMatch);
    },
  },
  change: {
    concerns: 'values',
    isTighter: ({ pattern: before }, { pattern: after }) => after !== undefined && after !== before,
  },
};

/** Returns the patterns in a list of definitions from a request that must be compiled to check the list. */
export function patternsIn(definitions: unknown): string[] {
  const patterns = placedDefinitions(definitions).map(({ definition }) => definition['pattern']);
  const isShort = (one: unknown): one is string => typeof one === 'string' && one.length <= MAX_PATTERN;
  return [...new Set(patterns.filter(isShort))];
}

/** Reports a text that does not match its pattern, or (undefined) that is too costly to check. */
function reportMatch(check: Check, matches: boolean | undefined): void {
  if (matches === false) check.fault('pattern', 'does not match the pattern of the field');
  else if (matches === undefined) check.fault('too_long', 'is too long to be checked against the pattern of the field');
}
