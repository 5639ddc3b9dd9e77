import { useQuery } from '@tanstack/react-query';
import { Redirect, useLocation, useSearch } from 'wouter';
import { signIn, type Session } from '../../api/sessions';
import { Button } from '../../parts/button';
import { CardPage } from '../../parts/card-page';
import { Loading } from '../../parts/loading';
import { ProblemMessage } from '../../parts/problem-message';
import { useToken } from '../../session/fragment';
import { useBeginSession, useSessionQuery } from '../../session/session';
import { useProviderProblem } from './provider-problem';
import { SignInForm } from './sign-in-form';

/** `/console/sign-in`, also with the token of a sign-in link. */
export function SignInPage() {
  const token = useToken('link');
  const { data: session, isPending } = useSessionQuery();
  if (token !== undefined) return <LinkPage key={token} token={token} />;
  if (session) return <Redirect to="/" replace />;
  // Most people who come here are not signed in.
  return isPending ? <CardPage title="Sign in">{null}</CardPage> : <SignInHere />;
}

/** Signs in at whatever address asked for it. */
export function SignInHere() {
  const begin = useBeginSession();
  const [location] = useLocation();
  const search = useSearch();
  return (
    <CardPage title="Sign in">
      <ProblemMessage error={useProviderProblem()} />
      <SignInForm onSignedIn={begin} returnTo={location === '/sign-in' ? '/' : location + (search && `?${search}`)} />
    </CardPage>
  );
}

function LinkPage({ token }: { token: string }) {
  const begin = useBeginSession();
  const [, navigate] = useLocation();
  const enter = (session: Session) => {
    begin(session);
    navigate('/', { replace: true });
  };
  const { error, isPending } = useQuery({
    queryKey: ['sign-in-link', token],
    queryFn: async () => {
      enter(await signIn({ token }));
      return true;
    },
    staleTime: Infinity,
    retry: false,
  });
  return (
    <CardPage title="Sign in">
      {isPending && <Loading label="Signing in …" />}
      <ProblemMessage error={error} />
      {error && (
        <Button isWide onClick={() => window.location.reload()}>
          Sign in another way
        </Button>
      )}
    </CardPage>
  );
}
