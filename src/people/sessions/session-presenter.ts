import { BUILT_IN_ROLES } from '../../access/built-in-roles.js';
import type { UsableKey } from '../../access/usable-key.js';
import type { TenantConfig } from '../../config/tenants-config.js';
import type { OpenSession } from '../../http/open-session.js';
import { formatId } from '../../ids/type-id.js';
import { roleOf } from '../members/member-role.js';
import type { Membership, MemberRole } from '../members/members.sql.js';
import type { EnteredTenantDto, SessionDto } from './sessions.dto.js';
import { endOfSession } from './session-times.js';

/** Who has a session: a person with the memberships, or a key. */
export type SessionHolder =
  | {
      person: { name: string; email: string; tenants: readonly string[] };
      memberships: readonly { tenant: TenantConfig; member: Membership }[];
    }
  | { key: UsableKey; tenant: TenantConfig };

export function presentSession(session: OpenSession, holder: SessionHolder): SessionDto {
  return {
    id: formatId('ses', session.id),
    ...presentHolder(holder),
    created_at: new Date(session.createdAt).toISOString(),
    expires_at: new Date(endFor(session, holder)).toISOString(),
  };
}

/** The person or key, and the tenants that the session may enter. The ID of a person is that of the first membership. */
export function presentHolder(holder: SessionHolder): Pick<SessionDto, 'user' | 'key' | 'tenants'> {
  if ('key' in holder) {
    const { key, tenant } = holder;
    return {
      key: { id: formatId('key', key.id), name: key.caller.name ?? '' },
      tenants: [presentKeyTenant(tenant, key)],
    };
  }
  const { person, memberships } = holder;
  const tenants = memberships.map(({ tenant, member }) => presentMembership(tenant, member));
  return { user: { id: tenants[0]?.user_id ?? '', name: person.name, email: person.email }, tenants };
}

function presentMembership({ id, name }: TenantConfig, member: MemberRole): EnteredTenantDto {
  const role = roleOf(member);
  return {
    id,
    name,
    role: role.name,
    scopes: [...role.scopes],
    ...(role.locales && { locales: [...role.locales] }),
    user_id: formatId('usr', member.id),
  };
}

/** A key with the scopes of a built-in role may do what its members may. */
function presentKeyTenant({ id, name }: TenantConfig, { caller }: UsableKey): EnteredTenantDto {
  const scopes = [...caller.scopes];
  const role = BUILT_IN_ROLES.find((one) => one.scopes.join(' ') === scopes.join(' '));
  if (caller.locales) return { id, name, role: null, scopes, locales: [...caller.locales] };
  return { id, name, role: role?.name ?? null, scopes };
}

function endFor({ id, lastSeenAt }: OpenSession, holder: SessionHolder): number {
  const end = endOfSession(id, lastSeenAt);
  return 'key' in holder ? Math.min(end, holder.key.expiresAt ?? Infinity) : end;
}
