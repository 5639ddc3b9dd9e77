import { builtInRole } from '../../access/built-in-roles.js';
import type { MemberRole } from './members.sql.js';

/** What a role allows, built in or not. */
interface AllowedRole {
  name: string;
  scopes: readonly string[];
  locales?: readonly string[];
}

export function roleOf({ roleId, roleName, scopes, locales }: Omit<MemberRole, 'id' | 'name'>): AllowedRole {
  const builtIn = builtInRole(roleId);
  if (builtIn) return { name: builtIn.name, scopes: builtIn.scopes };
  return { name: roleName ?? '', scopes: scopes ?? [], ...(locales && { locales }) };
}
