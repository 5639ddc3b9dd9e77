import { attempt } from './attempt.js';
import { encodeBody } from './body.js';
import type { TransportOptions } from './options.js';
import { pause, waitBefore } from './retry.js';
import type { Answer, RequestSpec, Send } from './spec.js';
import { queryOf } from './url.js';

const MAX_RETRIES = 2;
const MAX_RETRY_WAIT = 10_000;
const TIMEOUT = 30_000;

/** Returns what sends requests, and sends those again that failed for a while only and cannot happen twice. */
export function transportOf(client: TransportOptions): Send {
  const { maxRetries = MAX_RETRIES, maxRetryWait = MAX_RETRY_WAIT } = client;
  return async (spec) => {
    const { signal } = spec.options ?? {};
    const { once, isRepeatable } = prepare(client, spec);
    for (let retries = 0; ; retries++) {
      try {
        return await once();
      } catch (error) {
        const wait = isRepeatable && retries < maxRetries ? waitBefore(error, retries, maxRetryWait) : undefined;
        if (wait === undefined) throw error;
        await pause(wait, signal);
      }
    }
  };
}

interface Prepared {
  readonly once: () => Promise<Answer>;
  readonly isRepeatable: boolean;
}

function prepare(client: TransportOptions, spec: RequestSpec): Prepared {
  const { method, path, query, options, raw } = spec;
  const isRead = method === 'GET';
  const idempotencyKey = isRead ? undefined : (spec.idempotencyKey ?? randomId());
  const body = encodeBody(spec.body, spec.type);
  // A page that reads without a key needs no preflight: it sends no header of its own.
  const requestId = isRead && !client.key ? undefined : randomId();
  const url = client.url.replace(/\/+$/, '') + path + queryOf(query);
  const own = headersOf({
    'Content-Type': body.type,
    'X-Request-Id': requestId,
    'Idempotency-Key': idempotencyKey || undefined,
    Authorization: client.key && !spec.anonymous ? `Bearer ${client.key}` : undefined,
    ...spec.headers,
  });
  const once = async () => {
    const headers = { ...(await furtherHeaders(client)), ...own };
    const init: RequestInit & { duplex?: 'half' } = { method, headers, redirect: 'manual' };
    if (body.content !== undefined) init.body = body.content;
    // Node.js sends a stream only with this.
    if (!body.isRepeatable) init.duplex = 'half';
    const send = client.fetch ?? ((to: string, how: RequestInit) => fetch(to, how));
    const { signal, timeout = client.timeout ?? TIMEOUT } = options ?? {};
    return attempt({ url, init, fetch: send, raw, signal, timeout, requestId });
  };
  return { once, isRepeatable: body.isRepeatable && (isRead || !!idempotencyKey) };
}

async function furtherHeaders({ headers }: TransportOptions): Promise<Readonly<Record<string, string>> | undefined> {
  return typeof headers === 'function' ? headers() : headers;
}

function headersOf(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Pages without HTTPS have no `crypto.randomUUID`. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
