import { lazy, useEffect } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { CONSOLE } from '../base';
import { Button } from '../parts/button';
import { CardPage } from '../parts/card-page';
import { Loading } from '../parts/loading';
import { ProblemMessage } from '../parts/problem-message';
import { signOutAndLeave, useSessionQuery } from '../session/session';
import type { EnteredTenant } from '../api/sessions';

const loadPages = () => import('./tenant-pages');
const TenantPages = lazy(loadPages);
const SignInHere = lazy(async () => ({ default: (await import('../screens/sign-in/sign-in')).SignInHere }));

/** Everything that needs a session. Without one, signing in happens at the same address. */
export function Entered() {
  const { data: session, error, isPending, refetch } = useSessionQuery();
  // While the session is asked for, which most people who come here have.
  useEffect(() => void loadPages().catch(() => undefined), []);
  if (isPending) return <Loading />;
  if (error) {
    return (
      <CardPage title="The console cannot start">
        <ProblemMessage error={error} onRetry={() => void refetch()} />
      </CardPage>
    );
  }
  if (!session) return <SignInHere />;
  const [first] = session.tenants;
  if (!first) return <NoTenant />;
  return (
    <Switch>
      <Route path="/">
        <Redirect to={`/${first.id}`} replace />
      </Route>
      <Route path="/:tenant" nest>
        {({ tenant }) => <OneTenant tenants={session.tenants} id={tenant} first={first} />}
      </Route>
    </Switch>
  );
}

interface OneTenantProps {
  tenants: readonly EnteredTenant[];
  id: string;
  first: EnteredTenant;
}

function OneTenant({ tenants, id, first }: OneTenantProps) {
  const [, navigate] = useLocation();
  const tenant = tenants.find((each) => each.id === id);
  // With the key, nothing of one tenant's pages is carried over to another's.
  if (tenant) return <TenantPages key={id} tenant={tenant} />;
  return (
    <CardPage title="You cannot enter this tenant">
      <p>
        This session does not belong to <code>{id}</code>. An owner of it may invite you.
      </p>
      <Button isWide look="primary" onClick={() => navigate(`~${CONSOLE}/${first.id}`)}>
        Open {first.name}
      </Button>
      <Button isWide look="quiet" onClick={() => void signOutAndLeave()}>
        Sign in as somebody else
      </Button>
    </CardPage>
  );
}

function NoTenant() {
  return (
    <CardPage title="You are a member of no tenant">
      <p>An owner of a tenant may invite you.</p>
      <Button isWide onClick={() => void signOutAndLeave()}>
        Sign in as somebody else
      </Button>
    </CardPage>
  );
}
