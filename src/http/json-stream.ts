import type { Response } from 'express';
import { whenClosed } from '../admission/when-closed.js';

/** An answer whose JSON is made piece by piece while it is sent, because the whole of it would take too much memory. */
export class JsonStream {
  constructor(
    /** Makes the pieces. A piece is asked for only when the client has taken most of those before. */
    readonly pieces: () => AsyncIterable<string>,
    /** The most bytes that the answer holds in memory at any time. */
    readonly bytes: number,
  ) {}
}

/**
 * Sends a stream. The head waits for the first piece, so that what fails until then is answered with a problem. What fails later breaks
 * the connection: the client must not take what it has got for the whole. Making pieces stops when the connection closes.
 */
export async function sendStream(response: Response, { pieces }: JsonStream): Promise<void> {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    for await (const piece of pieces()) {
      if (isClosed(response)) return;
      if (!response.write(piece)) await drained(response);
      if (isClosed(response)) return;
    }
    response.end();
  } catch (error) {
    if (response.headersSent) breakOff(response, error);
    throw error;
  }
}

function isClosed(response: Response): boolean {
  return response.destroyed || response.req.socket.destroyed;
}

/** Resolves when what was written has left the process' buffers, or the connection is closed. */
function drained(response: Response): Promise<void> {
  return new Promise((resolve) => {
    let cancel = (): void => undefined;
    const done = () => {
      cancel();
      response.off('drain', done);
      resolve();
    };
    response.once('drain', done);
    cancel = whenClosed(response, done);
  });
}

/** Ends the connection with a reset: without a length and chunks (HTTP/1.0), a plain end would look like the end of the answer. */
function breakOff(response: Response, error: unknown): void {
  response.failure = error;
  if (response.socket) response.socket.resetAndDestroy();
  else response.destroy();
}
