import type { Locales } from '../api/locales';
import { localeName } from './use-locales';

/** Languages that are named before the others are counted. */
const NAMED = 3;
const list = new Intl.ListFormat('en-GB');

interface LanguageNamesProps {
  /** Undefined until they are known: the codes stand for the names. */
  locales: Locales | undefined;
  codes: readonly string[];
}

/** `German`, `German and French`, `German, French, Italian and 2 more`. */
export function LanguageNames({ locales, codes }: LanguageNamesProps) {
  const names = codes.slice(0, NAMED).map((code) => (locales ? localeName(locales, code) : code));
  const rest = codes.length - names.length;
  const parts = list.formatToParts(rest > 0 ? [...names, `${rest} more`] : names);
  return parts.map(({ type, value }, index) => (type === 'element' ? <bdi key={index}>{value}</bdi> : value));
}
