import { BASE } from '../base';
import { ApiProblem, problemOf, unreachable } from './problem';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

interface RequestOptions {
  readonly body?: object;
  readonly signal?: AbortSignal;
  /** For requests that begin a session or ask whether there is one: a 401 is an answer, and not the end of a session. */
  readonly isSigningIn?: boolean;
}

/** Milliseconds after which a request counts as failed. */
const TIMEOUT = 30_000;

let renewSession: () => Promise<boolean> = () => Promise.resolve(false);

/** `renew` is called when a request finds that the session has ended. It resolves to true once the same person is signed in again. */
export function onSessionEnd(renew: () => Promise<boolean>): void {
  renewSession = renew;
}

/** Sends a request with the session's cookie, and returns the body. Throws an ApiProblem. */
export async function request<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(method, path, options);
  if (response.status !== 401 || options.isSigningIn) return read<T>(response);
  if (!(await renewSession())) throw await problemOf(response);
  return read<T>(await send(method, path, options));
}

async function send(method: Method, path: string, { body, signal }: RequestOptions): Promise<Response> {
  try {
    return await fetch(BASE + path, {
      method,
      headers: { 'X-Trivet-Console': '1', ...(body && { 'Content-Type': 'application/json' }) },
      body: body && JSON.stringify(body),
      cache: 'no-store',
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT), ...(signal ? [signal] : [])]),
    });
  } catch (error) {
    // Whoever asked has gone.
    if (signal?.aborted) throw error;
    throw unreachable();
  }
}

async function read<T>(response: Response): Promise<T> {
  if (!response.ok) throw await problemOf(response);
  try {
    return (await response.json()) as T;
  } catch {
    throw new ApiProblem({ status: 0, code: 'unreachable', detail: 'The answer broke off. Try again.' });
  }
}
