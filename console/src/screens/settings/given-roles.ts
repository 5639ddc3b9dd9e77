import type { Role } from '../../api/roles';
import type { EnteredTenant } from '../../api/sessions';
import { covers } from '../../session/rights';

/** The roles that the person may give: nobody gives scopes that they don't have. */
export function rolesToGive(roles: readonly Role[], { scopes, locales }: EnteredTenant): readonly Role[] {
  return roles.filter(
    (role) =>
      role.scopes.every((scope) => covers(scopes, scope)) &&
      (!locales || (role.locales?.every((locale) => locales.includes(locale)) ?? false)),
  );
}
