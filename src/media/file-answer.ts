import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { Reservation } from '../admission/byte-budget.js';
import { onceClosed } from '../http/connection-close.js';
import { isKnown } from '../http/is-known.js';
import { setFileHeaders, setHeaders } from './file-headers.js';
import { lengthOf, rangeOf } from './file-range.js';
import type { ByteRange } from './media-storage.js';
import type { ServedFile } from './served-file.js';

/** What a client that does not read holds in this process: what is read ahead, and what waits in its connection. */
const STREAM_BYTES = 163_840;
/** Of an answer whose file is smaller. */
const MIN_STREAM_BYTES = 16_384;

/** What ends the sending when the client goes away. */
const EXPECTED_ENDS = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE', 'ECONNRESET', 'EPIPE'];

/**
 * Answers with the file, a part of it, or 304; `HEAD` with the headers alone. `reserve` admits the bytes that the answer holds in memory,
 * or throws; they are released when it ends or its connection closes.
 */
export async function answerFile(
  request: Request,
  response: Response,
  file: ServedFile,
  reserve: (bytes: number) => Reservation,
): Promise<void> {
  const known = isKnown(request.headers['if-none-match'], file.etag);
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
  // Whatever fails does so before the headers of success are set.
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
    const stopWatching = onceClosed(request.socket, () => {
      stream.destroy();
      resolve();
    });
    stream.once('error', (error: NodeJS.ErrnoException) => {
      // The answer breaks off; there is nobody to tell but the log.
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
