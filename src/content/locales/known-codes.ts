import { Problem, type ValueError } from '../../errors/problem.js';
import { shorten } from '../../fields/formats/text.js';
import { codesOf, type LocaleSettings } from '../../fields/localized/locale-settings.js';
import type { Query } from '../../http/query.js';
import { listed } from '../../validation/suggestion.js';

const MAX_CODES = 50;

/** Reads a parameter that has codes of locales, separated by commas; undefined if it was not sent. */
export function readCodes(query: Query, parameter: string): string[] | undefined {
  const text = query[parameter] as string | undefined;
  const codes = text?.split(',');
  if (codes && codes.length > MAX_CODES) {
    throw Problem.parameter(parameter, `${parameter} must name at most ${MAX_CODES} locales.`);
  }
  return codes;
}

/** Throws a 400 that names the locales there are, unless the tenant has all of these. */
export function assertKnownCodes(codes: readonly string[], settings: LocaleSettings, parameter: string): void {
  const known = codesOf(settings);
  const unknown = codes.find((code) => !known.includes(code));
  if (unknown === undefined) return;
  throw Problem.parameter(parameter, `There is no locale ${shorten(unknown)}. The locales are ${listed(known)}.`);
}

/** An error for each code of a list of a body that is not one of the tenant's. */
export function unknownCodes(codes: readonly string[], settings: LocaleSettings, path: string): ValueError[] {
  const known = codesOf(settings);
  return codes.flatMap((code, index): ValueError[] => {
    if (known.includes(code)) return [];
    const message = `There is no locale ${shorten(code)}. The locales are ${listed(known)}.`;
    return [{ path: `${path}.${index}`, code: 'options', message }];
  });
}
