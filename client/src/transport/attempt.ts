import { TrivetError, refusal, requestIdOf } from './error.js';
import { reasonOf } from './retry.js';
import type { Answer, RequestSpec } from './spec.js';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

interface Attempt {
  readonly url: string;
  readonly init: RequestInit;
  readonly fetch: Fetch;
  readonly raw: RequestSpec['raw'];
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
  readonly requestId: string | undefined;
}

/** Sends a request once and reads the answer, within `timeout`. A raw answer is read by who asked: only its head must come in time. */
export async function attempt(one: Attempt): Promise<Answer> {
  const { signal, timeout, requestId } = one;
  if (signal?.aborted) throw reasonOf(signal);
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const late = () =>
    controller.abort(new TrivetError(`No answer came within ${timeout} ms.`, { code: 'timeout', requestId }));
  const timer = timeout > 0 ? setTimeout(late, timeout) : undefined;
  try {
    // A fetch of somebody's own may ignore the signal.
    return await Promise.race([exchange(one, controller.signal), abortionOf(controller.signal)]);
  } finally {
    clearTimeout(timer);
    if (!one.raw) signal?.removeEventListener('abort', abort);
  }
}

function abortionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(reasonOf(signal)), { once: true }));
}

async function exchange({ url, init, fetch, raw, requestId }: Attempt, signal: AbortSignal): Promise<Answer> {
  const response = await connected(fetch(url, { ...init, signal }), requestId);
  const etag = response.headers.get('etag') ?? undefined;
  if (isRedirect(response)) {
    if (raw === 'redirect') return { body: response, etag };
    // The key must not follow a redirect to another place.
    throw new TrivetError('The service answered with a redirect, which the client does not follow.', {
      status: response.status,
      code: 'redirected',
      requestId: requestIdOf(response, requestId),
    });
  }
  if (response.ok && raw) return { body: response, etag };
  const text = await connected(response.text(), requestIdOf(response, requestId));
  if (!response.ok) throw refusal(response, text, requestId);
  return { body: text === '' ? undefined : parsed(response, text, requestId), etag };
}

function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
}

async function connected<T>(promise: Promise<T>, requestId: string | undefined): Promise<T> {
  try {
    return await promise;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new TrivetError(`The service cannot be reached, or its answer broke off: ${message}`, {
      code: 'network',
      requestId,
      cause,
    });
  }
}

function parsed(response: Response, text: string, requestId: string | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const type = response.headers.get('content-type') ?? 'no type';
    throw new TrivetError(`The answer is not whole JSON (${type}). Is there a proxy in front of the service?`, {
      status: response.status,
      code: 'invalid_response',
      requestId: requestIdOf(response, requestId),
      cause,
    });
  }
}
