import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Tenants } from '../tenants/tenants.js';

/** In seconds; browsers cap it at two hours or a day. */
const PREFLIGHT_KEPT = '86400';

/**
 * Lets pages of other origins submit, and read every answer: any page, unless the tenant's `allowed_origins` says otherwise. Stands
 * before the guards, so that a refusal can be read too. A preflight (Fetch standard, CORS protocol) ends here.
 */
@Injectable()
export class SubmitCors implements NestMiddleware {
  constructor(private readonly tenants: Tenants) {}

  use(request: Request, response: Response, next: NextFunction): void {
    const isPreflight = request.method === 'OPTIONS';
    const allowed = this.tenants.find(String(request.params['tenant_id']))?.allowedOrigins ?? ['*'];
    const isOpen = allowed.includes('*');
    const { origin } = request.headers;
    if (!isOpen) response.vary('Origin');
    if (isOpen || (origin !== undefined && allowed.includes(origin))) {
      response.setHeader('Access-Control-Allow-Origin', isOpen ? '*' : (origin ?? ''));
      if (isPreflight) allowRequest(request, response);
      else response.setHeader('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
    }
    if (!isPreflight) return next();
    response.statusCode = 204;
    response.end();
  }
}

/** The headers are those that the page asks for (tracing adds its own): none of them decides anything here. */
function allowRequest(request: Request, response: Response): void {
  const asked = request.headers['access-control-request-headers'];
  response.vary('Access-Control-Request-Headers');
  response.setHeader('Access-Control-Allow-Methods', 'POST');
  response.setHeader('Access-Control-Allow-Headers', asked || 'Content-Type');
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_KEPT);
}
