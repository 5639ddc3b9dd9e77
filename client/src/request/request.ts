import type { TransportOptions } from '../transport/options.js';
import type { Answer, RequestSpec, Send } from '../transport/spec.js';
import { transportOf } from '../transport/transport.js';
import { pathOf, type QueryValue } from '../transport/url.js';
import { type Route, ROUTES } from './generated/operations.js';
import type { RequestOperation } from './types.js';

/** What a caller gives, before its types are known to fit the operation. */
interface Input {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string | false;
  readonly signal?: AbortSignal;
  readonly timeout?: number;
}

/** Returns what sends any operation of the API, without the rest of the client. */
export function createRequest(options: TransportOptions): RequestOperation {
  return requestOver(transportOf(options), options.tenant);
}

export function requestOver(send: Send, tenant: string): RequestOperation {
  const request = async (operationId: string, input: Input = {}) => {
    const route = (ROUTES as Readonly<Record<string, Route>>)[operationId];
    if (!route || !Object.hasOwn(ROUTES, operationId)) throw new TypeError(`There is no operation ${operationId}.`);
    return withTag(await send(specOf(route, tenant, input)));
  };
  // The types say which input goes with which operation; the table says the same of what is sent.
  return request as RequestOperation;
}

function specOf(route: Route, tenant: string, input: Input): RequestSpec {
  const { method, path, key, raw, type } = route;
  const { headers, body, signal, timeout } = input;
  return {
    method,
    path: pathOf(path, { tenant_id: tenant, ...input.path }),
    query: flat(input.query ?? {}),
    headers,
    body,
    type: headers?.['Content-Type'] ?? type,
    idempotencyKey: key ? input.idempotencyKey : false,
    raw,
    options: { signal, timeout },
  };
}

/** Sends a nested value as `filter[name][operator]`. */
function flat(query: Readonly<Record<string, unknown>>, prefix = ''): Record<string, QueryValue> {
  const parameters: Record<string, QueryValue> = {};
  for (const [key, value] of Object.entries(query)) {
    const name = prefix ? `${prefix}[${key}]` : key;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) parameters[name] = value as QueryValue;
    else Object.assign(parameters, flat(value as Record<string, unknown>, name));
  }
  return parameters;
}

function withTag({ body, etag }: Answer): unknown {
  if (etag === undefined || body instanceof Response || typeof body !== 'object' || body === null) return body;
  return { ...body, etag };
}
