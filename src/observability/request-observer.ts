import { Injectable, Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Config } from '../config/config.js';
import { Problem } from '../errors/problem.js';
import { sendProblem } from '../errors/problem.filter.js';
import { Metrics } from './metrics.js';

/** More requests under way than this could only wait for each other. */
const MAX_UNDER_WAY = 2_000;

/** Measures every request, logs it at debug level, and turns requests away when too many are under way. */
@Injectable()
export class RequestObserver {
  private readonly logger = new Logger('Request');
  private readonly logs: boolean;
  private underWay = 0;

  constructor(
    private readonly metrics: Metrics,
    { logLevel }: Config,
  ) {
    this.logs = logLevel === 'debug' || logLevel === 'trace';
  }

  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    const started = performance.now();
    this.underWay++;
    response.once('close', () => {
      this.underWay--;
      this.observe(request, response, performance.now() - started);
    });
    if (this.underWay <= MAX_UNDER_WAY) next();
    else
      sendProblem(
        response,
        new Problem('unavailable', 'Too many requests at once.', undefined, { 'Retry-After': '1' }),
      );
  };

  private observe(request: Request, response: Response, milliseconds: number): void {
    // The route's pattern, not the path: ids would make a series of each request.
    const route = (request.route as { path?: string } | undefined)?.path ?? 'unknown';
    this.metrics.requests.labels(request.method, route, String(response.statusCode)).observe(milliseconds / 1000);
    if (!this.logs) return;
    this.logger.debug({
      request_id: request.id,
      method: request.method,
      path: request.path,
      status: response.statusCode,
      ms: Math.round(milliseconds),
      tenant: request.caller?.tenantId,
      key: request.caller?.keyName,
    });
  }
}
