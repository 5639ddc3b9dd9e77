import { useQuery } from '@tanstack/react-query';
import { listMembers } from '../api/members';
import { may } from '../session/rights';
import { useTenant } from './tenant';

/** Whom to ask for a right: the owners by name, if they may be seen. */
export function WhoMayGive() {
  const tenant = useTenant();
  const { data } = useQuery({
    queryKey: [tenant.id, 'members', 'owners'],
    queryFn: ({ signal }) => listMembers(tenant.id, { role: 'owner', signal }),
    enabled: may(tenant, 'users:read'),
  });
  const names = data?.data.filter(({ state }) => state === 'active').map(({ name, email }) => name || email) ?? [];
  const whom =
    names.length > 0
      ? new Intl.ListFormat('en', { type: 'disjunction' }).format(names.slice(0, 5))
      : `an owner of ${tenant.name}`;
  return <p>Ask {whom} for it.</p>;
}
