import { useMutation } from '@tanstack/react-query';
import { acceptInvitation } from '../../api/invitations';
import { Button } from '../../parts/button';
import { Loading } from '../../parts/loading';
import { ProblemMessage } from '../../parts/problem-message';
import { SignInForm } from '../sign-in/sign-in-form';
import { useBeginSession, useForgetSession, useSessionQuery } from '../../session/session';
import type { AcceptProps } from './new-account';

/** For an address that belongs to somebody: only this person accepts, signed in. */
export function AcceptSignedIn({ token, invitation, onAccepted }: AcceptProps) {
  const { data: session, isPending: isLoading } = useSessionQuery();
  const begin = useBeginSession();
  const forget = useForgetSession();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => acceptInvitation(token),
    onSuccess: onAccepted,
  });
  const { email } = invitation;
  if (isLoading) return <Loading />;
  if (!session) {
    return (
      <>
        <p>
          <strong>{email}</strong> has an account already. Sign in to accept.
        </p>
        <SignInForm email={email} onSignedIn={begin} returnTo={`/invitation#${token}`} />
      </>
    );
  }
  if (session.user?.email.toLowerCase() !== email.toLowerCase()) {
    return (
      <>
        <p>
          The invitation is for <strong>{email}</strong>. You are signed in as{' '}
          {session.user?.email ?? session.key?.name}.
        </p>
        <Button look="primary" isWide onClick={() => void forget()}>
          Sign in as somebody else
        </Button>
      </>
    );
  }
  return (
    <>
      <p>
        You are signed in as <strong>{email}</strong>.
      </p>
      <ProblemMessage error={error} />
      <Button look="primary" isWide isBusy={isPending} onClick={() => mutate()}>
        Accept invitation
      </Button>
    </>
  );
}
