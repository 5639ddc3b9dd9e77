import type { Versioned } from '../../../api/entry';
import type { Locale, Locales } from '../../../api/locales';
import { localeName } from '../../../locales/use-locales';
import { Confirm } from '../../../parts/confirm';
import { withDefault } from './changed-locales';
import { TypeList } from './type-list';
import { useLocalizedTypes } from './use-localized-types';
import { useSetLocales } from './use-set-locales';

interface MakeDefaultProps {
  stored: Versioned<Locales>;
  locale: Locale;
  onClose: () => void;
}

/** Asks before another language becomes the default, which is possible only while nothing is translated. */
export function MakeDefault({ stored, locale, onClose }: MakeDefaultProps) {
  const types = useLocalizedTypes();
  const { mutateAsync } = useSetLocales({ stored, done: `${locale.name} is the default language now.`, onClose });
  const isInTheWay = types !== undefined && types.length > 0;
  return (
    <Confirm
      title={`Make ${locale.name} the default?`}
      action={`Make ${locale.name} the default`}
      look="primary"
      isOff={types === undefined || isInTheWay}
      onConfirm={() => mutateAsync(withDefault(stored.data, locale.code))}
      onDone={() => undefined}
      onClose={onClose}
    >
      {isInTheWay ? (
        <>
          That is possible only while no field is translated, because the values of each entry begin with those in{' '}
          <bdi>{localeName(stored.data, stored.data.default)}</bdi>. These content types have translated fields:{' '}
          <TypeList types={types} />.
        </>
      ) : (
        <>
          What is written already counts as <bdi>{locale.name}</bdi> from then on.
        </>
      )}
    </Confirm>
  );
}
