import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** In seconds. Browsers limit it to two hours or a day. */
const PREFLIGHT_MAX_AGE = '86400';

/**
 * Lets pages of any origin send a submission and read the response. Runs before the guards, so that pages can read their refusals too.
 * Answers preflights (Fetch standard, CORS protocol) itself, and in the same way for every tenant. A preflight therefore does not tell
 * whether a tenant exists or which origins it allows. A submission from an origin that is not allowed is refused itself.
 */
@Injectable()
export class SubmitCors implements NestMiddleware {
  use(request: Request, response: Response, next: NextFunction): void {
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (request.method !== 'OPTIONS') {
      response.setHeader('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
      return next();
    }
    // Allow all headers that the page asks for (tracing libraries add their own), because none of them has an effect here.
    const asked = request.headers['access-control-request-headers'];
    response.vary('Access-Control-Request-Headers');
    response.setHeader('Access-Control-Allow-Methods', 'POST');
    response.setHeader('Access-Control-Allow-Headers', asked || 'Content-Type');
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE);
    response.statusCode = 204;
    response.end();
  }
}
