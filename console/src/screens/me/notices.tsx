import type { EnteredTenant } from '../../api/sessions';
import { Checkbox } from '../../parts/checkbox';
import { ProblemMessage } from '../../parts/problem-message';
import { say } from '../../parts/status';
import { useMyChanges } from '../../session/my-changes';

/** About what the person receives emails in this tenant. */
export function Notices({ tenant }: { tenant: EnteredTenant }) {
  const { mutate, error, isPending, variables } = useMyChanges({
    onSuccess: () => say('Your choice was saved.'),
  });
  const wanted = isPending ? variables.notify_reviews?.[tenant.id] : tenant.notify_reviews;
  return (
    <>
      <Checkbox
        label="Email me about reviews"
        help={`When somebody asks for a review in ${tenant.name}.`}
        checked={wanted ?? false}
        onChange={({ target }) => mutate({ notify_reviews: { [tenant.id]: target.checked } })}
      />
      <ProblemMessage error={error} />
    </>
  );
}
