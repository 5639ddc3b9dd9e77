import { TrivetError } from './error.js';

/** Milliseconds before a request is sent again for the first time, if the service does not say. Doubled each time. */
const FIRST_WAIT = 300;
/** The most that chance adds to a wait, so that clients which failed together do not come back together. */
const JITTER = 500;

/** Returns how many milliseconds to wait before the request is sent again; undefined if it is not to be. */
export function waitBefore(error: unknown, retries: number, maxWait: number): number | undefined {
  if (!(error instanceof TrivetError) || !isPassing(error)) return undefined;
  const { retryAfter } = error;
  if (retryAfter === undefined) return Math.min(maxWait, FIRST_WAIT * 2 ** retries) * (0.5 + Math.random() / 2);
  const told = retryAfter * 1000;
  return told > maxWait ? undefined : told + Math.random() * JITTER;
}

function isPassing({ status, code, retryAfter }: TrivetError): boolean {
  if (status === 429 || status === 503) return true;
  // The service is still working on an earlier attempt with the same idempotency key.
  if (status === 409 && retryAfter !== undefined) return true;
  return code === 'network' || code === 'timeout';
}

/** Waits. Rejects with the reason of the signal as soon as it is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}

export function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason as Error;
}
