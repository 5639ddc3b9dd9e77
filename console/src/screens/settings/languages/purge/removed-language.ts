import type { Locales } from '../../../../api/locales';
import { codeOf, languageName } from '../known-languages';

/** A language that is not in the list any more. */
export interface RemovedLanguage {
  readonly code: string;
  readonly name: string;
  /** How many entries have values in it; undefined if nobody counted them before it was removed. */
  readonly entries?: number;
}

/** The language that was typed, by its name or its tag. A string says what is wrong. */
export function removedLanguage(typed: string, { locales }: Locales): RemovedLanguage | string {
  const code = canonical(codeOf(typed));
  if (code === undefined) return 'Enter the name of a language, or a language tag such as de, fr-CA or zh-Hant.';
  const listed = locales.find((locale) => locale.code === code);
  if (listed) return `${listed.name} is one of the languages. Remove it first.`;
  return { code, name: languageName(code) ?? code };
}

function canonical(code: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(code)[0];
  } catch {
    return undefined;
  }
}
