import { useQuery } from '@tanstack/react-query';
import { signInMethods } from '../../api/sessions';
import { Page, Section } from '../../parts/page';
import { useTenant } from '../../shell/tenant';
import { hasPasskeys } from '../../session/passkeys';
import { useSession } from '../../session/session';
import { LeaveTenant } from './leave-tenant';
import { Name } from './name';
import { Notices } from './notices';
import { Passkeys } from './passkeys';
import { Password } from './password';
import { Sessions } from './sessions';
import { ThemeChoice } from './theme-choice';

/** What belongs to the person, in all tenants. */
export default function MePage() {
  const { user, key } = useSession();
  const tenant = useTenant();
  const { data: methods } = useQuery({ queryKey: ['methods'], queryFn: signInMethods, staleTime: Infinity });
  if (!user) {
    return (
      <Page title="Me" about={`You are signed in with the API key ${key?.name ?? ''} of ${tenant.name}.`}>
        <Section title="Appearance">
          <ThemeChoice />
        </Section>
      </Page>
    );
  }
  return (
    <Page title="Me" about={user.email}>
      <Name key={user.name} name={user.name} />
      <Password email={user.email} />
      {methods?.passkeys && hasPasskeys() && <Passkeys />}
      <Sessions />
      <Section title="Notifications">
        <Notices tenant={tenant} />
      </Section>
      <Section title="Appearance">
        <ThemeChoice />
      </Section>
      {tenant.user_id !== undefined && <LeaveTenant tenant={tenant} userId={tenant.user_id} />}
    </Page>
  );
}
