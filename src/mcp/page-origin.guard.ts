import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isIP } from 'node:net';
import { Cors } from '../access/cors.js';
import { Problem } from '../errors/problem.js';
import { PublicUrl } from '../http/public-url.js';
import { parseUrl } from '../validation/parse-url.js';

/**
 * Refuses requests of pages that may not use the API, as the protocol demands: the browser would not show them the answer, but they could have effects.
 * A page whose name was made to lead to this service (DNS rebinding) is of the service's own host, but not of one that it has.
 */
@Injectable()
export class PageOriginGuard implements CanActivate {
  constructor(
    private readonly cors: Cors,
    private readonly publicUrl: PublicUrl,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const { origin, host } = http.getRequest<Request>().headers;
    if (origin === undefined || this.publicUrl.isOwn(origin)) return true;
    const isRebound = parseUrl(origin)?.host === host && !isAddress(host);
    if (!isRebound && this.cors.admits(origin, http.getResponse<Response>())) return true;
    throw new Problem(
      'forbidden',
      'Pages of this origin may not use the service. The tenant or the key allows other origins only.',
    );
  }
}

/** Whether the host is an address, which no name can be made to lead to, or the machine itself. */
function isAddress(host = ''): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  return name === 'localhost' || isIP(name) !== 0;
}
