const PUBLIC = 'public/';

/**
 * Returns the key for requests to a tenant's public routes. They have their own share, so they cannot use up that of its API keys. With the
 * group of a client's address (`addressGroup`), it is a part of that share: what slow clients hold must leave something for others.
 */
export function publicKey(tenantId: string, address?: string): string {
  return address === undefined ? PUBLIC + tenantId : `${PUBLIC}${tenantId}/${address}`;
}

export function isPublicKey(key: string): boolean {
  return key.startsWith(PUBLIC);
}

/** Returns the key of the share that a key with an address is a part of; undefined for other keys. */
export function wholeOf(key: string): string | undefined {
  if (!isPublicKey(key)) return undefined;
  const end = key.indexOf('/', PUBLIC.length);
  return end < 0 ? undefined : key.slice(0, end);
}
