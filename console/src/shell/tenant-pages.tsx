import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import type { EnteredTenant } from '../api/sessions';
import { Loading } from '../parts/loading';
import { Page } from '../parts/page';
import { ErrorBoundary } from './error-boundary';
import { NotFound } from './not-found';
import { WithRight } from './with-right';
import { settingsFor, startOf } from './sections';
import { Shell } from './shell';
import { TenantContext } from './tenant';

const Me = lazy(() => import('../screens/me/me'));
const Members = lazy(() => import('../screens/settings/members'));
const Roles = lazy(() => import('../screens/settings/roles'));

/** The addresses below `/console/{tenant}`. */
export default function TenantPages({ tenant }: { tenant: EnteredTenant }) {
  const [location] = useLocation();
  return (
    <TenantContext value={tenant}>
      <Shell>
        <ErrorBoundary frame={Page} at={location}>
          <Suspense fallback={<Loading />}>
            <Switch>
              <Route path="/">
                <Redirect to={startOf(tenant)} replace />
              </Route>
              <Route path="/me" component={Me} />
              <Route path="/settings">
                <Redirect to={settingsFor(tenant)[0]?.path ?? '/settings/members'} replace />
              </Route>
              <Route path="/settings/members">
                <WithRight scope="users:read" to="see members">
                  <Members />
                </WithRight>
              </Route>
              <Route path="/settings/roles">
                <WithRight scope="users:read" to="see roles">
                  <Roles />
                </WithRight>
              </Route>
              <Route component={NotFound} />
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </Shell>
    </TenantContext>
  );
}
