import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { Problem } from '../errors/problem.js';
import { sendProblem } from './problem.filter.js';

const VALID_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Escapes a path with invalid percent-encoding, so that it gets 404. The router would throw. */
function readablePath(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  if (!path.includes('%')) return url;
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + (end < 0 ? '' : url.slice(end));
  }
}

/** Sets the request ID (the client's own if it is valid) and the headers of every response. Refuses HTTP/1.1 without a Host header. */
export function identify(request: Request, response: Response, next: NextFunction): void {
  const own = request.headers['x-request-id'];
  request.id = typeof own === 'string' && VALID_ID.test(own) ? own : randomUUID();
  request.url = readablePath(request.url);
  response.setHeader('X-Request-Id', request.id);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    sendProblem(response, new Problem('invalid_parameter', 'HTTP/1.1 requires a Host header.'));
  } else {
    next();
  }
}
