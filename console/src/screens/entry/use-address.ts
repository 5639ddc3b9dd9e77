import type { ContentType } from '../../api/content-types';
import type { Entry } from '../../api/entries';
import type { EntryAddress } from '../../api/entry';
import { useTenant } from '../../shell/tenant';
import { inLanguage, otherThanDefault, useEntryLanguage } from './language/entry-language';

/** What is shown and done beside the form is about one entry. */
export interface OfEntry {
  type: ContentType;
  entry: Entry;
}

export function useAddress({ type, entry }: OfEntry): EntryAddress {
  const { id: tenantId } = useTenant();
  const locale = otherThanDefault(useEntryLanguage());
  return { tenantId, type: type.slug, id: entry.id, ...inLanguage(locale) };
}
