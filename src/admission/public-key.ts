const PUBLIC = 'public/';

/** Returns the key for requests to a tenant's public routes. They have their own share, so they cannot use up that of its API keys. */
export function publicKey(tenantId: string): string {
  return PUBLIC + tenantId;
}

export function isPublicKey(key: string): boolean {
  return key.startsWith(PUBLIC);
}
