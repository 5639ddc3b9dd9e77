import { readsAllContent } from '../config/scopes.js';
import type { ApiKeyConfig, TenantConfig } from '../config/tenants-config.js';
import type { Caller } from '../http/caller.js';
import { formatId } from '../ids/type-id.js';
import { type Narrowing, narrowingOf } from './narrowing/narrowing.js';

/** What a request may do in a tenant, with an API key or in a session. */
export interface Credential {
  /** Whom the request comes from. */
  readonly caller: Caller;
  /** Which content types it is limited to; undefined for most. */
  readonly narrowing: Narrowing | undefined;
}

/** An API key that requests can use, in memory, or a member. */
export interface UsableKey extends Credential {
  /** UUID of the public ID. */
  readonly id: string;
  /** The fingerprint of the configured key that made it, directly or through other keys. For a configured key, its own. Empty if a person made it. */
  readonly root: string;
  /** Milliseconds since 1970; undefined: it does not expire. */
  readonly expiresAt?: number;
  /** The last minute (since 1970) in which it was used in this process. */
  usedMinute: number;
}

/** What a key or a role allows. */
export interface Rights {
  readonly scopes: readonly string[];
  /** The locales whose values may be changed; undefined: all. */
  readonly locales?: readonly string[];
}

interface KeyParts extends Rights {
  id: string;
  name: string;
  root: string;
  expiresAt?: number;
  allowedOrigins: ReadonlySet<string> | undefined;
}

type LimitedTenant = Pick<TenantConfig, 'id' | 'rateLimit' | 'limits'>;

export function usableKey(
  tenant: LimitedTenant,
  { id, name, scopes, locales, root, expiresAt, allowedOrigins }: KeyParts,
): UsableKey {
  const actor = { id: formatId('key', id), name };
  return { id, ...credentialOf(tenant, actor, { scopes, locales }, allowedOrigins), root, expiresAt, usedMinute: 0 };
}

/** What the actor with these rights may do in the tenant. `actor.id` is public. */
export function credentialOf(
  { id: tenantId, rateLimit, limits }: LimitedTenant,
  actor: { id: string; name: string },
  { scopes, locales }: Rights,
  allowedOrigins?: ReadonlySet<string>,
): Credential {
  const caller: Caller = {
    tenantId,
    name: actor.name,
    actorId: actor.id,
    credentialId: actor.id,
    scopes: new Set(scopes),
    locales: locales && new Set(locales),
    publishedOnly: !readsAllContent(scopes) && !scopes.some((scope) => scope.startsWith('content:read@')),
    share: tenantId,
    allowedOrigins,
    rateLimit,
    tenantRateLimit: limits?.requests_per_minute,
  };
  return { caller, narrowing: narrowingOf(scopes) };
}

/** A configured key, with what identifies it. */
export interface ConfiguredKey extends ApiKeyConfig {
  /** UUID of the public ID. It is made of the name, so that it tells nothing about the key. */
  id: string;
  /** Identifies the key itself: another key of the same name has another one. 32 hexadecimal digits; not public. */
  fingerprint: string;
}
