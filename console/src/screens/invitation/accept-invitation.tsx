import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { getInvitation, type Invitation } from '../../api/invitations';
import type { Session } from '../../api/sessions';
import { Button } from '../../parts/button';
import { CardPage } from '../../parts/card-page';
import { Loading } from '../../parts/loading';
import { ProblemMessage } from '../../parts/problem-message';
import { say } from '../../parts/status';
import { forgetFragment, useToken } from '../../session/fragment';
import { useBeginSession } from '../../session/session';
import { AcceptSignedIn } from './accept-signed-in';
import { NewAccount } from './new-account';

/** `/console/invitation#tvi_…`: becomes a member. */
export default function AcceptInvitation() {
  const token = useToken('invitation');
  if (token !== undefined) return <WithToken key={token} token={token} />;
  return (
    <CardPage title="Open your invitation">
      <p>This address needs the whole link of the email. Open it again, or ask for another invitation.</p>
    </CardPage>
  );
}

function WithToken({ token }: { token: string }) {
  const [, navigate] = useLocation();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => getInvitation(token),
    staleTime: Infinity,
    retry: false,
  });
  if (data) return <Shown token={token} invitation={data} />;
  return (
    <CardPage title="Your invitation">
      {isPending && <Loading />}
      <ProblemMessage error={error} onRetry={() => void refetch()} />
      {error && (
        <Button look="quiet" isWide onClick={() => navigate('/')}>
          Open the console
        </Button>
      )}
    </CardPage>
  );
}

function Shown({ token, invitation }: { token: string; invitation: Invitation }) {
  const begin = useBeginSession();
  const [, navigate] = useLocation();
  const { tenant } = invitation;
  const onAccepted = (session: Session) => {
    forgetFragment();
    begin(session);
    say(`Welcome to ${tenant.name}.`);
    navigate(`/${tenant.id}`, { replace: true });
  };
  const Accept = invitation.sign_in ? AcceptSignedIn : NewAccount;
  return (
    <CardPage title={`Join ${tenant.name}`}>
      <Accept token={token} invitation={invitation} onAccepted={onAccepted} />
    </CardPage>
  );
}
