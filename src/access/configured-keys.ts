import { createHash } from 'node:crypto';
import type { TenantConfig } from '../config/tenants-config.js';
import type { ConfiguredKey } from './usable-key.js';

/** Returns the keys of the tenant's configuration, in their order. */
export function configuredKeys({ id: tenantId, apiKeys }: TenantConfig): ConfiguredKey[] {
  return apiKeys.map((key) => ({
    ...key,
    id: uuidOf(digest(`trivet key ${tenantId} ${key.name}`)),
    fingerprint: digest(key.hash).toString('hex', 0, 16),
  }));
}

function digest(text: string | Buffer): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Returns a UUID of version 8 (RFC 9562), whose other bits are those of the digest. */
function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex', 0, 16);
  const variant = ((parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
