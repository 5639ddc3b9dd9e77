import { createContext, useContext } from 'react';
import type { EnteredTenant } from '../api/sessions';

export const TenantContext = createContext<EnteredTenant | undefined>(undefined);

/** The tenant of the address. */
export function useTenant(): EnteredTenant {
  const tenant = useContext(TenantContext);
  if (!tenant) throw new Error('There is no tenant here.');
  return tenant;
}
