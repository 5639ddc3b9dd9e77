type Headers = Readonly<Record<string, string>>;

/** Where the service is, and how its answers are waited for. Times are in milliseconds. */
export interface TransportOptions {
  /** Where the service is, such as `https://cms.example`. In a page it may be relative: `''` is the page's own origin. */
  readonly url: string;
  /** The ID of the tenant. */
  readonly tenant: string;
  /** An API key. Without one, only what is public can be read, and forms can be submitted. */
  readonly key?: string | undefined;
  /** Sends requests instead of the global `fetch`, for example with cookies. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Further headers of every request, or what returns those of the next one. */
  readonly headers?: Headers | (() => Headers | Promise<Headers>) | undefined;
  /** How often a request that failed is sent again. 2 by default. */
  readonly maxRetries?: number | undefined;
  /** A request is not sent again if the service asks to wait for longer than this. 10,000 by default. */
  readonly maxRetryWait?: number | undefined;
  /** How long an attempt may take, with its whole answer. 30,000 by default; 0 for no limit. */
  readonly timeout?: number | undefined;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, also while it waits to send the request again. It then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** How long an attempt may take, in milliseconds, instead of what the client was created with. */
  readonly timeout?: number | undefined;
}

/** What a call that changes something takes. */
export interface WriteOptions extends CallOptions {
  /** Makes it safe to send the request again. The client makes a key for each call; with `false` it sends none and tries once. */
  readonly idempotencyKey?: string | false | undefined;
}

/** What a call takes that changes something with an ETag. */
export interface ConditionalOptions extends WriteOptions {
  /** The `etag` of what was read: the call fails with the status 412 if it has changed since. */
  readonly ifMatch?: string | undefined;
}
