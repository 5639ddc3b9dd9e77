import { useState } from 'react';
import type { Locale } from '../../../api/locales';
import { localeName, useLocales } from '../../../locales/use-locales';
import { Badge } from '../../../parts/badge';
import { Button } from '../../../parts/button';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import { Row, Rows } from '../../../parts/rows';
import { may } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { useOpen } from '../../../shell/use-open';
import { SettingsPage } from '../settings-page';
import { LanguageForm } from './language-form';
import { MakeDefault } from './make-default';
import { RemoveLanguage } from './remove-language';

interface Open {
  readonly what: 'edit' | 'default' | 'remove';
  readonly locale: Locale;
}

/** The most that a tenant may have. */
const MAX_LANGUAGES = 50;

/** The languages of a tenant's content. */
export default function Languages() {
  const tenant = useTenant();
  const [isAdding, setAdding] = useOpen('new');
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const { data, error, isPending, refetch } = useLocales();
  const mayWrite = may(tenant, 'content:write');
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
      <ProblemMessage error={error} onRetry={() => void refetch()} />
      {isPending && <Loading />}
      {data && (
        <Rows>
          {data.data.locales.map((locale) => (
            <Row
              key={locale.code}
              title={
                <>
                  <bdi>{locale.name}</bdi> {locale.code === data.data.default && <Badge>Default</Badge>}
                </>
              }
              actions={
                mayWrite && (
                  <>
                    {locale.code !== data.data.default && (
                      <Button
                        aria-label={`Make default: ${locale.name}`}
                        onClick={() => setOpen({ what: 'default', locale })}
                      >
                        Make default
                      </Button>
                    )}
                    <Button aria-label={`Edit ${locale.name}`} onClick={() => setOpen({ what: 'edit', locale })}>
                      Edit
                    </Button>
                    {locale.code !== data.data.default && (
                      <Button aria-label={`Remove ${locale.name}`} onClick={() => setOpen({ what: 'remove', locale })}>
                        Remove
                      </Button>
                    )}
                  </>
                )
              }
            >
              <code>{locale.code}</code>
              {locale.code !== data.data.default && (
                <>
                  {' · '}
                  {locale.fallback === null ? (
                    'nothing is shown where a value is missing'
                  ) : (
                    <>
                      falls back to <bdi>{localeName(data.data, locale.fallback)}</bdi>
                    </>
                  )}
                </>
              )}
            </Row>
          ))}
        </Rows>
      )}
      {data && data.data.locales.length === 1 && (
        <p>
          There is one language, so nothing asks for translations. Add another one, and then mark the fields of your
          content types that are translated.
        </p>
      )}
      {data && mayWrite && isAdding && <LanguageForm stored={data} onClose={() => setAdding(false)} />}
      {data && open?.what === 'edit' && <LanguageForm stored={data} locale={open.locale} onClose={close} />}
      {data && open?.what === 'default' && <MakeDefault stored={data} locale={open.locale} onClose={close} />}
      {data && open?.what === 'remove' && <RemoveLanguage stored={data} locale={open.locale} onClose={close} />}
    </SettingsPage>
  );
}
