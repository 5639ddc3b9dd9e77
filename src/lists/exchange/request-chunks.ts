import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from 'express';
import { watchPace } from '../../http/bodies/body-pace.js';

/** Nothing arrived for this long, so what has arrived should be processed. */
export const QUIET = Symbol('quiet');

/** The client is gone, or has sent nothing for too long. */
export class ClientGoneError extends Error {}

const QUIET_MS = 500;

/**
 * Yields the chunks of a request's body as they arrive, and `QUIET` in a pause. Nothing more is read until the next chunk is asked for.
 * Throws a `ClientGoneError` if the client disconnects, or sends nothing for `idleMs`, and a 408 if the body arrives too slowly.
 */
export async function* chunksOf(request: Request, idleMs: number): AsyncGenerator<Buffer | typeof QUIET> {
  // Otherwise the connection would be closed when the caller stops early, and could not be answered.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  const pace = watchPace(request);
  try {
    for (;;) {
      const next = chunks.next().catch((error: unknown) => {
        throw new ClientGoneError('The client disconnected.', { cause: error });
      });
      if (await isQuiet(next, QUIET_MS)) {
        yield QUIET;
        if (await isQuiet(next, idleMs)) throw new ClientGoneError('The client sent nothing for too long.');
      }
      const chunk = await next;
      if (chunk.done) break;
      // A client that sends nothing at all has an earlier end.
      pace?.signal.throwIfAborted();
      yield chunk.value;
    }
    if (!request.complete) throw new ClientGoneError('The client disconnected.');
  } finally {
    pace?.end();
    // Not awaited: it would wait for a chunk that may never arrive.
    void chunks.return?.().catch(() => undefined);
  }
}

/** Whether the promise is pending for this long. */
async function isQuiet(next: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const abort = new AbortController();
  const late = sleep(milliseconds, true, { signal: abort.signal }).catch(() => false);
  const settled = next.then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    abort.abort();
  }
}
