import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';
import { PROBLEMS, type ProblemCode } from '../errors/problem.js';

/** Answers what node's HTTP parser refuses before there is a request: with a problem, like everything else. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, code, detail]: [number, ProblemCode, string] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'invalid_parameter', 'The URL and the headers are too long.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'invalid_parameter', 'The request took too long to arrive.']
        : [400, 'invalid_parameter', 'The request is not valid HTTP.'];
  const id = randomUUID();
  const body = JSON.stringify({
    type: `/problems/${code}`,
    title: PROBLEMS[code].title,
    status,
    code,
    detail,
    request_id: id,
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json\r\nX-Request-Id: ${id}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
