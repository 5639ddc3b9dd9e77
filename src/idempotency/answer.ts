import type { Response } from 'express';
import { JsonText } from '../http/http-adapter.js';
import type { IdPrefix } from '../modules/module-manifest.js';
import { parseId } from '../ids/type-id.js';
import { JsonStream } from '../http/responses/json-stream.js';

/** The response to a successful request. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** JSON text; empty if the response has no body; undefined if it is streamed, because it is large. */
  body: string | undefined;
}

/** Returns the answer that the result of a handler leads to. `before` are the names of the headers that were set before the handler. */
export function answerOf(result: unknown, response: Response, before: ReadonlySet<string>): Answer {
  const set = response.getHeaderNames().filter((name) => !before.has(name));
  const own = Object.fromEntries(set.map((name) => [name, String(response.getHeader(name))]));
  const { statusCode: status } = response;
  if (result instanceof JsonText) {
    return { status: result.status ?? status, headers: { ...own, ...result.headers }, body: result.text };
  }
  if (result instanceof JsonStream) return { status, headers: { ...own, ...result.headers }, body: undefined };
  return { status, headers: own, body: result === undefined ? '' : JSON.stringify(result) };
}

/** Returns the ID of the resource that the body shows. Every such body begins with it. */
export function idIn(body: string | undefined): string | undefined {
  return body === undefined ? undefined : /^\{"data":\{"id":"([a-z]+_[0-9a-z]+)"/.exec(body)?.[1];
}

/** Returns the UUID of the resource that the body shows. */
export function uuidIn(body: string | undefined): string | undefined {
  const id = idIn(body);
  return id === undefined ? undefined : parseId(id.slice(0, id.indexOf('_')) as IdPrefix, id);
}
