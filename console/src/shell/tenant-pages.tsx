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
import { WorkPanel } from '../work/work-panel';

const Content = lazy(() => import('../screens/content/content'));
const Entries = lazy(() => import('../screens/content/entries'));
const ApiKeys = lazy(() => import('../screens/settings/api-keys/api-keys'));
const AuditLog = lazy(() => import('../screens/settings/audit/audit-log'));
const Entry = lazy(() => import('../screens/entry/entry'));
const FormPage = lazy(() => import('../screens/forms/form-page'));
const Forms = lazy(() => import('../screens/forms/forms'));
const Languages = lazy(() => import('../screens/settings/languages/languages'));
const Me = lazy(() => import('../screens/me/me'));
const Media = lazy(() => import('../screens/media/media'));
const Members = lazy(() => import('../screens/settings/members'));
const Roles = lazy(() => import('../screens/settings/roles'));
const Overview = lazy(() => import('../screens/overview/overview'));
const NewType = lazy(() => import('../screens/types/new-type'));
const TypePage = lazy(() => import('../screens/types/type-page'));
const Usage = lazy(() => import('../screens/settings/usage'));
const Webhook = lazy(() => import('../screens/webhooks/webhook'));
const Webhooks = lazy(() => import('../screens/webhooks/webhooks'));

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
                {startOf(tenant) === '/' ? <Overview /> : <Redirect to={startOf(tenant)} replace />}
              </Route>
              <Route path="/content">
                <WithRight scope="content:read:published" to="read content">
                  <Content />
                </WithRight>
              </Route>
              <Route path="/content/:type">
                {({ type }) => (
                  <WithRight scope="content:read:published" to="read content">
                    <Entries key={type} slug={type} />
                  </WithRight>
                )}
              </Route>
              <Route path="/content/:type/:entry">
                {({ type, entry }) => (
                  <WithRight scope="content:read:published" to="read content">
                    <Entry slug={type} id={entry} />
                  </WithRight>
                )}
              </Route>
              <Route path="/me" component={Me} />
              <Route path="/media">
                <WithRight scope="media:read" to="see files">
                  <Media />
                </WithRight>
              </Route>
              <Route path="/forms">
                <WithRight scope="forms:read" to="read forms">
                  <Forms />
                </WithRight>
              </Route>
              <Route path="/forms/:slug">
                {({ slug }) => (
                  <WithRight scope="forms:read" to="read forms">
                    <FormPage key={slug} slug={slug} />
                  </WithRight>
                )}
              </Route>
              <Route path="/webhooks">
                <WithRight scope="webhooks:read" to="see webhooks">
                  <Webhooks />
                </WithRight>
              </Route>
              <Route path="/webhooks/:id">
                {({ id }) => (
                  <WithRight scope="webhooks:read" to="see webhooks">
                    <Webhook key={id} id={id} />
                  </WithRight>
                )}
              </Route>
              <Route path="/types/new">
                <WithRight scope="content:write" to="make content types" isForAll>
                  <NewType />
                </WithRight>
              </Route>
              <Route path="/types/:slug">
                {({ slug }) => (
                  <WithRight scope="content:write" to="change content types">
                    <TypePage key={slug} slug={slug} />
                  </WithRight>
                )}
              </Route>
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
              <Route path="/settings/keys">
                <WithRight scope="keys:read" to="see API keys">
                  <ApiKeys />
                </WithRight>
              </Route>
              <Route path="/settings/languages">
                <WithRight scope="content:read:published" to="read content">
                  <Languages />
                </WithRight>
              </Route>
              <Route path="/settings/usage">
                <Usage />
              </Route>
              <Route path="/settings/audit">
                <WithRight scope="audit:read" to="read the audit log">
                  <AuditLog />
                </WithRight>
              </Route>
              <Route component={NotFound} />
            </Switch>
          </Suspense>
        </ErrorBoundary>
        <WorkPanel />
      </Shell>
    </TenantContext>
  );
}
