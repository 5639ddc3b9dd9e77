import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import type { ByteBudget } from '../admission/byte-budget.js';
import { countAnswer } from './answer-bytes.js';
import { JsonStream, sendStream } from './json-stream.js';

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
 * Connections that wait to be accepted; the system has a limit of its own (`net.core.somaxconn`, mostly 4,096). Node's default is 511, and
 * an attempt beyond it is dropped without a word: that client tries again after one, three and seven seconds.
 */
const BACKLOG = 4_096;

/**
 * Express, answering JSON directly: `res.json()` would make an ETag of every body, look at the request's headers for freshness
 * and parse the content type, none of which an API with versioned entries needs.
 */
export class HttpAdapter extends ExpressAdapter {
  private budget?: ByteBudget;

  constructor() {
    // Before the first route or middleware, which makes the router.
    super(express().enable('case sensitive routing'));
  }

  /**
   * Requests and answers are made with Express' prototypes. Express would change the prototype of each as it comes, after which V8 keeps
   * all that belongs to a request until the next big collection: a sixth of the time, and the worst of the waiting.
   */
  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    class ExpressRequest extends IncomingMessage {}
    class ExpressResponse extends ServerResponse {}
    Object.setPrototypeOf(ExpressRequest.prototype, app.request);
    Object.setPrototypeOf(ExpressResponse.prototype, app.response);
    Object.assign(app, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
    const classes = { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
    // `identify` asks for the Host: node's own answer would have neither id nor problem.
    this.httpServer = createServer({ ...classes, requireHostHeader: false, connectionsCheckingInterval: 5_000 }, app);
  }

  /** From now on large answers are counted, and refused where they do not fit. */
  countIn(budget: ByteBudget): void {
    this.budget = budget;
  }

  override listen(port: string | number, ...args: unknown[]): Server {
    const host = args.find((argument) => typeof argument === 'string');
    const callback = args.find((argument) => typeof argument === 'function') as (() => void) | undefined;
    const server = this.getHttpServer() as Server;
    return server.listen({ port: Number(port), ...(host !== undefined && { host }), backlog: BACKLOG }, callback);
  }

  override reply(response: Response, body: unknown, status?: number): unknown {
    if (status !== undefined) response.statusCode = status;
    if (body instanceof JsonText) return this.send(response, body.text, body.headers);
    if (body instanceof JsonStream) {
      if (this.budget) countAnswer(this.budget, response, body.bytes);
      return sendStream(response, body);
    }
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

  private send(response: Response, text: string, headers?: Record<string, string>): Response {
    const bytes = Buffer.byteLength(text);
    if (this.budget) countAnswer(this.budget, response, bytes);
    if (headers) for (const name in headers) response.setHeader(name, headers[name] ?? '');
    if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', bytes);
    return response.end(text);
  }
}
