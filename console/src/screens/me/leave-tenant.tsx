import { useState } from 'react';
import { removeMember } from '../../api/members';
import type { EnteredTenant } from '../../api/sessions';
import { CONSOLE } from '../../base';
import { Button } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { Section } from '../../parts/page';

interface LeaveTenantProps {
  tenant: EnteredTenant;
  userId: string;
}

/** Ends the own membership. */
export function LeaveTenant({ tenant, userId }: LeaveTenantProps) {
  const [isAsking, setAsking] = useState(false);
  const leave = `Leave ${tenant.name}`;
  return (
    <Section title={tenant.name} about={`You are a member with the role ${tenant.role ?? ''}.`}>
      <div>
        <Button onClick={() => setAsking(true)}>{leave}</Button>
      </div>
      {isAsking && (
        <Confirm
          title={`${leave}?`}
          action={leave}
          onConfirm={() => removeMember(tenant.id, userId)}
          // Nothing of the tenant stays in the page.
          onDone={() => window.location.replace(CONSOLE)}
          onClose={() => setAsking(false)}
        >
          You cannot enter {tenant.name} any more, and the API keys that you made for it stop working. What you wrote
          stays. If this is your last tenant, your account is deleted.
        </Confirm>
      )}
    </Section>
  );
}
