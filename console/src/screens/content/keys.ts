/** Where the content types of a tenant are kept in memory. */
export function typesKey(tenantId: string): string[] {
  return [tenantId, 'types'];
}

/** Everything about the entries of a type. */
export function entriesKey(tenantId: string, slug: string): string[] {
  return [tenantId, 'entries', slug];
}
