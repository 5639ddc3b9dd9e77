import type { Caller } from './caller.js';

declare global {
  namespace Express {
    interface Request {
      /** The client's own ID if it sent a valid one, otherwise a new one. */
      id: string;
      /** The tenant and scopes of the API key. The access guard sets it on every route that requires a key. */
      caller?: Caller;
    }
  }
}
