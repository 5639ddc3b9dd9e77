import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { listTypes } from '../../api/content-types';
import { BASE } from '../../base';
import { Button } from '../../parts/button';
import { EmptyState } from '../../parts/empty-state';
import { Loading } from '../../parts/loading';
import { Page } from '../../parts/page';
import { ProblemMessage } from '../../parts/problem-message';
import { TextField } from '../../parts/fields/text-field';
import { may } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { typesKey } from './keys';
import { TypeLinks } from './type-links';

/** Types from which on a search helps. */
const MANY = 12;

/** The content types, each with the number of its entries. */
export default function Content() {
  const tenant = useTenant();
  const [, navigate] = useLocation();
  const [search, setSearch] = useState('');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: typesKey(tenant.id),
    queryFn: ({ signal }) => listTypes(tenant.id, signal),
  });
  const words = search.trim().toLocaleLowerCase();
  const found = data?.filter(({ name, slug }) => name.toLocaleLowerCase().includes(words) || slug.includes(words));
  const create = may(tenant, 'content:write') && (
    <Button look="primary" onClick={() => navigate('/types/new')}>
      New content type
    </Button>
  );
  return (
    <Page
      title="Content"
      about={`What ${tenant.name} publishes, by its type.`}
      actions={data && data.length > 0 && create}
    >
      {data && data.length > MANY && (
        <TextField label="Search" type="search" value={search} onChange={({ target }) => setSearch(target.value)} />
      )}
      <ProblemMessage error={error} onRetry={() => void refetch()} />
      {isPending && <Loading />}
      {data?.length === 0 && (
        <EmptyState title="No content types yet" action={create}>
          A content type says what its entries hold: a title, a text, a picture. Begin with a template here, or make it
          over the API, as <a href={`${BASE}/guides/tutorials/first-site`}>the guide to a first site</a> shows.
        </EmptyState>
      )}
      {found && found.length > 0 && <TypeLinks types={found} />}
      {found?.length === 0 && words !== '' && <p>No name contains “{search.trim()}”.</p>}
    </Page>
  );
}
