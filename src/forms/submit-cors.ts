import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** In seconds; browsers cap it at two hours or a day. */
const PREFLIGHT_MAX_AGE = '86400';

/**
 * Lets pages of any origin send a submission and read the answer. Runs before the guards, so that a refusal can be read too. A preflight
 * (Fetch standard, CORS protocol) ends here. It is answered alike for every tenant, so it does not tell whether a tenant exists or which
 * origins it allows: the submission itself is refused if its origin is not allowed.
 */
@Injectable()
export class SubmitCors implements NestMiddleware {
  use(request: Request, response: Response, next: NextFunction): void {
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (request.method !== 'OPTIONS') {
      response.setHeader('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
      return next();
    }
    // The headers that the page asks for (tracing adds its own): none of them decides anything here.
    const asked = request.headers['access-control-request-headers'];
    response.vary('Access-Control-Request-Headers');
    response.setHeader('Access-Control-Allow-Methods', 'POST');
    response.setHeader('Access-Control-Allow-Headers', asked || 'Content-Type');
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE);
    response.statusCode = 204;
    response.end();
  }
}
