/** A text that no other page has. Unlike `randomUUID`, it can be had without a secure connection. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
