import type { OperatorClient } from '../../outbound/operator-client.js';

/** The least that the libraries for OpenID Connect and JSON Web Keys ask of `fetch`. */
interface FetchOptions {
  method: string;
  headers: Record<string, string> | Headers;
  body?: unknown;
}

type ProviderFetch = (url: string, options: FetchOptions) => Promise<Response>;

/** The provider did not answer, or with more than it may. The cause is for the log only. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable';
}

/** Documents of providers have some kilobytes, also tokens of a person in hundreds of groups. */
const MAX_BYTES = 262_144;

/** Returns a `fetch` that sends its requests through `client`, limits their time and bytes, and follows no redirects. */
export function providerFetch(client: OperatorClient, timeoutMs: number): ProviderFetch {
  return async (url, { method, headers, body }) => {
    const limits = { headers: Object.fromEntries(new Headers(headers)), timeoutMs, maxBytes: MAX_BYTES + 1 };
    const options = method === 'GET' ? limits : { ...limits, body: textOf(body) };
    const { error, cause, status = 0, headers: received, body: text } = await client.request(url, options);
    if (error !== undefined) throw new ProviderUnreachable(`The provider cannot be reached: ${error}.`, { cause });
    if (Buffer.byteLength(text) > MAX_BYTES) throw new ProviderUnreachable('The answer of the provider is too long.');
    if (status < 200 || status > 599) throw new ProviderUnreachable(`The provider answered with ${status}.`);
    const type = received['content-type'];
    const isEmpty = [204, 205, 304].includes(status);
    return new Response(isEmpty ? null : text, { status, headers: type === undefined ? {} : { 'content-type': type } });
  };
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('A request to a provider must have a text or a form as its body.');
}

/** Whether the error, or what caused it, is that the provider did not answer. */
export function isUnreachable(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProviderUnreachable) return true;
  }
  return false;
}
