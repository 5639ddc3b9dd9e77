import { hash } from 'node:crypto';

/** Returns the first half of the SHA-256 of a text in the form of a UUID, which the database stores in 16 bytes. */
export function hashedUuid(text: string): string {
  const hex = hash('sha256', text, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
