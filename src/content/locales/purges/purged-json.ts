import type { SlicedWork } from '../../../admission/sliced-work.js';
import type { LocaleState } from '../../../fields/localized/locale-state.js';
import { LOCALE_STATE, readName } from '../../../fields/localized/localized-names.js';
import { membersSliced, memberText, memberValue } from '../../../json/members.js';
import { selectMembers } from '../../../json/select-members.js';

/*
 * Stored JSON without the values of a locale. Everything else stays as it is written. Text that has none of them is returned as it is.
 */

/** In JSON text that has values of the locale. Other text may have it, too. */
export function markOf(code: string): string {
  return `@${code}`;
}

/** In the data of an event that has values of the locale as a member of `localized`. Other data may have it, too. */
export function memberMarkOf(code: string): string {
  return `${JSON.stringify(code)}:{`;
}

/** The values of an entry, a draft or a version by their stored names, or a draft's digests. Of the state of the locales, what it says of this one. */
export function* withoutLocale(json: string, code: string): SlicedWork<string> {
  const texts: string[] = [];
  let isChanged = false;
  for (const member of yield* membersSliced(json)) {
    if (member.name === LOCALE_STATE) {
      const before = memberValue(json, member);
      const after = JSON.stringify(stateWithout(JSON.parse(before) as LocaleState, code));
      isChanged ||= JSON.stringify(JSON.parse(before)) !== after;
      texts.push(`${JSON.stringify(LOCALE_STATE)}:${after}`);
    } else if (readName(member.name).locale === code) isChanged = true;
    else texts.push(memberText(json, member));
  }
  return isChanged ? `{${texts.join(',')}}` : json;
}

function stateWithout({ off, at, ...others }: LocaleState, code: string): LocaleState {
  const offOthers = off?.filter((one) => one !== code) ?? [];
  const atOthers = Object.fromEntries(Object.entries(at ?? {}).filter(([one]) => one !== code));
  return { ...(offOthers.length > 0 && { off: offOthers }), ...(at && { at: atOthers }), ...others };
}

/** The values of removed fields of an entry, whose keys begin with the stored name and a slash. Null if none is left. */
export function* retiredWithout(json: string, code: string): SlicedWork<string | null> {
  const isOther = (key: string) => readName(key.split('/')[0] ?? '').locale !== code;
  if ((yield* membersSliced(json)).every(({ name }) => isOther(name))) return json;
  const others = yield* selectMembers(json, isOther);
  return others === '{}' ? null : others;
}

/** The data of events about an entry, which has the values of each locale in `localized`. */
export function* dataWithoutLocale(json: string, code: string): SlicedWork<string> {
  const texts: string[] = [];
  let isChanged = false;
  for (const member of yield* membersSliced(json)) {
    const value = member.name === 'localized' ? memberValue(json, member) : '';
    if (!value.startsWith('{')) texts.push(memberText(json, member));
    else {
      const others = yield* selectMembers(value, (name) => name !== code);
      isChanged ||= others !== value;
      texts.push(`"localized":${others}`);
    }
  }
  return isChanged ? `{${texts.join(',')}}` : json;
}
