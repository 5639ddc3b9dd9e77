import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'wouter';
import type { ContentType } from '../../api/content-types';
import { countLocales, type LocaleCount } from '../../api/locales';
import { localeName, useLocales } from '../../locales/use-locales';
import { countInWords } from '../../parts/numbers';
import { useTenant } from '../../shell/tenant';
import { entriesKey } from './keys';
import { translationText } from './translation';
import styles from './type-links.module.css';

/** Languages that are named. */
const SHOWN = 3;

/** What is left to translate, by language, each with a link to those entries. */
export function TranslationLine({ type }: { type: ContentType }) {
  const { id } = useTenant();
  const { data: locales } = useLocales();
  const { data: counts = [] } = useQuery({
    queryKey: [...entriesKey(id, type.slug), 'locales'],
    queryFn: ({ signal }) => countLocales(id, type.slug, signal),
    enabled: locales !== undefined && locales.data.locales.length > 1,
  });
  const left = counts.filter(({ missing, behind }) => missing + behind > 0);
  if (!locales || left.length === 0) return null;
  return (
    <span className={styles.translation}>
      {left.slice(0, SHOWN).map((count, index) => (
        <Fragment key={count.code}>
          {index > 0 && ' · '}
          <bdi>{localeName(locales.data, count.code)}</bdi>: <LeftLinks slug={type.slug} count={count} />
        </Fragment>
      ))}
      {left.length > SHOWN && ` · ${countInWords(left.length - SHOWN)} more`}
    </span>
  );
}

function LeftLinks({ slug, count: { code, missing, behind } }: { slug: string; count: LocaleCount }) {
  const numbers = [
    { state: 'missing', number: missing },
    { state: 'behind', number: behind },
  ] as const;
  return numbers
    .filter(({ number }) => number > 0)
    .map(({ state, number }, index) => (
      <Fragment key={state}>
        {index > 0 && ', '}
        <Link href={`/content/${slug}?${new URLSearchParams({ translation: translationText({ state, code }) })}`}>
          {countInWords(number)} {state}
        </Link>
      </Fragment>
    ));
}
