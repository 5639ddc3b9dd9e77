import { useQuery } from '@tanstack/react-query';
import { ApiProblem } from '../../api/problem';
import { readType } from '../../api/type-changes';
import { Loading } from '../../parts/loading';
import { Page } from '../../parts/page';
import { ProblemMessage } from '../../parts/problem-message';
import { mayFor } from '../../session/rights';
import { NotFound } from '../../shell/not-found';
import { useTenant } from '../../shell/tenant';
import { WhoMayGive } from '../../shell/who-may-give';
import { typesKey } from '../content/keys';
import { TypeEditor } from './type-editor';

/** A content type to be changed. It is read once: nothing replaces what is being edited but the person's own wish. */
export default function TypePage({ slug }: { slug: string }) {
  const tenant = useTenant();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...typesKey(tenant.id), slug, 'edited'],
    queryFn: ({ signal }) => readType(tenant.id, slug, signal),
    staleTime: Infinity,
    gcTime: 0,
  });
  if (error instanceof ApiProblem && error.status === 404) return <NotFound />;
  if (!data) {
    return (
      <Page title="Content type">
        <ProblemMessage error={error} onRetry={() => void refetch()} />
        {isPending && <Loading />}
      </Page>
    );
  }
  if (!mayFor(tenant, 'content:write', data.type)) {
    return (
      <Page title="You may not change this content type">
        <p>
          It would need <code>content:write</code> for {data.type.name}.
        </p>
        <WhoMayGive />
      </Page>
    );
  }
  return <TypeEditor key={data.tag} type={data.type} tag={data.tag} onReload={() => void refetch()} />;
}
