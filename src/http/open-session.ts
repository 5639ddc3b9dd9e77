/** A session, whatever tenant a request concerns. */
export interface OpenSession {
  /** UUID of the public ID. */
  readonly id: string;
  /** The person who signed in; undefined if the session is that of an API key. */
  readonly personId?: string;
  /** The tenant of the API key that signed in, and its UUID. */
  readonly key?: { readonly tenantId: string; readonly id: string };
  /** The OpenID Connect provider by which the person signed in. */
  readonly provider?: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly lastSeenAt: number;
}
