/** Who makes a change, as the history of an entry and the audit log show it. */
export interface Author {
  /** The key's name in its tenant, or `schedule`; undefined without a key. */
  keyName?: string;
  /** The public ID of the key (`key_…`). */
  keyId?: string;
  /** The ID of the request, if it may change something. A change without one is not made over the API, and is not in the audit log. */
  requestId?: string;
  /** The address of the client, if the audit log shows addresses (`AUDIT_IP`). */
  ip?: string | null;
}

/** The tenant and the API key of a request, or a request without a key. Every service call takes it as an explicit argument. */
export interface Caller extends Author {
  tenantId: string;
  /** The public ID of the key (`key_…`), also for rate limits; empty without a key. */
  keyId: string;
  scopes: ReadonlySet<string>;
  /** The key cannot read drafts. */
  publishedOnly: boolean;
  /** The content types (UUIDs) that this request may concern; undefined: all. */
  types?: ReadonlySet<string>;
  /** The content types (UUIDs) that the key is limited to and whose entries it may read; undefined for keys that are not limited. */
  readTypes?: ReadonlySet<string>;
  /** The content types (UUIDs) that the key is limited to and whose live entries it may change; undefined for keys that are not limited. */
  writeTypes?: ReadonlySet<string>;
  /** The content types (UUIDs) of which the key sees anything; undefined: all. */
  visibleTypes?: ReadonlySet<string>;
  /** Whose share of the capacity the request uses: the tenant's ID, or its `publicKey` without an API key. */
  share: string;
  /** Origins whose pages may use the key, any if it contains `*`; undefined: those of the tenant. */
  allowedOrigins?: ReadonlySet<string>;
  /** Set if the request has no API key, so that it may read only what is public. Throws the 401 for everything else. */
  requireKey?: () => Promise<never>;
  /** Requests per minute that the tenant allows for each key; undefined: no limit. */
  rateLimit?: number;
  /** Requests per minute that the configuration allows for all keys of the tenant together; undefined: no limit. */
  tenantRateLimit?: number;
}
