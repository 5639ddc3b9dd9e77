import type { CallOptions } from './options.js';
import type { QueryValue } from './url.js';

/** A body that fetch takes, or a value that is sent as JSON. */
export type Body = unknown;

/** A request before it is sent. */
export interface RequestSpec {
  readonly method: string;
  /** The path below the URL of the service, with its segments encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly body?: Body;
  /** The type of a body that is not JSON and has no type of its own. */
  readonly type?: string | undefined;
  /** `false` if the API refuses one. */
  readonly idempotencyKey?: string | false | undefined;
  /** The answer is handed over without being read: a file or a stream (`body`), or a redirect. */
  readonly raw?: 'body' | 'redirect' | undefined;
  /** Without the key of the client. */
  readonly anonymous?: boolean | undefined;
  readonly options?: CallOptions | undefined;
}

/** The body of an answer, with the ETag that came with it. */
export interface Answer {
  readonly body: unknown;
  readonly etag: string | undefined;
}

export type Send = (spec: RequestSpec) => Promise<Answer>;
