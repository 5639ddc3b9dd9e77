import { runAtOnce, type SlicedWork } from '../../admission/sliced-work.js';
import type { LocaleState } from '../../fields/localized/locale-state.js';
import { isStoredName, nameIn, ownName, readName, LOCALE_STATE } from '../../fields/localized/localized-names.js';
import { type JsonMember, membersSliced, memberText, memberValue } from '../../json/members.js';

/** In which locales a response shows entries of a type. */
export interface ShownLocales {
  /** A code, or `*` for all locales. */
  locale: string;
  /** The code and those that it falls back to. Only for one locale. */
  chain: readonly string[];
  default: string;
  /** All codes, in the order of the settings. */
  codes: readonly string[];
  /** The names of the localized fields. */
  localized: ReadonlySet<string>;
  /** The revision of the settings. */
  revision: number;
  /** Whether it shows the values of locales that are taken off. */
  showsOff: boolean;
}

/** The JSON of values, and what an entry has besides them because of its locale: JSON members, each after a comma. */
export interface ShownJson {
  fields: string;
  more: string;
}

/** How the stored values of an entry of a type with localized fields begin (see `valuesJson`). */
const STORED_STATE = `{"${LOCALE_STATE}":`;

/** Whether the JSON may have values in several locales, and so cannot be shown as it is. */
export function isStoredInLocales(fields: string): boolean {
  return fields.startsWith(STORED_STATE);
}

/** The values of the default locale, as requests that name no locale show them. */
export function defaultJson(fields: string): string {
  return isStoredInLocales(fields) ? runAtOnce(defaultSliced(fields)) : fields;
}

function* defaultSliced(fields: string): SlicedWork<string> {
  const members = (yield* membersSliced(fields)).filter(({ name }) => !isStoredName(name));
  return `{${members.map((member) => memberText(fields, member)).join(',')}}`;
}

/** Returns what is shown of stored values; without `shown`, those of the default locale. */
export function* shownInLocales(fields: string, shown: ShownLocales | undefined): SlicedWork<ShownJson> {
  if (!shown) return { fields: isStoredInLocales(fields) ? yield* defaultSliced(fields) : fields, more: '' };
  const stored = new StoredJson(fields, yield* membersSliced(fields));
  if (shown.locale === '*') return { fields: allOf(stored, shown), more: ',"locale":"*"' };
  return oneOf(stored, shown);
}

/** The members of stored values by their names. */
class StoredJson {
  readonly names: readonly string[];
  private readonly members: ReadonlyMap<string, JsonMember>;

  constructor(
    private readonly json: string,
    members: readonly JsonMember[],
  ) {
    this.members = new Map(members.map((member) => [member.name, member]));
    // A localized field is where its first value is.
    this.names = [...new Set(members.flatMap(({ name }) => (name === LOCALE_STATE ? [] : ownName(name))))];
  }

  get off(): readonly string[] {
    const member = this.members.get(LOCALE_STATE);
    return member ? ((JSON.parse(memberValue(this.json, member)) as LocaleState).off ?? []) : [];
  }

  value(name: string): string | undefined {
    const member = this.members.get(name);
    return member && memberValue(this.json, member);
  }

  text(name: string): string {
    const member = this.members.get(name);
    return member ? `${memberText(this.json, member)}` : '';
  }
}

function oneOf(stored: StoredJson, { locale, chain, default: standard, localized, showsOff }: ShownLocales): ShownJson {
  const off = showsOff ? [] : stored.off;
  const members: string[] = [];
  const fallbacks: Record<string, string> = {};
  for (const name of stored.names) {
    if (!localized.has(name)) {
      members.push(stored.text(name));
      continue;
    }
    for (const code of chain) {
      const value = off.includes(code) ? undefined : stored.value(code === standard ? name : nameIn(name, code));
      if (value === undefined) continue;
      members.push(`${JSON.stringify(name)}:${value}`);
      if (code !== locale) fallbacks[name] = code;
      break;
    }
  }
  const from = Object.keys(fallbacks).length > 0 ? `,"fallbacks":${JSON.stringify(fallbacks)}` : '';
  return { fields: `{${members.filter(Boolean).join(',')}}`, more: `,"locale":${JSON.stringify(locale)}${from}` };
}

/** Each localized field as an object from codes to values. */
function allOf(stored: StoredJson, { codes, default: standard, localized, showsOff }: ShownLocales): string {
  const off = showsOff ? [] : stored.off;
  const members = stored.names.map((name) => {
    if (!localized.has(name)) return stored.text(name);
    const values = codes.flatMap((code) => {
      const value = off.includes(code) ? undefined : stored.value(code === standard ? name : nameIn(name, code));
      return value === undefined ? [] : `${JSON.stringify(code)}:${value}`;
    });
    return values.length > 0 ? `${JSON.stringify(name)}:{${values.join(',')}}` : '';
  });
  return `{${members.filter(Boolean).join(',')}}`;
}

/** The locales other than the default in which stored values are live. */
export function liveLocales(fields: string): Set<string> {
  if (!isStoredInLocales(fields)) return new Set();
  const members = runAtOnce(membersSliced(fields));
  const { off } = new StoredJson(fields, members);
  const codes = members.flatMap(({ name }) => readName(name).locale ?? []);
  return new Set(codes.filter((code) => code !== '' && !off.includes(code)));
}

/** The own values of the locales other than the default, without those that are taken off, as events show them. */
export function localizedJson(fields: string): string {
  if (!isStoredInLocales(fields)) return '{}';
  const members = runAtOnce(membersSliced(fields));
  const off = new StoredJson(fields, members).off;
  const byLocale = new Map<string, string[]>();
  for (const member of members) {
    const { own, locale } = readName(member.name);
    if (member.name === LOCALE_STATE || locale === undefined || off.includes(locale)) continue;
    const value = `${JSON.stringify(own)}:${memberValue(fields, member)}`;
    byLocale.set(locale, [...(byLocale.get(locale) ?? []), value]);
  }
  return `{${[...byLocale].map(([code, values]) => `${JSON.stringify(code)}:{${values.join(',')}}`).join(',')}}`;
}
