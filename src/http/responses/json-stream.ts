import type { Response } from 'express';
import { whenClosed } from '../../admission/when-closed.js';

/** A response whose text is generated in pieces while it is sent, because all of it would take too much memory. It is JSON by default. */
export class JsonStream {
  constructor(
    /** Generates the pieces. A piece is requested only after the client has read most of the earlier ones. */
    readonly pieces: () => AsyncIterable<string>,
    /** The maximum number of bytes that the response holds in memory at any time. */
    readonly bytes: number,
    readonly headers?: Readonly<Record<string, string>>,
    /** What follows the last piece. HTTP/1.0 has no trailers. */
    readonly trailers?: { names: string; values: () => Readonly<Record<string, string>> },
  ) {}
}

/**
 * Sends a stream. The headers wait for the first piece, so that an earlier error becomes a problem response. A later error breaks the
 * connection, because the client must not take a part for the whole. No more pieces are generated after the connection has closed.
 * `complete` returns what is sent of a piece that is JSON.
 */
export async function sendStream(
  response: Response,
  { pieces, headers = {}, trailers }: JsonStream,
  complete: (json: string) => string,
): Promise<void> {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  const isJson = /json/.test(String(response.getHeader('Content-Type')));
  const hasTrailers = trailers !== undefined && response.req.httpVersion === '1.1';
  try {
    for await (const piece of pieces()) {
      if (isClosed(response)) return;
      // Announced with the first piece: Node.js throws if a response without chunks, such as a problem, has the header.
      if (hasTrailers && !response.headersSent) response.setHeader('Trailer', trailers.names);
      if (!response.write(isJson ? complete(piece) : piece)) await drained(response);
      if (isClosed(response)) return;
    }
    if (hasTrailers && response.headersSent) response.addTrailers(trailers.values());
    response.end();
  } catch (error) {
    if (response.headersSent) breakOff(response, error);
    throw error;
  }
}

function isClosed(response: Response): boolean {
  return response.destroyed || response.req.socket.destroyed;
}

/** Resolves when the written bytes have left the process's buffers, or the connection is closed. */
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

/** Closes the connection with a reset. Without a length or chunks (HTTP/1.0), a normal close looks like the end of the response. */
function breakOff(response: Response, error: unknown): void {
  response.failure = error;
  if (response.socket) response.socket.resetAndDestroy();
  else response.destroy();
}
