import http, { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import { codeOf, OutboundError } from './outbound-error.js';

export interface OutboundRequest {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
  /** How much of the response body is read, in bytes. */
  maxBytes: number;
}

/** The outcome of one request: a response, a failure, or both for an interrupted response. */
export interface Exchange {
  status?: number;
  body: string;
  retryAfter?: string;
  failure?: Error;
  /** The failure may be that of a pooled connection that the receiver closed just before it was reused. */
  stale?: boolean;
}

/**
 * Sends one POST over `agent`. Resolves when the response has ended, when `maxBytes` of it have arrived, or when anything failed. An abort
 * of `signal` fails at once with its reason, which must be an error. Redirects are not followed, and nothing is decompressed.
 */
export function exchange(request: OutboundRequest, agent: http.Agent, signal: AbortSignal): Promise<Exchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let missing = request.maxBytes;
    let answer: IncomingMessage | undefined;
    let settled = false;

    const { request: open } = agent instanceof https.Agent ? https : http;
    const outgoing: ClientRequest = open(request.url, {
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
      // A response may end before the request was sent completely. Nothing would handle that connection any more.
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

/** Decodes UTF-8. U+FFFD replaces invalid bytes and NUL, which PostgreSQL cannot store. Leaves out a character that was cut in two. */
function decode(bytes: Buffer, cut: boolean): string {
  return new TextDecoder().decode(bytes, { stream: cut }).replaceAll('\0', '\uFFFD');
}
