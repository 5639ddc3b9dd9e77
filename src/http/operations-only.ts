import type { NextFunction, Request, Response } from 'express';
import { sendProblem } from './problem.filter.js';
import { Problem } from '../errors/problem.js';

/** For a process with the role `worker`: serves health checks, metrics and administration pages, but not the API. */
export function operationsOnly(request: Request, response: Response, next: NextFunction): void {
  if (/^\/(health\/|metrics$|admin\/)/.test(request.path)) next();
  else sendProblem(response, new Problem('not_found', 'This process is a worker and does not serve the API.'));
}
