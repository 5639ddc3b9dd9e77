import { BUILT_IN_ROLES, type BuiltInRole } from '../../access/built-in-roles.js';
import { formatId, parseId } from '../../ids/type-id.js';
import type { Executor } from '../../database/transaction.js';
import { roleNameKey } from './role-name.js';
import type { RoleDto } from './roles.dto.js';
import { FIND_ROLE, FIND_ROLE_BY_NAME, type RoleRow } from './roles.sql.js';

/** A role that members of a tenant may have: built in, or one of the tenant's own. */
export interface TenantRole {
  /** UUID of the public ID. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly locales?: readonly string[];
  readonly isBuiltIn: boolean;
}

export const BUILT_IN: readonly TenantRole[] = BUILT_IN_ROLES.map(builtIn);

function builtIn(role: BuiltInRole): TenantRole {
  return { ...role, isBuiltIn: true };
}

export function ownRole({ id, name, scopes, locales }: RoleRow): TenantRole {
  return { id, name, scopes, ...(locales && { locales }), isBuiltIn: false };
}

/** Returns the built-in role with this name, in any spelling. */
export function builtInNamed(name: string): TenantRole | undefined {
  const key = roleNameKey(name);
  return BUILT_IN.find((role) => role.name === key);
}

/** Returns the role with this UUID. */
export async function findRole(executor: Executor, tenantId: string, id: string): Promise<TenantRole | undefined> {
  const known = BUILT_IN.find((role) => role.id === id);
  if (known) return known;
  const [row] = await executor.query(tenantId, FIND_ROLE, { id });
  return row && ownRole(row);
}

/** Returns the role that a person names by its ID or its name. */
export async function roleNamed(executor: Executor, tenantId: string, text: string): Promise<TenantRole | undefined> {
  const id = parseId('rol', text);
  if (id !== undefined) return findRole(executor, tenantId, id);
  const known = builtInNamed(text);
  if (known) return known;
  const [row] = await executor.query(tenantId, FIND_ROLE_BY_NAME, { nameKey: roleNameKey(text) });
  return row && ownRole(row);
}

export function presentRole({ id, name, scopes, locales, isBuiltIn }: TenantRole): RoleDto {
  return {
    id: formatId('rol', id),
    name,
    scopes: [...scopes],
    ...(locales && { locales: [...locales] }),
    built_in: isBuiltIn,
  };
}
