import { readsAllContent } from '../config/scopes.js';
import type { ApiKeyConfig, TenantConfig } from '../config/tenants-config.js';
import type { Caller } from '../http/caller.js';
import { formatId } from '../ids/type-id.js';
import { type Narrowing, narrowingOf } from './narrowing.js';

/** An API key that requests can use, in memory. */
export interface UsableKey {
  /** UUID of the public ID. */
  readonly id: string;
  /** Whom a request with the key comes from. */
  readonly caller: Caller;
  /** Which content types the key is limited to; undefined for most keys. */
  readonly narrowing: Narrowing | undefined;
  /** The fingerprint of the configured key that made it, directly or through other keys. For a configured key, its own. */
  readonly root: string;
  /** Milliseconds since 1970; undefined: it does not expire. */
  readonly expiresAt?: number;
  /** The last minute (since 1970) in which it was used in this process. */
  usedMinute: number;
}

interface KeyParts {
  id: string;
  name: string;
  scopes: readonly string[];
  root: string;
  expiresAt?: number;
  allowedOrigins: ReadonlySet<string> | undefined;
}

export function usableKey(
  { id: tenantId, rateLimit, limits }: Pick<TenantConfig, 'id' | 'rateLimit' | 'limits'>,
  { id, name, scopes, root, expiresAt, allowedOrigins }: KeyParts,
): UsableKey {
  const caller: Caller = {
    tenantId,
    keyName: name,
    keyId: formatId('key', id),
    scopes: new Set(scopes),
    publishedOnly: !readsAllContent(scopes) && !scopes.some((scope) => scope.startsWith('content:read@')),
    share: tenantId,
    allowedOrigins,
    rateLimit,
    tenantRateLimit: limits?.requests_per_minute,
  };
  return { id, caller, narrowing: narrowingOf(scopes), root, expiresAt, usedMinute: 0 };
}

/** A configured key, with what identifies it. */
export interface ConfiguredKey extends ApiKeyConfig {
  /** UUID of the public ID. It is made of the name, so that it tells nothing about the key. */
  id: string;
  /** Identifies the key itself: another key of the same name has another one. 32 hexadecimal digits; not public. */
  fingerprint: string;
}
