import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { Reservation } from '../../admission/byte-budget.js';
import { whenClosed } from '../../admission/when-closed.js';
import { hasRoute } from '../../http/has-route.js';
import { setFileHeaders, setHeaders } from './file-headers.js';
import { lengthOf, rangeOf } from './file-range.js';
import type { ByteRange } from '../storage/media-storage.js';
import type { ServedFile } from './served-file.js';

/** Memory that a client that does not read takes in this process: what is read ahead, and what waits in its connection. */
const STREAM_BYTES = 163_840;
/** The minimum, for a small file. */
const MIN_STREAM_BYTES = 16_384;

/** Error codes that mean that the client disconnected. */
const EXPECTED_ENDS = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE', 'ECONNRESET', 'EPIPE'];

/**
 * Responds with the file, a part of it, or 304; to `HEAD` with the headers only. `reserve` reserves the bytes that the response holds in
 * memory, or throws. They are released when the response ends or its connection closes.
 */
export async function sendFile(
  request: Request,
  response: Response,
  file: ServedFile,
  reserve: (bytes: number) => Reservation,
): Promise<void> {
  const known = hasRoute(request.headers['if-none-match'], file.etag);
  const range = known ? undefined : rangeOf(request, file);
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'Content-Range': `bytes */${file.size}`, 'Content-Length': 0 }).end();
    return;
  }
  if (known) {
    setHeaders(response, file);
    response.status(304).end();
    return;
  }
  const length = file.size === undefined ? undefined : lengthOf(range, file.size);
  if (request.method === 'HEAD' && length !== undefined) {
    setFileHeaders(response, file, range, length);
    response.end();
    return;
  }
  const reservation = reserve(Math.max(MIN_STREAM_BYTES, Math.min(STREAM_BYTES, length ?? STREAM_BYTES)));
  try {
    await send(request, response, file, range);
  } finally {
    reservation.release();
  }
}

async function send(request: Request, response: Response, file: ServedFile, range?: ByteRange): Promise<void> {
  // Open the file before the headers of success are set, because this may fail.
  const { stream, length } = await file.open(range);
  if (request.socket.destroyed) {
    stream.destroy();
    return;
  }
  setFileHeaders(response, file, range, length);
  if (request.method === 'HEAD') {
    stream.destroy();
    response.end();
    return;
  }
  await new Promise<void>((resolve) => {
    const stopWatching = whenClosed(response, () => {
      stream.destroy();
      resolve();
    });
    stream.once('error', (error: NodeJS.ErrnoException) => {
      // The response is cut off, so the error can only be logged.
      if (!EXPECTED_ENDS.includes(error.code ?? '')) response.failure = error;
    });
    pipeline(stream, response)
      .catch(() => undefined)
      .finally(() => {
        stopWatching();
        resolve();
      });
  });
}
