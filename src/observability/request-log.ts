import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isMember } from '../access/member-names.js';
import { Config } from '../config/config.js';
import { LineBudget } from './line-budget.js';

/** The limit for each tenant, and for all requests without an API key together. Server errors and other failures count separately. */
const FAILED_LINES = { burst: 1_000, perSecond: 50 };
/** The format of a tenant's ID in a path. Any other text there may come from anyone, and is not logged. */
const TENANT_ID = /^ten_\w{1,64}$/;

/**
 * Logs each request that failed: 4xx with the level info, 5xx with the level error and the cause. `LOG_REQUESTS=all` logs every request.
 * In a flood of failures some lines are omitted. The next line contains their number (`omitted`).
 */
@Injectable()
export class RequestLog {
  private readonly logger = new Logger('Request');
  private readonly budget = new LineBudget(FAILED_LINES);

  constructor(private readonly config: Config) {}

  /** Must be called when the response has ended. `route` is the pattern of the path. */
  observe(request: Request, response: Response, route: string, milliseconds: number): void {
    const { logRequests } = this.config;
    if (logRequests === 'none') return;
    const isError = response.statusCode >= 500 || response.failure !== undefined;
    const failed = isError || response.statusCode >= 400;
    if (!failed && logRequests === 'failed') return;
    const { caller, params } = request;
    const omitted = failed ? this.budget.take(`${isError} ${caller?.tenantId ?? ''}`) : 0;
    if (omitted === undefined) return;
    const named = String(params?.['tenant_id'] ?? '');
    const line = {
      request_id: request.id,
      tenant_id: caller?.tenantId ?? (TENANT_ID.test(named) ? named : undefined),
      // The name of a person is erased with them, and no log is.
      ...(isMember(caller?.actorId) ? { user_id: caller.actorId } : { key: caller?.name }),
      method: request.method,
      route,
      status: response.statusCode,
      code: response.problem?.code,
      duration_ms: Math.round(milliseconds * 10) / 10,
      omitted: omitted || undefined,
      err: response.failure,
    };
    if (isError) this.logger.error(line, 'A request failed');
    else this.logger.log(line, failed ? 'A request was refused' : 'A request succeeded');
  }
}
