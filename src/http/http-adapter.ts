import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';

/** An answer whose JSON is made already: lists and entries go from the database to the socket without being parsed. */
export class JsonText {
  constructor(
    readonly text: string,
    readonly headers?: Record<string, string>,
  ) {}
}

/** A 304: what the client has is what there is. */
export class NotModified {
  constructor(readonly headers: Record<string, string>) {}
}

/**
 * Express, answering JSON directly: `res.json()` would make an ETag of every body, look at the request's headers for freshness
 * and parse the content type, none of which an API with versioned entries needs.
 */
export class HttpAdapter extends ExpressAdapter {
  override reply(response: Response, body: unknown, status?: number): unknown {
    if (status !== undefined) response.statusCode = status;
    if (body instanceof JsonText) return send(response, body.text, body.headers);
    if (body instanceof NotModified) {
      response.statusCode = 304;
      for (const name in body.headers) response.setHeader(name, body.headers[name] ?? '');
      return response.end();
    }
    if (body !== null && typeof body === 'object' && Object.getPrototypeOf(body) === Object.prototype) {
      return send(response, JSON.stringify(body));
    }
    return super.reply(response, body, status);
  }
}

function send(response: Response, text: string, headers?: Record<string, string>): Response {
  if (headers) for (const name in headers) response.setHeader(name, headers[name] ?? '');
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  return response.end(text);
}
