import type { ScheduleBody } from '../../../api/entry-parts/schedule';
import type { Locale } from '../../../api/locales';
import type { EnteredTenant } from '../../../api/sessions';
import { localeName } from '../../../locales/use-locales';
import type { EntryLanguage } from '../language/entry-language';

type Limits = Pick<EnteredTenant, 'locales'>;

/** Whether somebody who may change some languages alone may replace or remove the schedule: it must be for these. */
export function maySchedule({ locales: own }: Limits, { locales }: ScheduleBody): boolean {
  return own === undefined || locales?.every((code) => own.includes(code)) === true;
}

/** The languages that the person may schedule. */
export function offeredLanguages({ locales: own }: Limits, { locales: { locales } }: EntryLanguage): readonly Locale[] {
  return own === undefined ? locales : locales.filter(({ code }) => own.includes(code));
}

/** The codes that are chosen before the person chooses: what the schedule is for, or what `Publish` would publish. */
export function chosenAtFirst(
  limits: Limits,
  language: EntryLanguage,
  schedule: ScheduleBody | null,
  isPublished: boolean,
): readonly string[] {
  const offered = offeredLanguages(limits, language).map(({ code }) => code);
  if (schedule) return offered.filter((code) => schedule.locales?.includes(code) !== false);
  const isAll = limits.locales === undefined && (language.isDefault || !isPublished);
  return isAll ? offered : offered.filter((code) => code === language.code);
}

/** The codes as the service takes them: undefined for the whole entry, which only those may schedule who may change every language. */
export function localesToSend(limits: Limits, language: EntryLanguage, chosen: readonly string[]) {
  const isWhole = limits.locales === undefined && chosen.length === language.locales.locales.length;
  return isWhole ? undefined : chosen;
}

/** What is wrong with the languages of a schedule; undefined if nothing is. */
export function faultIn({ locales, unpublish_at: unpublish }: ScheduleBody, { locales: all }: EntryLanguage) {
  if (locales?.length === 0) return 'Choose a language.';
  if (unpublish === undefined || !locales?.includes(all.default)) return undefined;
  const name = localeName(all, all.default);
  return `${name} is the default language, which is unpublished with all languages only. Leave it out, or clear “Unpublish at”.`;
}
