import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { listForms } from '../../api/forms';
import { Button } from '../../parts/button';
import { EmptyState } from '../../parts/empty-state';
import { Loading } from '../../parts/loading';
import { countInWords } from '../../parts/numbers';
import { Page } from '../../parts/page';
import { ProblemMessage } from '../../parts/problem-message';
import { Table } from '../../parts/table';
import { may } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { useOpen } from '../../shell/use-open';
import { formsKey } from './keys';
import { NewForm } from './new-form';

export default function Forms() {
  const tenant = useTenant();
  const [isCreating, setCreating] = useOpen('new');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: formsKey(tenant.id),
    queryFn: ({ signal }) => listForms(tenant.id, signal),
  });
  const create = may(tenant, 'forms:write') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      New form
    </Button>
  );
  return (
    <Page
      title="Forms"
      about="Visitors of a website fill them in. What they send is in the inbox of the form."
      actions={data && data.length > 0 && create}
    >
      <ProblemMessage error={error} onRetry={() => void refetch()} />
      {isPending && <Loading />}
      {data?.length === 0 && (
        <EmptyState title="There is no form yet" action={create}>
          Make one for contact, questions or registrations. It has a page of its own, and can be put into any website.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <Table name="Forms" columns={['Name', 'Submissions']}>
          {data.map(({ id, name, slug, submission_count: count }) => (
            <tr key={id}>
              <th scope="row">
                <Link href={`/forms/${slug}`} dir="auto">
                  {name}
                </Link>
              </th>
              <td>{countInWords(count)}</td>
            </tr>
          ))}
        </Table>
      )}
      {isCreating && create && <NewForm onClose={() => setCreating(false)} />}
    </Page>
  );
}
