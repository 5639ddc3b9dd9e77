import type { EntryQuery } from '../../api/entries';

/** What a list keeps by its translation, as the API names it. */
const TRANSLATION_STATES = ['translated', 'missing', 'behind'] as const;

type TranslationState = (typeof TRANSLATION_STATES)[number];

/** Entries that are, or lack, something in one language. */
interface Translation {
  readonly state: TranslationState;
  readonly code: string;
}

/** `missing:de` */
export function translationText({ state, code }: Translation): string {
  return `${state}:${code}`;
}

/** Reads what the address has. Undefined: all entries, in the default language. */
export function translationOf(text: string): Translation | undefined {
  const [name, code] = text.split(':');
  const state = TRANSLATION_STATES.find((each) => each === name);
  return state && code ? { state, code } : undefined;
}

/** The parameters of the list, which shows values of that language, and others in their place where it has none. */
export function translationQuery(text: string): EntryQuery {
  const translation = translationOf(text);
  return translation ? { [translation.state]: translation.code, locale: translation.code } : {};
}
