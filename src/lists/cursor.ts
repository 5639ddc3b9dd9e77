import { createHash } from 'node:crypto';

/** Longer text is no cursor of ours: three sort keys and an id fit well within it. */
const MAX_LENGTH = 8192;

/**
 * An opaque token for the place in a list; `list` (its path, sort and filters) is bound into it. The digest tells a token that was
 * altered; it is no signature, since a client may ask for any place of its own lists.
 */
export function encodeCursor(keys: readonly (string | null)[], list: string): string {
  return Buffer.from(JSON.stringify([digest(list, keys), ...keys])).toString('base64url');
}

/** The keys of a token that `encodeCursor` made for the same list; undefined for anything else. */
export function decodeCursor(token: string, list: string): (string | null)[] | undefined {
  if (token.length > MAX_LENGTH || !/^[A-Za-z0-9_-]+$/.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  // Decoding is lenient: what encodes to another token is none of ours.
  if (bytes.toString('base64url') !== token) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value.length < 2) return undefined;
  const [mark, ...keys] = value as unknown[];
  if (mark !== digest(list, keys)) return undefined;
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
