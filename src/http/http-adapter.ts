import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import type { ByteBudget } from '../admission/byte-budget.js';
import { withMediaUrls } from '../fields/formats/media-url.js';
import type { PublicUrl } from './public-url.js';
import { countResponse } from './responses/response-bytes.js';
import { JsonStream, sendStream } from './responses/json-stream.js';
import { StreamedResponse } from './responses/streamed-response.js';

/** A response whose JSON is already text: lists and entries pass from the database to the socket without being parsed. */
export class JsonText {
  constructor(
    readonly text: string,
    readonly headers?: Readonly<Record<string, string>>,
    /** The default is that of the handler. */
    readonly status?: number,
  ) {}
}

/** A 304 response: the client has the current version. */
export class NotModified {
  constructor(readonly headers: Readonly<Record<string, string>>) {}
}

/**
 * Connections that may wait to be accepted. The system has its own limit (`net.core.somaxconn`, usually 4,096). Node's default is 511.
 * The system silently drops any further attempt, and the client tries again after one, three and seven seconds.
 */
const BACKLOG = 4_096;

/**
 * Express that sends JSON directly. `res.json()` would compute an ETag of every body, check the request's headers for freshness and
 * parse the content type. An API with versioned entries needs none of this.
 */
export class HttpAdapter extends ExpressAdapter {
  private budget?: ByteBudget;
  private publicUrl?: PublicUrl;

  constructor() {
    // Must be set before the first route or middleware, which creates the router.
    super(express().enable('case sensitive routing'));
  }

  /**
   * Creates requests and responses with Express's prototypes. Otherwise Express changes the prototype of each one, and V8 then keeps all
   * objects of a request until the next major garbage collection. That took a sixth of the time and caused the longest delays.
   */
  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    class ExpressRequest extends IncomingMessage {}
    class ExpressResponse extends ServerResponse {}
    Object.setPrototypeOf(ExpressRequest.prototype, app.request);
    Object.setPrototypeOf(ExpressResponse.prototype, app.response);
    Object.assign(app, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
    const classes = { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
    // `identify` requires the Host header. Node's own response would contain neither a request ID nor a problem.
    this.httpServer = createServer({ ...classes, requireHostHeader: false, connectionsCheckingInterval: 5_000 }, app);
  }

  /** Counts large responses from now on, and refuses those that do not fit. */
  countIn(budget: ByteBudget): void {
    this.budget = budget;
  }

  /** Puts this base into the URLs of files that JSON texts contain (`fields/formats/media-url.ts`). */
  linkFiles(publicUrl: PublicUrl): void {
    this.publicUrl = publicUrl;
  }

  override listen(port: string | number, ...args: unknown[]): Server {
    const host = args.find((argument) => typeof argument === 'string');
    const callback = args.find((argument) => typeof argument === 'function') as (() => void) | undefined;
    const server = this.getHttpServer() as Server;
    return server.listen({ port: Number(port), ...(host !== undefined && { host }), backlog: BACKLOG }, callback);
  }

  override reply(response: Response, body: unknown, status?: number): unknown {
    if (status !== undefined) response.statusCode = status;
    if (body instanceof JsonText && body.status !== undefined) response.statusCode = body.status;
    if (body instanceof JsonText) return this.send(response, this.withUrls(body.text), body.headers);
    if (body instanceof JsonStream) {
      if (this.budget) countResponse(this.budget, response, body.bytes);
      return sendStream(response, body, (piece) => this.withUrls(piece));
    }
    if (body instanceof StreamedResponse) return body.send(response);
    if (body instanceof NotModified) {
      response.statusCode = 304;
      for (const name in body.headers) response.setHeader(name, body.headers[name] ?? '');
      return response.end();
    }
    if (body !== null && typeof body === 'object' && Object.getPrototypeOf(body) === Object.prototype) {
      return this.send(response, JSON.stringify(body));
    }
    return super.reply(response, body, status);
  }

  private withUrls(json: string): string {
    return this.publicUrl ? withMediaUrls(json, this.publicUrl.base) : json;
  }

  private send(response: Response, text: string, headers?: Readonly<Record<string, string>>): Response {
    const bytes = Buffer.byteLength(text);
    if (this.budget) countResponse(this.budget, response, bytes);
    if (headers) for (const name in headers) response.setHeader(name, headers[name] ?? '');
    if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', bytes);
    return response.end(text);
  }
}
