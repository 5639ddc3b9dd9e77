/** Who makes a change, as the history of an entry and the audit log show it. */
export interface Author {
  /** The name of the key in its tenant, or of the person, or `schedule`; undefined without a key. */
  name?: string;
  /** The public ID of the key (`key_…`) or of the member (`usr_…`). */
  actorId?: string;
  /** The ID of the request, if it may change something. A change without one is not made over the API, and is not in the audit log. */
  requestId?: string;
  /** The address of the client, if the audit log shows addresses (`AUDIT_IP`). */
  ip?: string | null;
  /** The program of the service that sent the request for the client; undefined if the client sent it to the API. */
  via?: Via | null;
}

/** A program of the service through which clients change something, as the audit log shows it. */
type Via = 'mcp';

/**
 * The tenant of a request, and what its API key or session allows, or a request without either. Nothing behind the guards asks which it was,
 * except for histories and the audit log, which show the author. Every service call takes it as an explicit argument.
 */
export interface Caller extends Author {
  tenantId: string;
  /** The public ID of the key (`key_…`) or of the member (`usr_…`), by which requests are counted; empty without one. */
  credentialId: string;
  /** The public ID of the session (`ses_…`), if the request has one in the place of a key. */
  sessionId?: string;
  scopes: ReadonlySet<string>;
  /** The locales whose values may be changed; undefined: all. */
  locales?: ReadonlySet<string>;
  /** The key cannot read drafts. */
  publishedOnly: boolean;
  /** The content types (UUIDs) that this request may concern; undefined: all. */
  types?: ReadonlySet<string>;
  /** The content types (UUIDs) that the key is limited to and whose entries it may read; undefined for keys that are not limited. */
  readTypes?: ReadonlySet<string>;
  /** The content types (UUIDs) that the key is limited to and whose live entries it may change; undefined for keys that are not limited. */
  writeTypes?: ReadonlySet<string>;
  /** The request changes only drafts and entries that are not published, whatever its key may do. */
  draftsOnly?: boolean;
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
