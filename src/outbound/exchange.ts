import http, { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Interruption } from './interruption.js';
import { codeOf, OutboundError } from './outbound-error.js';

export interface OutboundRequest {
  method: 'GET' | 'POST';
  /** Host, port and path. */
  to: http.RequestOptions;
  headers: Record<string, string>;
  body: string | Buffer;
  /** How much of the response body is read, in bytes. */
  maxBytes: number;
}

/** The outcome of one request: a response, a failure, or both for an interrupted response. */
export interface Exchange {
  status?: number;
  body: string;
  headers?: http.IncomingHttpHeaders;
  failure?: Error;
  /** The failure may be that of a pooled connection that the receiver closed just before it was reused. */
  stale?: boolean;
}

/**
 * Sends one request over `agent`. Resolves when the response has ended, when `maxBytes` of it have arrived, or when anything failed. An
 * interruption fails at once with its reason. Redirects are not followed, and nothing is decompressed.
 */
export function exchange(request: OutboundRequest, agent: http.Agent, interruption: Interruption): Promise<Exchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let missing = request.maxBytes;
    let answer: IncomingMessage | undefined;
    let settled = false;

    const { request: open } = agent instanceof https.Agent ? https : http;
    const outgoing: ClientRequest = open({
      ...request.to,
      method: request.method,
      agent,
      headers: {
        ...request.headers,
        'accept-encoding': 'identity',
        ...(request.method === 'POST' && { 'content-length': String(Buffer.byteLength(request.body)) }),
      },
    });

    const settle = (failure?: Error) => {
      if (settled) return;
      settled = true;
      // A response may end before the request was sent completely. Nothing would handle that connection any more.
      if (failure || missing <= 0 || !outgoing.writableFinished) outgoing.destroy();
      resolve({
        status: answer?.statusCode,
        body: decode(Buffer.concat(chunks), missing <= 0),
        headers: answer?.headers,
        failure,
        stale: failure && !answer && outgoing.reusedSocket && codeOf(failure) === 'connection',
      });
    };

    outgoing.on('error', settle);
    outgoing.on('close', () => {
      // Every request ends with this event, and an error takes time to make.
      if (!settled) settle(new OutboundError('connection', 'closed before the response was complete'));
    });
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

    if (interruption.reason) return settle(interruption.reason);
    interruption.onInterrupt = settle;
    outgoing.end(request.body);
  });
}

/** Decodes UTF-8. U+FFFD replaces invalid bytes and NUL, which PostgreSQL cannot store. Leaves out a character that was cut in two. */
function decode(bytes: Buffer, cut: boolean): string {
  if (bytes.length === 0) return '';
  return new TextDecoder().decode(bytes, { stream: cut }).replaceAll('\0', '\uFFFD');
}
