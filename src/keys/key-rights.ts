import { builtInRole } from '../access/built-in-roles.js';
import { commonLocales } from '../access/locale-rights.js';
import type { Rights } from '../access/usable-key.js';
import { commonScopes } from '../config/scopes.js';
import type { KeyRights } from './keys.sql.js';

/** What a key may do: at most what the role of the person who made it allows now. */
export function rightsNow({ scopes, locales, memberId, roleId, roleScopes, roleLocales }: KeyRights): Rights {
  if (memberId === null) return { scopes, locales: locales ?? undefined };
  const allowed = roleId === null ? [] : (builtInRole(roleId)?.scopes ?? roleScopes ?? []);
  return { scopes: commonScopes(scopes, allowed), locales: commonLocales(locales, roleLocales) };
}
