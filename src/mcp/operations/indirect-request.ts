import type { Request, Response } from 'express';
import type { Query } from '../../http/query.js';

/** What an operation is asked for, as a request would say it. */
export interface AskedOperation {
  /** The parameters of the path, without the tenant. */
  path?: Readonly<Record<string, string>>;
  query?: Query;
  body?: object;
  /** The operation may change drafts only. */
  draftsOnly?: boolean;
}

/**
 * A request for an operation, in the place of one that the client would send. It has the address, the key and the ID of the client's own request, and
 * none of its other headers.
 */
export function indirectRequest(
  own: Request,
  method: string,
  { path, query = {}, body, draftsOnly }: AskedOperation,
): Request {
  const { authorization, host, origin } = own.headers;
  const search = new URLSearchParams(query as Record<string, string>).toString();
  const bytes = body && Buffer.from(JSON.stringify(body));
  const ofBody = bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  const headers = { authorization, host, origin, ...ofBody };
  const parts = {
    method,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
    url: search === '' ? '/' : `/?${search}`,
    params: { tenant_id: own.params['tenant_id'], ...path },
    query,
    body: bytes,
    caller: undefined,
    indirect: { via: 'mcp', draftsOnly: draftsOnly ?? false },
  };
  const descriptors = Object.entries(parts).map(([name, value]) => {
    return [name, { value, writable: true, enumerable: true, configurable: true }] as const;
  });
  return Object.create(own, Object.fromEntries(descriptors)) as Request;
}

/** Receives what guards and handlers do to a response, and the body of those that send it themselves. */
export class CapturedResponse {
  statusCode = 200;
  body: Buffer | string | undefined;
  private readonly headers = new Map<string, unknown>();

  /** It has the methods of a response that handlers of JSON use. */
  static create(): CapturedResponse & Response {
    return new CapturedResponse() as CapturedResponse & Response;
  }

  setHeader(name: string, value: unknown): this {
    this.headers.set(name.toLowerCase(), value);
    return this;
  }

  getHeader(name: string): unknown {
    return this.headers.get(name.toLowerCase());
  }

  hasHeader(name: string): boolean {
    return this.headers.has(name.toLowerCase());
  }

  removeHeader(name: string): void {
    this.headers.delete(name.toLowerCase());
  }

  vary(): this {
    return this;
  }

  end(body?: Buffer | string): this {
    this.body = body;
    return this;
  }
}
