import type { ContentType } from '../../../api/content-types';
import type { Versioned } from '../../../api/entry';
import type { Locale, Locales } from '../../../api/locales';
import { localeName } from '../../../locales/use-locales';
import { Confirm } from '../../../parts/confirm';
import { countedAs } from '../../../parts/numbers';
import { withoutLocale } from './changed-locales';
import { TypeList } from './type-list';
import { useLocalizedTypes, useTranslatedCount } from './use-localized-types';
import { useSetLocales } from './use-set-locales';

interface RemoveLanguageProps {
  stored: Versioned<Locales>;
  locale: Locale;
  /** With the number of entries that have values in it, if they could be counted. */
  onRemoved: (entries: number | undefined) => void;
  onClose: () => void;
}

/** Asks before a language is removed, and says what is out of sight then. */
export function RemoveLanguage({ stored, locale, onRemoved, onClose }: RemoveLanguageProps) {
  const types = useLocalizedTypes();
  const count = useTranslatedCount(types, locale.code);
  const { mutateAsync } = useSetLocales({ stored, done: `${locale.name} was removed.`, onClose });
  const needing = types?.filter((type) => needs(type, locale.code)) ?? [];
  return (
    <Confirm
      title={`Remove ${locale.name}?`}
      action={`Remove ${locale.name}`}
      isOff={types === undefined || needing.length > 0}
      onConfirm={() => mutateAsync(withoutLocale(stored.data, locale))}
      onDone={() => onRemoved(count)}
      onClose={onClose}
    >
      {needing.length > 0 ? (
        <>
          Fields of these content types require it: <TypeList types={needing} />. Take <bdi>{locale.name}</bdi> out of
          their required languages first.
        </>
      ) : (
        <>
          {valuesInWords(locale.name, count)} They come back when the language is added again.{' '}
          {fallbacksInWords(stored.data, locale)}
        </>
      )}
    </Confirm>
  );
}

function needs({ fields }: ContentType, code: string): boolean {
  return fields.some(({ localized, required_in: needed }) => localized === true && needed?.includes(code));
}

function valuesInWords(name: string, count: number | undefined): string {
  if (count === undefined) return `Values in ${name} are hidden from readers and editors.`;
  if (count === 0) return `No entry has values in ${name}.`;
  return `The values of ${countedAs(count, 'entry', 'entries')} in ${name} are hidden from readers and editors.`;
}

/** What those show from then on that fell back to it. */
function fallbacksInWords(locales: Locales, { code, name, fallback }: Locale): string {
  const others = locales.locales.filter((each) => each.fallback === code);
  if (others.length === 0) return '';
  const names = others.map((each) => each.name).join(', ');
  const instead = fallback === null ? 'shows nothing' : `falls back to ${localeName(locales, fallback)}`;
  return `Where ${names} ${others.length === 1 ? 'falls' : 'fall'} back to ${name} now, it then ${instead}.`;
}
