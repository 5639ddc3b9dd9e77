import type { Caller } from '../access/caller.js';

declare global {
  namespace Express {
    interface Request {
      /** The request's id: the caller's own when it sent a sane one. */
      id: string;
      /** Who calls; set by the access guard on every route with a key. */
      caller?: Caller;
    }
  }
}
