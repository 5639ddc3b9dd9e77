import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { raw, type Request, type Response } from 'express';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { Problem } from '../../errors/problem.js';
import { findJsonFault, type JsonFault } from '../../json/json-fault.js';
import { parseSent } from '../../json/parse-sent.js';
import { TooDeepError } from '../../json/parse-sliced.js';
import { JSON_TYPE, mediaTypeOf, notThis, otherCharset } from './media-type.js';
import { atPace } from './body-pace.js';
import { TOO_DEEP } from './storable-values.js';

type Reader = ReturnType<typeof raw>;

const readers = new Map<number, Reader>();

/**
 * Returns the text of the request's JSON body. Throws 400 if it cannot be read, 408 if it arrives too slowly, 413 if it exceeds `maxBytes`, 415
 * if it is not JSON.
 */
export async function readBody(request: Request, response: Response, maxBytes: number): Promise<string> {
  assertJson(request);
  const body = await readBytes(request, response, maxBytes);
  request.body = undefined;
  if (body.length === 0) {
    throw new Problem('malformed_json', 'The body is empty. Send a JSON object.');
  }
  if (!isUtf8(body)) throw new Problem('malformed_json', 'The body is not valid UTF-8.');
  // A byte order mark is not JSON, but some programs write it.
  const start = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  return body.toString('utf8', start);
}

/** Throws a 415 if the request has a body that is not JSON. */
export function assertJson(request: Request): void {
  const sent = mediaTypeOf(request);
  const charset = otherCharset(sent);
  if ((sent.type === JSON_TYPE && charset === undefined) || !hasBody(request)) return;
  const expected =
    sent.type === JSON_TYPE
      ? `in UTF-8${notThis(charset ?? '')}`
      : `with Content-Type: ${JSON_TYPE}${notThis(sent.type)}`;
  throw new Problem('unsupported_media_type', `Send the body as JSON, ${expected}.`);
}

/** Returns the bytes of the body, decompressed. They can be read again until `readBody` has read them. Throws like `readBody`. */
export async function readBytes(request: Request, response: Response, maxBytes: number): Promise<Buffer> {
  if (!Buffer.isBuffer(request.body)) {
    const read = readerOf(maxBytes);
    await atPace(
      request,
      (signal) =>
        new Promise<void>((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Problem));
          read(request, response, (error?: unknown) => (error ? reject(problemOfBody(error, maxBytes)) : resolve()));
        }),
    );
  }
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** Parses the text of a body as a JSON object. Throws 400 if it is malformed or not an object, 422 if it is nested too deeply. */
export function* parseBody(text: string): SlicedWork<Record<string, unknown>> {
  let body: unknown;
  try {
    body = yield* parseSent(text);
  } catch (error) {
    if (error instanceof TooDeepError) throw Problem.invalid([{ path: 'body', code: 'too_deep', message: TOO_DEEP }]);
    throw malformed(yield* findJsonFault(text));
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body)) throw notAnObject();
  return body as Record<string, unknown>;
}

function malformed(fault: JsonFault | undefined): Problem {
  const place = fault && `: line ${fault.line}, column ${fault.column}: ${fault.reason}`;
  return new Problem('malformed_json', `The body is not valid JSON${place ?? ''}.`);
}

function notAnObject(): Problem {
  return new Problem('malformed_json', 'The body must be a JSON object.');
}

function readerOf(maxBytes: number): Reader {
  let reader = readers.get(maxBytes);
  if (!reader) {
    reader = raw({ limit: maxBytes, type: () => true });
    readers.set(maxBytes, reader);
  }
  return reader;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function problemOfBody(error: unknown, maxBytes: number): Error {
  switch (String((error as { type?: string }).type)) {
    case 'request.size.invalid':
    case 'request.aborted':
      return new Problem('malformed_json', 'The body ended before its Content-Length.');
    case 'entity.too.large':
      return new Problem('payload_too_large', `The body is larger than ${maxBytes} bytes.`);
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new Problem(
        'unsupported_media_type',
        'Send the body as JSON in UTF-8, either uncompressed or compressed with gzip, deflate or br.',
      );
    default:
      // Client errors of body-parser (such as a corrupt gzip stream) have a status below 500.
      if (((error as { status?: number }).status ?? 500) < 500) {
        return new Problem('malformed_json', 'The body could not be read.');
      }
      return error as Error;
  }
}
