import type { Response } from 'express';

/** A response that sends itself, for as long as it takes. `HttpAdapter` calls `send`. */
export abstract class StreamedResponse {
  /** May throw a problem before the headers are sent. */
  abstract send(response: Response): Promise<void>;
}
