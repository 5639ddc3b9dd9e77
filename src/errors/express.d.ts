import type { Problem } from './problem.js';

declare global {
  namespace Express {
    interface Response {
      /** The problem that was sent. */
      problem?: Problem;
      /** The error to log, if it is the service's fault. */
      failure?: unknown;
    }
  }
}
