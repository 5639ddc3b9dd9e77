import type { FieldDefinition } from '../../../api/content-types';
import type { Locales } from '../../../api/locales';
import { localeName } from '../../../locales/use-locales';
import { labelOf } from '../../content/fields';

/** What a field is called, with the language of its value: `Title (German)`. */
export function labelInLanguage(
  locales: Locales | undefined,
  definition: Pick<FieldDefinition, 'name' | 'label' | 'localized'>,
  locale: string | undefined,
): string {
  const label = labelOf(definition);
  return locales && locale !== undefined && definition.localized ? `${label} (${localeName(locales, locale)})` : label;
}
