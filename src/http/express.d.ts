import type { OpenSession } from './open-session.js';
import type { Caller } from './caller.js';

declare global {
  namespace Express {
    interface Request {
      /** The client's own ID if it sent a valid one, otherwise a new one. */
      id: string;
      /** The tenant and scopes of the API key. The access guard sets it on every route that requires a key. */
      caller?: Caller;
      /** The session. The access guard sets it on every route that requires one and concerns no tenant. */
      session?: OpenSession;
    }

    interface Response {
      /** When a response that lasts as long as its client wants has begun, in milliseconds of the process's monotonic clock. */
      streamBeganAt?: number;
    }
  }
}
