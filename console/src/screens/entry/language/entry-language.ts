import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import type { ContentType, FieldDefinition } from '../../../api/content-types';
import type { Entry } from '../../../api/entries';
import type { EntryFields } from '../../../api/entry';
import type { EntryLocale, Locales } from '../../../api/locales';

/** What a page of an entry draws of languages. It is loaded for entries that have several. */
interface LanguageParts {
  readonly Bar: ComponentType<{ type: ContentType; entry: Entry | undefined }>;
  readonly Field: ComponentType<{ definition: FieldDefinition; children: ReactNode }>;
  readonly Items: ComponentType<{ type: ContentType; entry: Entry }>;
  readonly FirstPublication: ComponentType<{ onClose: () => void }>;
}

/** The language in which an entry is shown and edited. */
export interface EntryLanguage {
  readonly code: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly locales: Locales;
  /** What there is of the entry in each language. Undefined until it is known, and for a new entry. */
  readonly states: readonly EntryLocale[] | undefined;
  /** The same of this language. */
  readonly own: EntryLocale | undefined;
  /** The values of the default language, beside those of another one. */
  readonly standard: EntryFields | undefined;
  readonly parts: LanguageParts;
}

export const LanguageContext = createContext<EntryLanguage | undefined>(undefined);

/** Undefined where there is only one language, or the content type is not translated. */
export function useEntryLanguage(): EntryLanguage | undefined {
  return useContext(LanguageContext);
}

/** The code, unless it is that of the default language. */
export function otherThanDefault(language: EntryLanguage | undefined): string | undefined {
  return language?.isDefault === false ? language.code : undefined;
}

/** The same as parameters of a list. */
export function inLanguage(code: string | undefined): Readonly<Record<string, string>> {
  return code === undefined ? {} : { locale: code };
}
