import type { Caller } from './caller.js';
import type { Problem } from '../errors/problem.js';

declare global {
  namespace Express {
    interface Request {
      /** The request's id: the caller's own when it sent a sane one. */
      id: string;
      /** Who calls; set by the access guard on every route with a key. */
      caller?: Caller;
    }
    interface Response {
      /** What the answer says went wrong. */
      problem?: Problem;
      /** What was thrown, where it is the service's fault; for the log only. */
      failure?: unknown;
    }
  }
}
