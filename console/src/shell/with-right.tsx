import type { ReactNode } from 'react';
import { Page } from '../parts/page';
import { may, maySome } from '../session/rights';
import { useTenant } from './tenant';
import { WhoMayGive } from './who-may-give';

interface WithRightProps {
  scope: string;
  /** What the right is for: `see members`. */
  to: string;
  /** It concerns the whole tenant: a right for some content types is not enough. */
  isForAll?: boolean;
  children: ReactNode;
}

/** Shows the page to those who may see it. The others learn what is missing, and who may give it. */
export function WithRight({ scope, to, isForAll, children }: WithRightProps) {
  const tenant = useTenant();
  if (isForAll ? may(tenant, scope) : maySome(tenant, scope)) return children;
  const holder = tenant.role === null ? 'Your key' : `Your role, ${tenant.role},`;
  return (
    <Page title="You may not open this page">
      <p>
        {holder} does not allow you to {to} in {tenant.name}. It would need <code>{scope}</code>.
      </p>
      <WhoMayGive />
    </Page>
  );
}
