import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Exchange {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A proxy that sends every write without a key (except uploads) twice, with one new `Idempotency-Key`, and passes one of the answers on. */
export interface RepeatingProxy {
  url: string;
  /** Sentences about answers that differ from what they should be. */
  readonly faults: string[];
  /** The operations that succeeded with a key, and whose answer was replayed: `POST /v1/…`, as the client sent it. */
  readonly replayed: string[];
  close(): Promise<void>;
}

/** Starts the proxy. `mode` says whether the second request is sent when the first is answered, or together with it. */
export async function startRepeatingProxy(
  target: string,
  mode: 'one after the other' | 'at once',
): Promise<RepeatingProxy> {
  const faults: string[] = [];
  const replayed: string[] = [];
  const server = createServer((incoming, outgoing) => {
    void answer(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = '', url: path = '', headers } = incoming;
    const exchange = { method, path, headers, body: await buffer(incoming) };
    const isRefusing =
      /^\/mcp\/|^\/v1\/((media|keys)\/\w+$|keys\/\w+\/sign-in-links$|schema\/\w+\/plan$|(invitations|sessions|me|password-resets)(\/|$))|\/import(\?|$)/.test(
        path,
      );
    const isOnce = method === 'GET' || 'idempotency-key' in headers || isRefusing;
    const { status, headers: own, body } = isOnce ? await send(target, exchange) : await twice(exchange);
    delete own['transfer-encoding'];
    outgoing.writeHead(status, own).end(body);
  };
  const twice = async (plain: Exchange): Promise<Answer> => {
    const exchange = { ...plain, headers: { ...plain.headers, 'idempotency-key': randomUUID() } };
    const first = send(target, exchange);
    if (mode === 'one after the other') await first;
    const [one, other] = await Promise.all([first, send(target, exchange)]);
    const title = `${plain.method} ${plain.path}`;
    if (mode === 'at once') {
      const [done, late] = isInProgress(one) ? [other, one] : [one, other];
      if (!isInProgress(late) && !isSame(done, late)) faults.push(`${title}: ${shown(done)}, but ${shown(late)}`);
      if (done.status < 300) replayed.push(title);
      return done;
    }
    const isReplayed = other.headers['idempotency-replayed'] === 'true';
    if (one.status < 300 && isReplayed) replayed.push(title);
    if (isReplayed !== one.status < 300 || !isSame(one, other))
      faults.push(`${title}: ${shown(one)}, then ${shown(other)}`);
    return one;
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    replayed,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function send(target: string, { method, path, headers, body }: Exchange): Promise<Answer> {
  const others = { ...headers };
  delete others.connection;
  delete others.host;
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, target), { method, headers: others, agent: false }, (incoming) => {
      buffer(incoming)
        .then((received) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: received }))
        .catch(reject);
    });
    outgoing.on('error', reject).end(body);
  });
}

const KEPT_HEADERS = ['content-type', 'etag', 'location', 'cache-control'];

function isSame(one: Answer, other: Answer): boolean {
  if (one.status !== other.status || KEPT_HEADERS.some((name) => one.headers[name] !== other.headers[name]))
    return false;
  // Each problem has the ID of its request.
  const withoutId = ({ body }: Answer) => body.toString().replace(/"request_id":"[^"]*"/, '');
  return withoutId(one) === withoutId(other);
}

export function isInProgress({ status, headers, body }: Answer): boolean {
  return status === 409 && headers['retry-after'] === '1' && body.includes('still in progress');
}

function shown({ status, headers, body }: Answer): string {
  return `${status} ${JSON.stringify(headers)} ${body.toString().slice(0, 300)}`;
}
