import type { Response } from 'express';
import { StreamedResponse } from './streamed-response.js';

/** Leads a browser on with GET, and sets cookies. */
export class Redirect extends StreamedResponse {
  constructor(
    private readonly url: string,
    private readonly cookies: readonly string[],
  ) {
    super();
  }

  send(response: Response): Promise<void> {
    response.statusCode = 303;
    response.setHeader('Location', this.url);
    if (this.cookies.length > 0) response.setHeader('Set-Cookie', this.cookies);
    response.setHeader('Cache-Control', 'no-store');
    // The address of the request may hold a secret, such as the code of a provider, which no other server may learn.
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Content-Length', 0);
    response.end();
    return Promise.resolve();
  }
}
