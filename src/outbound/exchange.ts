import { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import { codeOf, OutboundError } from './outbound-error.js';

export interface OutboundRequest {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
  /** How much of the answer's body is read, in bytes. */
  maxBytes: number;
}

/** What came of one request: an answer, a failure, or an answer that broke off, which is both. */
export interface Exchange {
  status?: number;
  body: string;
  retryAfter?: string;
  failure?: Error;
  /** The failure may be that of a kept connection which the receiver was just closing. */
  stale?: boolean;
}

/**
 * Posts once over `agent` and resolves when the answer has ended, `maxBytes` of it are there, or anything failed; an
 * error that is the reason of `signal` gives up at once. Redirects are answers like others, and nothing is
 * decompressed.
 */
export function exchange(request: OutboundRequest, agent: https.Agent, signal: AbortSignal): Promise<Exchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let missing = request.maxBytes;
    let answer: IncomingMessage | undefined;
    let settled = false;

    const outgoing: ClientRequest = https.request(request.url, {
      method: 'POST',
      agent,
      headers: {
        ...request.headers,
        'accept-encoding': 'identity',
        'content-length': String(Buffer.byteLength(request.body)),
      },
    });

    const settle = (failure?: Error) => {
      if (settled) return;
      settled = true;
      signal.removeEventListener('abort', abort);
      // An answer may end before the request was sent; nobody would be left to watch that connection.
      if (failure || missing <= 0 || !outgoing.writableFinished) outgoing.destroy();
      resolve({
        status: answer?.statusCode,
        body: decode(Buffer.concat(chunks), missing <= 0),
        retryAfter: answer?.headers['retry-after'],
        failure,
        stale: failure && !answer && outgoing.reusedSocket && codeOf(failure) === 'connection',
      });
    };
    const abort = () => settle(signal.reason as Error);
    const closed = () => settle(new OutboundError('connection', 'closed before the response was complete'));

    outgoing.on('error', settle);
    outgoing.on('close', closed);
    outgoing.on('upgrade', () => settle(new OutboundError('protocol', 'switched to another protocol')));
    outgoing.on('response', (response) => {
      answer = response;
      response.on('error', settle);
      response.on('end', () => settle());
      response.on('data', (chunk: Buffer) => {
        if (missing <= 0) return;
        chunks.push(chunk.subarray(0, missing));
        missing -= chunk.length;
        if (missing <= 0) settle();
      });
    });

    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort);
    outgoing.end(request.body);
  });
}

/**
 * UTF-8, where U+FFFD stands for what is none and for NUL, which PostgreSQL can't store. A character that was cut in
 * two is left out.
 */
function decode(bytes: Buffer, cut: boolean): string {
  return new TextDecoder().decode(bytes, { stream: cut }).replaceAll('\0', '\uFFFD');
}
