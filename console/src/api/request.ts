import { BASE } from '../base';
import { brokenOff, problemOf, unreachable } from './problem';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

interface RequestOptions {
  readonly body?: object;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** For requests that begin a session or ask whether there is one: a 401 is an answer, and not the end of a session. */
  readonly isSigningIn?: boolean;
  /** Nobody waits for the answer: the page does not ask for another session because of it. */
  readonly isQuiet?: boolean;
  /** The browser sends it even if the page goes. */
  readonly keepalive?: boolean;
  /** The service looks at every entry first: it has ten minutes. */
  readonly isLong?: boolean;
}

/** What every request of the console has, so that the service takes it for one of this page. */
export const CONSOLE_HEADERS = { 'X-Trivet-Console': '1' };

/** Milliseconds after which a request counts as failed. */
const TIMEOUT = 30_000;
const LONG_TIMEOUT = 600_000;

let renewSession: () => Promise<boolean> = () => Promise.resolve(false);

/** `renew` is called when a request finds that the session has ended. It resolves to true once the same person is signed in again. */
export function onSessionEnd(renew: () => Promise<boolean>): void {
  renewSession = renew;
}

/** Sends a request with the session's cookie, and returns the body. Throws an ApiProblem. */
export async function request<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  const begin = () => send(method, path, options, AbortSignal.timeout(options.isLong ? LONG_TIMEOUT : TIMEOUT));
  return read<T>(options.isSigningIn || options.isQuiet ? await begin() : await inSession(begin));
}

/** An answer with the version of what it shows, for `If-Match`. */
interface Tagged<T> {
  readonly body: T;
  readonly tag: string;
}

/** As `request`, with the answer's ETag. */
export async function requestTagged<T>(method: Method, path: string, options: RequestOptions = {}): Promise<Tagged<T>> {
  const response = await inSession(() => send(method, path, options, AbortSignal.timeout(TIMEOUT)));
  return { body: await read<T>(response), tag: response.headers.get('ETag') ?? '' };
}

/** Begins a download of any length, and returns the response. Throws an ApiProblem. */
export async function download(
  path: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const response = await inSession(() => send('GET', path, { signal, headers }));
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** Sends again what found the session ended, once somebody is signed in. */
export async function inSession<T extends { readonly status: number }>(begin: () => Promise<T>): Promise<T> {
  const answer = await begin();
  return answer.status === 401 && (await renewSession()) ? begin() : answer;
}

async function send(
  method: Method,
  path: string,
  { body, signal, headers, keepalive = false }: RequestOptions,
  timeout?: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(BASE + path, {
      method,
      headers: { ...CONSOLE_HEADERS, ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      body: body && JSON.stringify(body),
      cache: 'no-store',
      keepalive,
      signal: AbortSignal.any([timeout, signal].filter((each) => each !== undefined)),
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
    throw brokenOff();
  }
}
