import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Route, Router, Switch } from 'wouter';
import { ApiProblem } from './api/problem';
import { CONSOLE } from './base';
import { ErrorBoundary } from './shell/error-boundary';
import { Entered } from './shell/entered';
import { CardPage } from './parts/card-page';
import { Loading } from './parts/loading';
import { Status } from './parts/status';
import { SignInAgain } from './session/sign-in-again';

/** Who has a session does not load the forms that begin one. */
const SignInPage = lazy(async () => ({ default: (await import('./screens/sign-in/sign-in')).SignInPage }));
const ForgotPassword = lazy(() => import('./screens/reset/forgot-password'));
const ResetPassword = lazy(() => import('./screens/reset/reset-password'));
const AcceptInvitation = lazy(() => import('./screens/invitation/accept-invitation'));

const client = new QueryClient({
  defaultOptions: {
    // Offline, a request fails at once and says so, rather than wait unseen.
    queries: { networkMode: 'always', retry: (count, error) => count < 1 && mayPass(error), staleTime: 10_000 },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** Whether the same request may succeed a moment later. */
function mayPass(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 0 || error.status >= 500);
}

export function App() {
  return (
    // The content security policy allows no inline style elements.
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <Router base={CONSOLE}>
          <ErrorBoundary frame={CardPage}>
            <Suspense fallback={<Loading />}>
              <Switch>
                <Route path="/sign-in" component={SignInPage} />
                <Route path="/forgot-password" component={ForgotPassword} />
                <Route path="/reset" component={ResetPassword} />
                <Route path="/invitation" component={AcceptInvitation} />
                <Route component={Entered} />
              </Switch>
            </Suspense>
          </ErrorBoundary>
          <SignInAgain />
          <Status />
        </Router>
      </QueryClientProvider>
    </CSPProvider>
  );
}
