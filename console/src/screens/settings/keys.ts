/** Where the members of a tenant are kept in memory. */
export function membersKey(tenantId: string): string[] {
  return [tenantId, 'members'];
}

export function rolesKey(tenantId: string): string[] {
  return [tenantId, 'roles'];
}

export function keysKey(tenantId: string): string[] {
  return [tenantId, 'keys'];
}
