import { useQuery } from '@tanstack/react-query';
import { getUsage } from '../../api/usage';
import { maySeeUsage } from '../../session/rights';
import { useTenant } from '../../shell/tenant';

/** What the tenant has, for those who may see it. */
export function useUsage() {
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant.id, 'usage'],
    queryFn: ({ signal }) => getUsage(tenant.id, signal),
    enabled: maySeeUsage(tenant),
    // Whoever comes back has changed something meanwhile.
    refetchOnMount: 'always',
  });
}
