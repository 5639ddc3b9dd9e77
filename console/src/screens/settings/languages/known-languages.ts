/** Languages that are offered, most of which people look for. Any other language tag can be typed. */
const CODES =
  'ar bg bn ca cs cy da de de-AT de-CH el en en-AU en-CA en-GB en-US es es-419 es-MX et eu fa fi fil fr fr-BE fr-CA fr-CH ga gl ' +
  'gu he hi hr hu hy id is it it-CH ja ka kk kn ko lb lt lv mk ml mr ms mt nb ne nl nl-BE nn pa pl pt pt-BR pt-PT rm ro ru sk sl ' +
  'sq sr sv sw ta te th tr uk ur uz vi zh zh-Hans zh-Hant zu';

interface KnownLanguage {
  readonly code: string;
  readonly name: string;
}

const names = new Intl.DisplayNames('en', { type: 'language' });

export const KNOWN_LANGUAGES: readonly KnownLanguage[] = CODES.split(' ')
  .map((code) => ({ code, name: languageName(code) ?? code }))
  .sort((one, other) => one.name.localeCompare(other.name));

/** `German` for `de`; undefined if the browser knows no name. */
export function languageName(code: string): string | undefined {
  try {
    const name = names.of(code);
    return name === code ? undefined : name;
  } catch {
    return undefined;
  }
}

/** The language tag that somebody means: by itself, or by the name of the language. */
export function codeOf(typed: string): string {
  const text = typed.trim();
  const isMeant = (words: string) => words.toLowerCase() === text.toLowerCase();
  const known = KNOWN_LANGUAGES.find(({ code, name }) => isMeant(name) || isMeant(code));
  return known?.code ?? text;
}
