import { builtInRole } from '../../access/built-in-roles.js';
import type { MemberRole } from './members.sql.js';

/** What a role allows, built in or not. */
export interface AllowedRole {
  name: string;
  scopes: readonly string[];
  locales?: readonly string[];
}

export function roleOf({ roleId, roleName, scopes, locales }: Pick<MemberRole, 'roleId' | 'roleName' | 'scopes' | 'locales'>): AllowedRole {
  const builtIn = builtInRole(roleId);
  if (builtIn) return { name: builtIn.name, scopes: builtIn.scopes };
  return { name: roleName ?? '', scopes: scopes ?? [], ...(locales && { locales }) };
}
