import { useQuery } from '@tanstack/react-query';
import { getMe } from '../../api/me';
import type { EnteredTenant } from '../../api/sessions';
import { Checkbox } from '../../parts/fields/checkbox';
import { ProblemMessage } from '../../parts/problem-message';
import { say } from '../../parts/status';
import { ME_KEY, useMyChanges } from '../../session/my-changes';

/** About what the person receives emails in this tenant. */
export function Notices({ tenant }: { tenant: EnteredTenant }) {
  const me = useQuery({ queryKey: ME_KEY, queryFn: ({ signal }) => getMe(signal) });
  const { mutate, error, isPending, variables } = useMyChanges({
    onSuccess: () => say('Your choice was saved.'),
  });
  const stored = me.data?.tenants.find(({ id }) => id === tenant.id);
  const wanted = isPending ? variables.notify_reviews?.[tenant.id] : stored?.notify_reviews;
  return (
    <>
      <Checkbox
        label="Email me about reviews"
        help={`When somebody asks for a review in ${tenant.name}.`}
        checked={wanted ?? false}
        disabled={!stored}
        onChange={({ target }) => mutate({ notify_reviews: { [tenant.id]: target.checked } })}
      />
      <ProblemMessage error={error} />
      <ProblemMessage error={me.error} onRetry={() => void me.refetch()} />
    </>
  );
}
