import type { ValueError } from '../../errors/problem.js';
import type { ValueErrorCode } from '../../errors/value-errors.js';
import type { Locale, LocaleSettings } from '../../fields/localized/locale-settings.js';
import { isRecord } from '../../fields/record.js';
import { shorten } from '../../fields/formats/text.js';
import { canonicalLocale } from '../../validation/locales.js';
import { trimBlanks } from '../../validation/blank.js';

export const MAX_TENANT_LOCALES = 50;
export const MAX_LOCALE_NAME = 100;
const PROPERTIES = ['code', 'name', 'fallback'];

/** Reports what is wrong with each locale of a list from a request. `settingsOf` reports what is wrong with them together. */
export function checkLocales(value: unknown, path: string): ValueError[] {
  if (!Array.isArray(value)) return [fault(path, 'type', 'must be a list of locales')];
  if (value.length < 1 || value.length > MAX_TENANT_LOCALES)
    return [fault(path, 'length', `must have between 1 and ${MAX_TENANT_LOCALES} locales`)];
  return value.flatMap((locale: unknown, index) => checkLocale(locale, `${path}.${index}`));
}

function checkLocale(locale: unknown, path: string): ValueError[] {
  if (!isRecord(locale)) return [{ path, code: 'type', message: 'A locale must be an object.' }];
  const errors: ValueError[] = [];
  for (const name of Object.keys(locale)) {
    if (PROPERTIES.includes(name)) continue;
    const shown = shorten(name);
    const message = `${shown} is not a property of a locale. The properties are ${PROPERTIES.join(', ')}.`;
    errors.push({ path: `${path}.${shown}`, code: 'unknown_property', message });
  }
  const { code, name, fallback } = locale;
  if (code === undefined) errors.push(fault(`${path}.code`, 'required', 'is required'));
  else if (canonicalLocale(code) === undefined)
    errors.push(fault(`${path}.code`, 'format', 'must be a language tag such as de or fr-CA'));
  if (name !== undefined && (typeof name !== 'string' || !isName(name)))
    errors.push(fault(`${path}.name`, 'length', `must be a string of 1 to ${MAX_LOCALE_NAME} characters`));
  if (fallback !== undefined && fallback !== null && canonicalLocale(fallback) === undefined)
    errors.push(fault(`${path}.fallback`, 'format', 'must be the code of another locale, or null'));
  return errors;
}

function isName(name: string): boolean {
  const { length } = trimBlanks(name);
  return length > 0 && name.length <= MAX_LOCALE_NAME && !/\p{Cc}/u.test(name);
}

type SentLocale = { code: string; name?: string; fallback?: string | null };

/** Returns the settings of a request in which `checkLocales` found no error, and what is wrong with them together. */
export function settingsOf(
  sent: { default: unknown; locales: unknown },
  revision: number,
): { settings: LocaleSettings; errors: ValueError[] } {
  const standard = canonicalLocale(sent.default);
  if (standard === undefined) {
    const settings = { default: '', locales: [], revision };
    return { settings, errors: [fault('default', 'format', 'must be a language tag such as de or fr-CA')] };
  }
  const errors: ValueError[] = [];
  const locales = (sent.locales as SentLocale[]).map(({ code: tag, name, fallback }): Locale => {
    const code = canonicalLocale(tag) ?? tag;
    const target = fallback === undefined ? (code === standard ? null : standard) : fallback;
    const shown = name === undefined ? englishName(code) : trimBlanks(name);
    return { code, name: shown, fallback: target === null ? null : (canonicalLocale(target) ?? target) };
  });
  const codes = locales.map(({ code }) => code);
  if (!codes.includes(standard)) errors.push(fault('default', 'options', 'must be the code of one of the locales'));
  for (const [index, { code, fallback }] of locales.entries()) {
    const path = `locales.${index}`;
    if (codes.indexOf(code) < index)
      errors.push(fault(`${path}.code`, 'duplicate', `must be unique, but ${code} appears twice`));
    if (fallback === null) continue;
    const at = `${path}.fallback`;
    if (code === standard)
      errors.push(fault(at, 'not_applicable', 'must be null, because the default locale has none'));
    else if (!codes.includes(fallback))
      errors.push(fault(at, 'options', 'must be the code of one of the locales, or null'));
    else if (isInCircle(code, locales))
      errors.push(fault(at, 'not_applicable', 'must not lead back to the locale itself'));
  }
  return { settings: { default: standard, locales, revision }, errors };
}

/** Whether the fallbacks of a locale lead back to it. */
function isInCircle(code: string, locales: readonly Locale[]): boolean {
  const fallbacks = new Map(locales.map((one) => [one.code, one.fallback]));
  const seen = new Set<string>();
  for (let at = fallbacks.get(code); at; at = fallbacks.get(at)) {
    if (at === code) return true;
    if (seen.has(at)) return false;
    seen.add(at);
  }
  return false;
}

function englishName(code: string): string {
  return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
}

function fault(path: string, code: ValueErrorCode, predicate: string): ValueError {
  return { path, code, message: `${path.slice(path.lastIndexOf('.') + 1)} ${predicate}.` };
}
