/** The tenant and the API key of a request. Every service call takes it as an explicit argument. */
export interface Caller {
  tenantId: string;
  /** The key's name in its tenant, for logs. */
  keyName: string;
  /** Identifies the key for rate limits. It is not secret. */
  keyId: string;
  scopes: ReadonlySet<string>;
  /** The key cannot read drafts. */
  publishedOnly: boolean;
  /** Requests per minute that the tenant allows for each key; undefined: no limit. */
  rateLimit?: number;
}
