import { canonicalEmail } from '../../fields/formats/email.js';
import type { Schema } from '../../fields/schema.js';
import { hashedUuid } from '../../ids/hashed-uuid.js';

/**
 * Returns a hash of each address in the `email` fields, as a UUID; null if there is none. Its spelling does not matter. The tenant is
 * a part of it, so that equal addresses of different tenants cannot be found by their hashes.
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
  return hashedUuid(JSON.stringify([tenantId, canonicalEmail(address)]));
}

/**
 * Returns a hash of all values of a submission, whatever their order, as a UUID. In place of the names of files, it is of their contents:
 * `hashes` has the hashes of them by field.
 */
export function digestOf(
  formId: string,
  values: Readonly<Record<string, string>>,
  hashes: ReadonlyMap<string, readonly string[]> = new Map(),
): string {
  const contents = Object.entries(values).map(([name, value]) => [name, hashes.get(name) ?? value] as const);
  return hashedUuid(JSON.stringify([formId, contents.sort(([a], [b]) => (a < b ? -1 : 1))]));
}
