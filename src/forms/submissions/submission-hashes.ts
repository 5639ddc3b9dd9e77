import { createHash } from 'node:crypto';
import type { Schema } from '../../fields/schema.js';

/**
 * Returns a hash of each address in the `email` fields, as a UUID; null if there is none. The case of an address does not matter. The tenant
 * is a part of it, so that equal addresses of different tenants cannot be found by their hashes.
 */
export function addressHashes(
  tenantId: string,
  { fields }: Schema,
  values: Readonly<Record<string, string>>,
): string[] | null {
  const addresses = fields.flatMap(({ name, definition }) => {
    const value = definition.type === 'email' ? values[name] : undefined;
    return value === undefined ? [] : hashOfAddress(tenantId, value);
  });
  return addresses.length > 0 ? [...new Set(addresses)] : null;
}

export function hashOfAddress(tenantId: string, address: string): string {
  return uuidOf([tenantId, address.trim().toLowerCase()]);
}

/** Returns a hash of all values of a submission, whatever their order, as a UUID. */
export function digestOf(formId: string, values: Readonly<Record<string, string>>): string {
  return uuidOf([formId, Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function uuidOf(value: unknown): string {
  const hex = createHash('sha256').update(JSON.stringify(value)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
