import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { ContentType } from '../../api/content-types';
import type { Locales } from '../../api/locales';
import { ApiProblem } from '../../api/problem';
import type { EnteredTenant } from '../../api/sessions';
import { isLocalized, useLocales } from '../../locales/use-locales';
import { Loading } from '../../parts/loading';
import { Page } from '../../parts/page';
import { ProblemMessage } from '../../parts/problem-message';
import { mayFor, maySome } from '../../session/rights';
import { isSamePage } from '../../shell/same-page';
import { NotFound } from '../../shell/not-found';
import { useTenant } from '../../shell/tenant';
import { useType } from '../content/use-entries';
import { EntryPage } from './entry-page';
import { loadEntry } from './model/load-entry';

interface EntryScreenProps {
  slug: string;
  /** The ID of the entry; `new` for one that is not there yet. */
  id: string;
}

/** What several languages need is loaded for entries that have them. */
const InLanguages = lazy(() => import('./language/in-languages'));

/** One entry of a content type, or a new one, in the language of the address. */
export default function EntryScreen({ slug, id }: EntryScreenProps) {
  const [query] = useSearchParams();
  const locale = query.get('locale') ?? undefined;
  const [shown, setShown] = useState({ slug, id, locale, begun: id, opened: 0 });
  if (shown.slug !== slug || shown.id !== id || shown.locale !== locale) {
    // An entry that was made on this page goes on where it was begun.
    const goesOn = shown.slug === slug && shown.locale === locale && isSamePage();
    const [begun, opened] = goesOn ? [shown.begun, shown.opened] : [id, shown.opened + 1];
    setShown({ slug, id, locale, begun, opened });
  }
  return <OneEntry key={shown.opened} slug={slug} id={id} begun={shown.begun} locale={locale} />;
}

interface OneEntryProps extends EntryScreenProps {
  /** What it was when the page was opened. */
  begun: string;
  locale: string | undefined;
}

function OneEntry({ slug, id, begun, locale }: OneEntryProps) {
  const tenant = useTenant();
  const type = useType(slug);
  const loaded = useLoadedEntry(slug, begun, locale);
  const needsLocales = type.data !== undefined && (isLocalized(type.data) || tenant.locales !== undefined);
  const locales = useLocales(needsLocales);
  const error = type.error ?? loaded.error ?? locales.error;
  const isElsewhere = useOwnLanguage(locale, locales.data?.data);
  if (error instanceof ApiProblem && error.status === 404) return <NotFound />;
  const isThere = type.data && (begun === 'new' || loaded.data) && (!needsLocales || locales.data) && !isElsewhere;
  if (!type.data || !isThere) {
    return (
      <Page title="Entry">
        <ProblemMessage
          error={error}
          onRetry={() => void Promise.all([type.refetch(), loaded.refetch(), needsLocales && locales.refetch()])}
        />
        {!error && <Loading />}
      </Page>
    );
  }
  const page = { type: type.data, loaded: loaded.data };
  const all = locales.data?.data;
  const isReadOnly = !mayFor(tenant, 'content:draft', type.data) || !mayChange(tenant, locale, all);
  if (!all || all.locales.length === 1 || !isLocalized(type.data))
    return <EntryPage {...page} isReadOnly={isReadOnly} />;
  return (
    <Suspense fallback={<Loading />}>
      <InLanguages type={type.data} id={id} code={locale ?? all.default} locales={all}>
        <EntryPage {...page} type={requiredIn(type.data, all, locale)} isReadOnly={isReadOnly} />
      </InLanguages>
    </Suspense>
  );
}

/** Leads those who may change some languages alone to the first of them. Returns whether it does. */
function useOwnLanguage(locale: string | undefined, all: Locales | undefined): boolean {
  const { locales: own } = useTenant();
  const [, setQuery] = useSearchParams();
  const isElsewhere = locale === undefined && all !== undefined && own !== undefined && !own.includes(all.default);
  const first = isElsewhere ? all.locales.find(({ code }) => own.includes(code))?.code : undefined;
  useEffect(() => {
    if (first !== undefined) setQuery({ locale: first }, { replace: true });
  }, [first, setQuery]);
  return first !== undefined;
}

/** Whether the values of the language may be changed. */
function mayChange({ locales: own }: EnteredTenant, locale: string | undefined, all: Locales | undefined): boolean {
  return own === undefined || all === undefined || own.includes(locale ?? all.default);
}

/** The type as it is in a language: what is required there. */
function requiredIn(type: ContentType, all: Locales, locale: string | undefined): ContentType {
  if (locale === undefined || locale === all.default) return type;
  const fields = type.fields.map((field) =>
    field.localized ? { ...field, required: field.required_in?.includes(locale) === true } : field,
  );
  return { ...type, fields };
}

/** The editor goes on from what is loaded, and is not given anything later. */
function useLoadedEntry(slug: string, id: string, locale: string | undefined) {
  const tenant = useTenant();
  const seesDrafts = maySome(tenant, 'content:read');
  return useQuery({
    queryKey: [tenant.id, 'entry', slug, id, locale],
    queryFn: ({ signal }) => loadEntry({ tenantId: tenant.id, type: slug, id, locale }, seesDrafts, signal),
    enabled: id !== 'new',
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
}
