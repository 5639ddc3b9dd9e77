import { Problem, type ValueError } from '../../errors/problem.js';
import { codesOf, type LocaleSettings } from '../../fields/localized/locale-settings.js';
import type { Caller } from '../../http/caller.js';
import { listed } from '../../validation/suggestion.js';
import { unknownCodes } from '../locales/known-codes.js';
import { assertMayPublishLocales, assertNotLimited } from '../locales/locale-rights.js';
import type { ScheduleRow } from './schedules.sql.js';

/** As many as a tenant has. */
export const MAX_SCHEDULED = 50;

/** Checks the form of `locales` of a body. Whether the tenant has them is checked later. */
export function checkScheduledLocales(value: unknown, path: string): ValueError[] {
  if (!Array.isArray(value)) return [{ path, code: 'type', message: `${path} must be a list of codes of locales.` }];
  if (value.length === 0 || value.length > MAX_SCHEDULED)
    return [{ path, code: 'length', message: `${path} must have 1 to ${MAX_SCHEDULED} codes.` }];
  return (value as unknown[]).flatMap((code, index): ValueError[] => {
    const at = `${path}.${index}`;
    if (typeof code !== 'string') return [{ path: at, code: 'type', message: `${at} must be a string.` }];
    if (value.indexOf(code) === index) return [];
    return [{ path: at, code: 'duplicate', message: `${at} must be unique.` }];
  });
}

/** The errors of locales in the right form: those that the tenant does not have, and the default one, which cannot be taken off. */
export function wrongLocales(
  locales: readonly string[],
  settings: LocaleSettings,
  { unpublishAt }: Pick<ScheduleRow, 'unpublishAt'>,
): ValueError[] {
  const errors = unknownCodes(locales, settings, 'locales');
  const index = locales.indexOf(settings.default);
  if (unpublishAt === null || index < 0) return errors;
  const message = `The default locale (${settings.default}) cannot be taken off, so that unpublish_at cannot apply to it.`;
  return [...errors, { path: `locales.${index}`, code: 'not_applicable', message }];
}

/**
 * Throws a 403 unless the caller may set or delete such a schedule: somebody who is limited to locales may do so only for these. `of` is a schedule
 * that there is or will be.
 */
export function assertMaySchedule(caller: Pick<Caller, 'locales'>, of: Pick<ScheduleRow, 'locales'>): void {
  if (of.locales === null) assertNotLimited(caller, 'cannot schedule all of an entry');
  else assertMayPublishLocales(caller, of.locales);
}

/** Throws a 409 if a locale of the schedule was removed after it was set. Then nothing of it is carried out. */
export function assertStillThere(locales: readonly string[], settings: LocaleSettings): void {
  const removed = locales.filter((code) => !codesOf(settings).includes(code));
  if (removed.length === 0) return;
  throw new Problem('conflict', `The schedule names locales that were removed after it was set: ${listed(removed)}.`);
}
