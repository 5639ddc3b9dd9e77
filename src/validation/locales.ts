import { ArrayMaxSize, ArrayMinSize, IsArray, ValidateIf } from 'class-validator';
import { EachItem, UniqueItems } from './unique-items.js';

const MAX_LOCALES = 100;
const MAX_LENGTH = 35;
/** Not the tags that `Intl` knows for history's sake, such as i-klingon. */
const TAG = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;

/** The OpenAPI schema of `IsLocales`. */
export const localesSchema = {
  type: 'array' as const,
  items: { type: 'string' as const },
  minItems: 1,
  maxItems: MAX_LOCALES,
  uniqueItems: true,
  example: ['de', 'fr-CA'],
};

/** Returns the language tag (BCP 47) in its canonical form: `de-CH` for `DE-ch`. Returns undefined if the value is not a language tag. */
export function canonicalLocale(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_LENGTH || !TAG.test(value)) return undefined;
  try {
    return Intl.getCanonicalLocales(value)[0];
  } catch {
    return undefined;
  }
}

/** Returns checked locales in their canonical form. */
export function canonicalLocales(locales: readonly string[]): string[] {
  return locales.map((locale) => canonicalLocale(locale) ?? locale);
}

/** For lists of locales. Null means all locales. Which locales a tenant has is not checked. */
export function IsLocales(): PropertyDecorator {
  const checks = [
    ValidateIf((_object, value) => value !== undefined && value !== null),
    EachItem(
      { max: MAX_LOCALES, message: 'locales must be a list of language tags such as de or fr-CA' },
      (value) => canonicalLocale(value) !== undefined,
    ),
    UniqueItems({ max: MAX_LOCALES, message: 'locales must be different' }, (value) => canonicalLocale(value) ?? value),
    ArrayMaxSize(MAX_LOCALES, { message: `locales must be a list with at most ${MAX_LOCALES} locales` }),
    ArrayMinSize(1, { message: 'locales must be null or a list with at least one locale' }),
    IsArray({ message: 'locales must be null or a list' }),
  ];
  return (target, property) => checks.forEach((check) => check(target, property));
}
