import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Metrics } from './metrics.js';
import { RequestLog } from './request-log.js';

/** Measures every request, and passes it to the request log. */
@Injectable()
export class RequestObserver {
  constructor(
    private readonly metrics: Metrics,
    private readonly log: RequestLog,
  ) {}

  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    const started = performance.now();
    // How long a stream lasts is not how long the service takes.
    response.once('close', () =>
      this.observe(request, response, (response.streamBeganAt ?? performance.now()) - started),
    );
    next();
  };

  private observe(request: Request, response: Response, milliseconds: number): void {
    // Use the route's pattern, not the path: IDs would create a time series for each request.
    const route = (request.route as { path?: string } | undefined)?.path ?? 'unknown';
    this.metrics.requests.labels(request.method, route, String(response.statusCode)).observe(milliseconds / 1000);
    this.log.observe(request, response, route, milliseconds);
  }
}
