import { createHash } from 'node:crypto';

/** Longer text cannot be a cursor: three sort keys and an ID are much shorter. */
const MAX_LENGTH = 8192;

/**
 * Returns an opaque token for a position in a list. It is bound to `list` (its path, sort and filters). The digest detects an altered
 * token. It is not a signature, because a client may read any position of its own lists.
 */
export function encodeCursor(keys: readonly (string | null)[], list: string): string {
  return Buffer.from(JSON.stringify([digest(list, keys), ...keys])).toString('base64url');
}

/** Returns the keys of a token that `encodeCursor` created for the same list; undefined for any other text. */
export function decodeCursor(token: string, list: string): (string | null)[] | undefined {
  if (token.length > MAX_LENGTH || !/^[A-Za-z0-9_-]+$/.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  // Decoding is lenient. Refuse text that would not be encoded to the same token.
  if (bytes.toString('base64url') !== token) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value.length < 2) return undefined;
  const [storedDigest, ...keys] = value as unknown[];
  if (storedDigest !== digest(list, keys)) return undefined;
  const fits = keys.every(
    (key) => key === null || (typeof key === 'string' && !key.includes('\0') && key.isWellFormed()),
  );
  return fits ? (keys as (string | null)[]) : undefined;
}

function digest(list: string, keys: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([list, keys]))
    .digest('base64url')
    .slice(0, 12);
}
