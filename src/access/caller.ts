/** Who calls: the tenant and the API key of the request. The explicit argument of every service call. */
export interface Caller {
  tenantId: string;
  /** The key's name in its tenant, for logs. */
  keyName: string;
  /** Identifies the key for rate limits; no secret. */
  keyId: string;
  scopes: ReadonlySet<string>;
  /** The key sees no drafts. */
  publishedOnly: boolean;
  /** Requests a minute that the tenant allows for each key; undefined: as many as it likes. */
  rateLimit?: number;
}
