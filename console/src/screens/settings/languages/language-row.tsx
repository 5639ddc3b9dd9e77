import type { Locale, Locales } from '../../../api/locales';
import { localeName } from '../../../locales/use-locales';
import { Badge } from '../../../parts/badge';
import { Button } from '../../../parts/button';
import { Row } from '../../../parts/rows';

export type LanguageAction = 'edit' | 'default' | 'remove';

interface LanguageRowProps {
  locales: Locales;
  locale: Locale;
  mayWrite: boolean;
  onOpen: (what: LanguageAction) => void;
}

/** One of the languages, and what can be done with it. */
export function LanguageRow({ locales, locale: { code, name, fallback }, mayWrite, onOpen }: LanguageRowProps) {
  const isDefault = code === locales.default;
  return (
    <Row
      title={
        <>
          <bdi>{name}</bdi> {isDefault && <Badge>Default</Badge>}
        </>
      }
      actions={
        mayWrite && (
          <>
            {!isDefault && (
              <Button aria-label={`Make default: ${name}`} onClick={() => onOpen('default')}>
                Make default
              </Button>
            )}
            <Button aria-label={`Edit ${name}`} onClick={() => onOpen('edit')}>
              Edit
            </Button>
            {!isDefault && (
              <Button aria-label={`Remove ${name}`} onClick={() => onOpen('remove')}>
                Remove
              </Button>
            )}
          </>
        )
      }
    >
      <code>{code}</code>
      {!isDefault && (
        <>
          {' · '}
          {fallback === null ? (
            'nothing is shown where a value is missing'
          ) : (
            <>
              falls back to <bdi>{localeName(locales, fallback)}</bdi>
            </>
          )}
        </>
      )}
    </Row>
  );
}
