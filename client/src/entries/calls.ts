import type { CallOptions, ConditionalOptions } from '../transport/options.js';
import type { Answer, Send } from '../transport/spec.js';
import { pathOf, type QueryValue } from '../transport/url.js';

/** What a resource takes of the options of a write. The rest is not sent. */
interface Sent {
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  readonly options?: (ConditionalOptions & { readonly locale?: QueryValue }) | undefined;
}

/** Sends requests to a path below one resource. */
export interface Resource {
  /** Sends all options but those of the call itself as parameters. */
  get(path: string, values: object, options?: object): Promise<Answer>;
  write(method: string, path: string, values: object, sent?: Sent): Promise<Answer>;
}

export function resourceAt(send: Send, base: string, names: object): Resource {
  const at = (path: string, values: object) => pathOf(base + path, { ...names, ...values });
  return {
    get: async (path, values, { signal, timeout, ...query }: CallOptions = {}) =>
      send({ method: 'GET', path: at(path, values), query, options: { signal, timeout } }),
    write: async (method, path, values, { query, body, options } = {}) =>
      send({
        method,
        path: at(path, values),
        query: { ...query, locale: options?.locale },
        body,
        headers: { 'If-Match': options?.ifMatch },
        idempotencyKey: options?.idempotencyKey,
        options,
      }),
  };
}

/** Returns `data` of the answer. */
export function dataOf({ body }: Answer): unknown {
  return (body as { data: unknown }).data;
}

/** Returns `data` of the answer, with its ETag. */
export function taggedDataOf(answer: Answer): unknown {
  return { ...(dataOf(answer) as object), etag: answer.etag };
}
