import { useState } from 'react';
import type { Locale } from '../../../api/locales';
import { useLocales } from '../../../locales/use-locales';
import { Button } from '../../../parts/button';
import { Loading } from '../../../parts/loading';
import { Section } from '../../../parts/page';
import { ProblemMessage } from '../../../parts/problem-message';
import { Rows } from '../../../parts/rows';
import { may } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { useOpen } from '../../../shell/use-open';
import { SettingsPage } from '../settings-page';
import { LanguageForm } from './language-form';
import { type LanguageAction, LanguageRow } from './language-row';
import { MakeDefault } from './make-default';
import type { RemovedLanguage } from './purge/removed-language';
import { CHOOSE_REMOVED, RemovedLanguages } from './purge/removed-languages';
import { RemoveLanguage } from './remove-language';

interface Open {
  readonly what: LanguageAction;
  readonly locale: Locale;
}

/** The most that a tenant may have. */
const MAX_LANGUAGES = 50;

/** The languages of a tenant's content. */
export default function Languages() {
  const tenant = useTenant();
  const [isAdding, setAdding] = useOpen('new');
  const [, setChoosing] = useOpen(CHOOSE_REMOVED);
  const [open, setOpen] = useState<Open>();
  const [removed, setRemoved] = useState<RemovedLanguage>();
  const close = () => setOpen(undefined);
  const { data, error, isPending, refetch } = useLocales();
  // Those who may change some languages alone change no list of them.
  const mayWrite = may(tenant, 'content:write') && tenant.locales === undefined;
  return (
    <SettingsPage
      title="Languages"
      about="A field of a content type that is translated has a value in each of these languages."
      actions={
        mayWrite &&
        data &&
        data.data.locales.length < MAX_LANGUAGES && (
          <Button look="primary" onClick={() => setAdding(true)}>
            Add language
          </Button>
        )
      }
    >
      {data && mayWrite && (
        <RemovedLanguages locales={data.data} removed={removed} onSettled={() => setRemoved(undefined)} />
      )}
      <ProblemMessage error={error} onRetry={() => void refetch()} />
      {isPending && <Loading />}
      {data && (
        <Rows>
          {data.data.locales.map((locale) => (
            <LanguageRow
              key={locale.code}
              locales={data.data}
              locale={locale}
              mayWrite={mayWrite}
              onOpen={(what) => setOpen({ what, locale })}
            />
          ))}
        </Rows>
      )}
      {data && data.data.locales.length === 1 && (
        <p>
          There is one language, so nothing asks for translations. Add another one, and then mark the fields of your
          content types that are translated.
        </p>
      )}
      {data && mayWrite && (
        <Section
          title="Removed languages"
          about="What was written in a language that is not in the list any more is kept out of sight, and is back when the language is added again."
          actions={<Button onClick={() => setChoosing(true)}>Delete values for good</Button>}
        />
      )}
      {data && mayWrite && isAdding && <LanguageForm stored={data} onClose={() => setAdding(false)} />}
      {data && open?.what === 'edit' && <LanguageForm stored={data} locale={open.locale} onClose={close} />}
      {data && open?.what === 'default' && <MakeDefault stored={data} locale={open.locale} onClose={close} />}
      {data && open?.what === 'remove' && (
        <RemoveLanguage
          stored={data}
          locale={open.locale}
          onRemoved={(entries) => setRemoved({ ...open.locale, entries })}
          onClose={close}
        />
      )}
    </SettingsPage>
  );
}
