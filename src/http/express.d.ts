import type { OpenSession } from './open-session.js';
import type { Caller } from './caller.js';

declare global {
  namespace Express {
    interface Request {
      /** The client's own ID if it sent a valid one, otherwise a new one. */
      id: string;
      /** The tenant and scopes of the API key. The access guard sets it on every route that requires a key. */
      caller?: Caller;
      /** Set if a program of the service sends the request for the client, whose own request was counted already. */
      indirect?: Required<Pick<Caller, 'via' | 'draftsOnly'>>;
      /** The session. The access guard sets it on every route that requires one and concerns no tenant. */
      session?: OpenSession;
      /** The address of the visitor for whom a server sends the request, if its key allows it to tell (`access/visitors.ts`). */
      visitorAddress?: string;
    }

    interface Response {
      /** When a response that lasts as long as its client wants has begun, in milliseconds of the process's monotonic clock. */
      streamBeganAt?: number;
    }
  }
}
