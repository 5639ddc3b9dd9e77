import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEMS, type ProblemCode } from '../errors/problem.js';
import { isExemptFromTimeout } from './request-timeout.js';

/** Sends a problem when node's HTTP parser refuses the bytes of a client before there is a request. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // Node reports it once for each request, and does nothing itself.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isExemptFromTimeout(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, code, detail]: [number, ProblemCode, string] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'invalid_parameter', 'The URL and the headers are too long.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'request_timeout', 'The request took too long to arrive.']
        : [400, 'invalid_parameter', 'The request is not valid HTTP.'];
  const { head, body } = problemText(status, code, detail);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}Connection: close\r\n\r\n${body}`);
}

/** Sends a problem for a request whose `Expect` header node does not support. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { headers, body } = problemText(417, 'invalid_parameter', 'The Expect header supports only 100-continue.');
  response.writeHead(417, headers).end(body);
}

function problemText(
  status: number,
  code: ProblemCode,
  detail: string,
): { headers: Record<string, string>; head: string; body: string } {
  const id = randomUUID();
  const type = `/problems/${code}`;
  const body = JSON.stringify({ type, title: PROBLEMS[code].title, status, code, detail, request_id: id });
  const headers = {
    'Content-Type': 'application/problem+json',
    'X-Request-Id': id,
    'Content-Length': String(Buffer.byteLength(body)),
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return { headers, head: head.join(''), body };
}
