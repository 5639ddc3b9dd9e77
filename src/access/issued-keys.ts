import type { UsableKey } from './usable-key.js';

/** Called with the public ID of a key that was used in this process and is no longer valid. */
export type EndListener = (credentialId: string) => void;

/** The keys that were made over the API. The module `keys` provides it. */
export abstract class IssuedKeys {
  /**
   * Returns the key with this hash (SHA-256, base64); undefined if this process does not know it. Throws a 503 if it has not been known for
   * ten seconds whether the key is still valid.
   */
  abstract find(hash: string): UsableKey | undefined;

  /** Same as `find`, for a key that this process may not have heard of yet. Throws a 503 if the database cannot be asked. */
  abstract findNew(hash: string): Promise<UsableKey | undefined>;

  /** Returns the key with this UUID, also one that this process has not heard of yet; undefined if it is not valid. Throws as `findNew`. */
  abstract findById(tenantId: string, id: string): Promise<UsableKey | undefined>;

  /** Notes that a request used the key, for `last_used_at`. */
  abstract noteUse(key: UsableKey): void;

  /** Calls `listener` within a second after a key was revoked or has expired, for what outlives a request. */
  abstract onEnded(listener: EndListener): void;
}
