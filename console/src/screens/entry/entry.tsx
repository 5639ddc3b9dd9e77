import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '../../api/problem';
import { Loading } from '../../parts/loading';
import { Page } from '../../parts/page';
import { ProblemMessage } from '../../parts/problem-message';
import { maySome } from '../../session/rights';
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

/** One entry of a content type, or a new one. */
export default function EntryScreen({ slug, id }: EntryScreenProps) {
  const [shown, setShown] = useState({ slug, id, begun: id, opened: 0 });
  if (shown.slug !== slug || shown.id !== id) {
    // An entry that was made on this page goes on where it was begun.
    const goesOn = shown.slug === slug && isSamePage();
    setShown({ slug, id, begun: goesOn ? shown.begun : id, opened: shown.opened + (goesOn ? 0 : 1) });
  }
  return <OneEntry key={shown.opened} slug={slug} id={shown.begun} />;
}

function OneEntry({ slug, id }: EntryScreenProps) {
  const type = useType(slug);
  const loaded = useLoadedEntry(slug, id);
  const error = type.error ?? loaded.error;
  if (error instanceof ApiProblem && error.status === 404) return <NotFound />;
  const isThere = type.data && (id === 'new' || loaded.data);
  if (isThere) return <EntryPage type={type.data} loaded={loaded.data} />;
  return (
    <Page title="Entry">
      <ProblemMessage error={error} onRetry={() => void Promise.all([type.refetch(), loaded.refetch()])} />
      {!error && <Loading />}
    </Page>
  );
}

/** The editor goes on from what is loaded, and is not given anything later. */
function useLoadedEntry(slug: string, id: string) {
  const tenant = useTenant();
  const seesDrafts = maySome(tenant, 'content:read');
  return useQuery({
    queryKey: [tenant.id, 'entry', slug, id],
    queryFn: ({ signal }) => loadEntry({ tenantId: tenant.id, type: slug, id }, seesDrafts, signal),
    enabled: id !== 'new',
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
}
