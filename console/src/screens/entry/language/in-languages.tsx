import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { ContentType } from '../../../api/content-types';
import { type EntryFields, getEntry } from '../../../api/entry';
import { listEntryLocales, type Locales } from '../../../api/locales';
import { localeName } from '../../../locales/use-locales';
import { mayFor } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { entriesKey } from '../../content/keys';
import { type EntryLanguage, LanguageContext } from './entry-language';
import { FieldInLanguage } from './field-in-language';
import { FirstPublication } from './first-publication';
import { LanguageBar } from './language-bar';
import { LanguageItems } from './language-items';

interface InLanguagesProps {
  type: ContentType;
  /** The ID of the entry; `new` before it is there. */
  id: string;
  code: string;
  locales: Locales;
  children: ReactNode;
}

const PARTS: EntryLanguage['parts'] = {
  Bar: LanguageBar,
  Field: FieldInLanguage,
  Items: LanguageItems,
  FirstPublication,
};

/** Lets a page of an entry know its language, what there is in the others, and what the default one says. */
export default function InLanguages({ type, id, code, locales, children }: InLanguagesProps) {
  const tenant = useTenant();
  const address = { tenantId: tenant.id, type: type.slug, id };
  const isThere = id !== 'new';
  const seesDrafts = mayFor(tenant, 'content:read', type);
  const isDefault = code === locales.default;
  const key = entriesKey(tenant.id, type.slug);
  const { data: states } = useQuery({
    queryKey: [...key, 'languages', id],
    queryFn: ({ signal }) => listEntryLocales(address, signal),
    enabled: isThere && seesDrafts,
    staleTime: 0,
  });
  const { data: standard } = useQuery({
    queryKey: [...key, 'standard', id],
    queryFn: async ({ signal }) => (await getEntry(address, { isPreview: seesDrafts, signal })).data.fields,
    enabled: isThere && !isDefault,
    staleTime: 0,
  });
  const language = useMemo(
    (): EntryLanguage => ({
      ...{ code, isDefault, locales, states, parts: PARTS },
      name: localeName(locales, code),
      own: states?.find((state) => state.code === code),
      standard: isDefault ? undefined : standard && localizedOf(type, standard),
    }),
    [code, isDefault, locales, states, standard, type],
  );
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

function localizedOf({ fields }: ContentType, values: EntryFields): EntryFields {
  const names = new Set(fields.flatMap(({ name, localized }) => (localized ? [name] : [])));
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}
