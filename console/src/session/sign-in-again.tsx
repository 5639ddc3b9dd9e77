import { lazy, Suspense, useEffect } from 'react';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Loading } from '../parts/loading';
import { currentSession } from '../api/sessions';
import { leave, useBeginSession, useSessionQuery } from './session';
import { useSessionEnded } from './session-end';

const SignInForm = lazy(async () => ({ default: (await import('../screens/sign-in/sign-in-form')).SignInForm }));

/** Signs in over the page when the session has ended. What the page holds stays, and what waits is sent afterwards. */
export function SignInAgain() {
  const hasEnded = useSessionEnded();
  const { data: session } = useSessionQuery();
  const begin = useBeginSession();
  useEffect(() => {
    if (!hasEnded) return undefined;
    // Perhaps somebody signed in in another tab meanwhile.
    const look = () => void currentSession().then(begin, () => undefined);
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  });
  return (
    <Dialog title="Your session has ended" isOpen={hasEnded}>
      <p>Sign in again to go on. Nothing on this page is lost.</p>
      {hasEnded && (
        <Suspense fallback={<Loading />}>
          <SignInForm onSignedIn={begin} email={session?.user?.email} isKey={session?.key !== undefined} />
        </Suspense>
      )}
      <Button look="quiet" isWide onClick={leave}>
        Leave the page
      </Button>
    </Dialog>
  );
}
