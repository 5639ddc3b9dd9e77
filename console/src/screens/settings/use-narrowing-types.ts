import { useQuery } from '@tanstack/react-query';
import { listTypes } from '../../api/content-types';
import { maySome } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { typesKey } from '../content/keys';

/** The content types that rights may be limited to: those that the session sees. */
export function useNarrowingTypes() {
  const tenant = useTenant();
  const { data: types = [] } = useQuery({
    queryKey: typesKey(tenant.id),
    queryFn: ({ signal }) => listTypes(tenant.id, signal),
    enabled: maySome(tenant, 'content:read') || maySome(tenant, 'content:read:published'),
  });
  const nameOf = (type: string) => types.find(({ id, slug }) => id === type || slug === type)?.name ?? type;
  return { types, nameOf };
}
